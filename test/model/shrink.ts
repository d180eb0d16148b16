/** Makes a failing history as short as it gets: steps, then orders inside of steps, are dropped and the rest is replayed. */
import type { History, Step } from './history.ts';
import { describe } from './judge.ts';

/** Says what is wrong when this history is played; undefined when nothing is. */
export type Replay = (history: History) => Promise<string | undefined>;

/** A race shows itself now and then: a shorter history is played so often before it is taken for right. */
const PLAYS_PER_CANDIDATE = 3;

export async function shrink(
  history: History,
  replay: Replay,
  limitMs: number,
): Promise<{ readonly history: History; readonly message: string | undefined }> {
  const endMs = Date.now() + limitMs;
  let [shortest, message] = [history, undefined as string | undefined];
  const fails = async (steps: readonly Step[]): Promise<boolean> => {
    const candidate = { ...history, steps };
    for (let play = 0; play < PLAYS_PER_CANDIDATE && Date.now() < endMs; play += 1) {
      const fault = await replay(candidate);
      if (fault === undefined) continue;
      [shortest, message] = [candidate, fault];
      return true;
    }
    return false;
  };
  for (let size = Math.ceil(history.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < shortest.steps.length; ) {
      if (!(await fails(shortest.steps.toSpliced(at, size)))) at += size;
    }
  }
  for (let at = 0; at < shortest.steps.length; at += 1) await dropOrders(at);
  return { history: shortest, message };

  async function dropOrders(at: number): Promise<void> {
    for (let which = 0; ; ) {
      const step = shortest.steps[at];
      if (!step || !('orders' in step) || which >= step.orders.length || step.orders.length === 1) return;
      const fewer = { ...step, orders: step.orders.toSpliced(which, 1) };
      if (!(await fails(shortest.steps.with(at, fewer)))) which += 1;
    }
  }
}

/** A history as a person reads it. */
export function printHistory({ members, steps }: History): string {
  const who = members.map(
    ({ status, grants }, at) => `  member ${at}: ${status}, may have ${grants.join(', ') || 'nothing'}`,
  );
  const what = steps.map((step, at) => `  ${at + 1}. ${printStep(step)}`);
  return [...who, ...what].join('\n');
}

function printStep(step: Step): string {
  if (step.kind === 'wait') return `wait ${step.ms} ms`;
  if (step.kind === 'window') return `the idempotency window of ${step.calculation} passes`;
  if (step.kind === 'jump') return `Redis' clock jumps by ${step.ms} ms`;
  if (step.kind === 'return')
    return `all of ${step.calculation} comes back as ${step.returnId} at process ${step.process}`;
  if (step.kind === 'basket' || step.kind === 'sale') return describe(step);
  const orders = step.orders.map((order) => `\n     - ${describe(order)}`).join('');
  if (step.kind === 'together') return `at once:${orders}`;
  return `while ${JSON.stringify(step.fault)}${step.isRetried ? ', then again until answered' : ''}:${orders}`;
}
