/**
 * Returns in a history: all goods of a calculation come back, now and then twice. Drawn from a seed of its own and woven between
 * the steps, so that the orders of a seed stay what they were.
 */
import { Random } from '../../packages/simulator/src/random.ts';
import type { Answer } from '../support/answer.ts';
import { sleep } from '../support/wait.ts';
import type { AppliedBody, BasketBody } from '../support/wire.ts';
import type { BasketOrder, ReturnStep, Step } from './history.ts';
import type { Model } from './model.ts';
import type { SeenCalculation } from './observe.ts';
import type { Stage } from './stage.ts';
import { readUse } from './world.ts';

const MORE_SEEDS = 3_000_000_019;

/** The steps with returns between them, of calculations that somebody has asked for. */
export function weaveReturns(steps: readonly Step[], seed: number): Step[] {
  const random = new Random(seed + MORE_SEEDS);
  const baskets: BasketOrder[] = [];
  return steps.flatMap((step): Step[] => {
    const orders = step.kind === 'basket' ? [step] : 'orders' in step ? step.orders : [];
    for (const order of orders) if (order.kind === 'basket') baskets.push(order);
    if (baskets.length === 0 || !random.chance(0.25)) return [step];
    const { calculation } = random.pick(baskets.slice(-4));
    const returnId = random.pick(['first', 'first', 'second']);
    return [step, { kind: 'return', calculation, returnId, process: random.between(0, 1) }];
  });
}

/** What was answered to a body, and what the till asked for. */
interface Priced {
  readonly lines: number;
  readonly askedTotal: number;
  /** Undefined where no answer arrived. */
  readonly answeredTotal: number | undefined;
}

/** What a return comes to: a status, and the refund of one that is booked. */
interface DueReturn {
  readonly status: 200 | 404 | 422;
  readonly refund?: number | undefined;
  /** It is booked by this, and was not before. */
  readonly isFirst?: boolean;
}

const MAX_ATTEMPTS = 20;

/** A busy machine makes Redis silent for a moment. A return may be sent again: it is booked once. */
async function untilAnswered<T extends { readonly status: number }>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send();
    if (reply.status !== 503 || attempt === MAX_ATTEMPTS) return reply;
    await sleep(25 * attempt);
  }
}

/** The returns of one history, and the prices that they go by. */
export class Returns {
  /** By the fingerprint of the body. */
  readonly #priced = new Map<string, Priced>();
  /** What was booked, by calculation. */
  readonly #booked = new Map<number, { readonly returnId: string; readonly text: string }>();

  note(print: string, { lines, totals }: BasketBody, answer: Answer | undefined): void {
    if (this.#priced.get(print)?.answeredTotal !== undefined) return;
    const answered = answer?.status === 200 ? answer.json<Partial<AppliedBody>>() : undefined;
    const answeredTotal = answered && (answered.totals ?? totals).total;
    this.#priced.set(print, { lines: lines.length, askedTotal: totals.total, answeredTotal });
  }

  /** Sends the return of a whole calculation, and says what is wrong with the answer. Undefined where either of two is right. */
  async bringBack(
    stage: Stage,
    step: ReturnStep,
    calculationId: string,
    seen: SeenCalculation | undefined,
  ): Promise<{ readonly said: string; readonly faults: string[]; readonly isFirst: boolean } | undefined> {
    const { calculation, returnId, process } = step;
    const priced = this.#priced.get(seen?.print ?? '');
    const due = this.#due(step, seen, priced);
    if (!due || (due.status === 200 && !priced)) return undefined;
    const lines = Array.from({ length: priced?.lines ?? 1 }, (_, at) => ({ lineId: `line-${at + 1}`, quantity: 1 }));
    const { status, body } = await untilAnswered(() => stage.bringBack(process, { calculationId, returnId, lines }));
    const text = JSON.stringify(body);
    const said = `the return ${returnId} of ${calculation} was answered ${status} ${text}`;
    const before = this.#booked.get(calculation);
    const isRight = status === due.status && (due.refund === undefined || body.refund === due.refund);
    const isSame = before === undefined || due.status !== 200 || before.text === text;
    const faults = isRight && isSame ? [] : [`${said} instead of ${JSON.stringify(due)}`];
    if (due.isFirst) this.#booked.set(calculation, { returnId, text });
    return { said, faults, isFirst: due.isFirst === true };
  }

  #due(step: ReturnStep, seen: SeenCalculation | undefined, priced: Priced | undefined): DueReturn | undefined {
    if (seen?.print === undefined) return { status: 404 };
    const { outcome, soldAtMs = 0, committedAtMs = 0 } = seen;
    if (outcome === undefined || outcome.startsWith('cancelled')) return { status: 422 };
    // Sold before it was answered: what was sold is not known. Within a millisecond nobody can tell.
    if (soldAtMs === committedAtMs) return undefined;
    if (soldAtMs < committedAtMs) return { status: 404 };
    const booked = this.#booked.get(step.calculation);
    if (booked) return { status: booked.returnId === step.returnId ? 200 : 422 };
    const refund = outcome.startsWith('applied') ? priced?.answeredTotal : priced?.askedTotal;
    return { status: 200, refund, isFirst: true };
  }
}

/** Limits and grants are free again, first of what is past them: nothing of their benefits stays. */
export function giveBack(model: Model, seen: SeenCalculation): void {
  if (!seen.outcome?.startsWith('applied')) return;
  for (const [use, units] of seen.uses.map(readUse)) {
    const key = `${seen.member} ${use}`;
    model.consumed.set(key, (model.consumed.get(key) ?? 0) - units);
    model.over.set(key, Math.max(0, (model.over.get(key) ?? 0) - units));
  }
}
