import type { ChildProcess } from 'node:child_process';
import type { ReloadCause, ReloadOutcome } from '../ops/admin/administration.ts';
import type { ProcessMessage, SupervisorMessage } from './messages.ts';

/** A process that does not say how its reload went has not reloaded: new threads on a busy machine take seconds. */
const ANSWER_PATIENCE_MS = 30_000;

let lastId = 0;

/**
 * Has every process reload and says what came of it. `configuration` is the version that the supervisor itself has read
 * and checked; a process that read something else, because the file changed meanwhile, is told of like one that refused.
 */
export async function reloadProcesses(
  children: readonly ChildProcess[],
  configuration: string,
  cause: ReloadCause,
): Promise<ReloadOutcome> {
  const outcomes = await Promise.all(children.map((child) => reloadProcess(child, cause)));
  const faults = outcomes.flatMap((outcome, index) => {
    const fault = describeFault(outcome, configuration);
    return fault === undefined ? [] : [`process ${index + 1} ${fault}`];
  });
  if (faults.length === 0) return { outcome: 'reloaded', configuration };
  return { outcome: 'incomplete', configuration, reason: faults.join('; ') };
}

/** Tells every process that its supervisor has refused the files, without having them try for themselves. */
export function tellRefusal(children: readonly ChildProcess[]): void {
  for (const child of children) {
    if (child.connected) child.send({ kind: 'reload refused' } satisfies SupervisorMessage, () => undefined);
  }
}

function describeFault(outcome: ReloadOutcome | string, configuration: string): string | undefined {
  if (typeof outcome === 'string') return outcome;
  if (outcome.outcome !== 'reloaded') return `refused: ${outcome.reason}`;
  return outcome.configuration === configuration ? undefined : `read version ${outcome.configuration}`;
}

/** How the process says its reload went, or in words why it says nothing. */
function reloadProcess(child: ChildProcess, cause: ReloadCause): Promise<ReloadOutcome | string> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    const settle = (outcome: ReloadOutcome | string): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: ProcessMessage): void => {
      if (message.kind === 'reload' && message.id === id) settle(message.outcome);
    };
    const onExit = (): void => settle('has ended; it starts again on the files as they are now');
    const timer = setTimeout(() => settle('does not answer'), ANSWER_PATIENCE_MS).unref();
    child.on('message', onMessage);
    child.once('exit', onExit);
    if (!child.connected) return onExit();
    child.send({ kind: 'reload', id, cause } satisfies SupervisorMessage, (error) => {
      if (error) onExit();
    });
  });
}
