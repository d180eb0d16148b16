import type { ChildProcess } from 'node:child_process';
import type { ReloadCause, ReloadOutcome } from '../ops/admin/administration.ts';
import { askProcess } from './ask-process.ts';
import type { SupervisorMessage } from './messages.ts';

/** How long a process may take to report its reload; new threads on a busy machine take seconds. */
const ANSWER_PATIENCE_MS = 30_000;

/**
 * Makes every process reload and returns the combined outcome. `configuration` is the version that the supervisor
 * itself has read and checked. A process that read another version, because the file changed in the meantime, is
 * reported like a refusal.
 */
export async function reloadProcesses(
  children: readonly (ChildProcess | undefined)[],
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

/** Reports to every process that its supervisor refused the files, so that none tries them. */
export function tellRefusal(children: readonly (ChildProcess | undefined)[]): void {
  for (const child of children) {
    if (child?.connected) child.send({ kind: 'reload refused' } satisfies SupervisorMessage, () => undefined);
  }
}

function describeFault(outcome: ReloadOutcome | string, configuration: string): string | undefined {
  if (typeof outcome === 'string') return outcome;
  if (outcome.outcome !== 'reloaded') return `refused: ${outcome.reason}`;
  return outcome.configuration === configuration ? undefined : `read version ${outcome.configuration}`;
}

/** Asks one process to reload. Resolves with its outcome, or with the reason in words why there is none. */
async function reloadProcess(child: ChildProcess | undefined, cause: ReloadCause): Promise<ReloadOutcome | string> {
  const reply = await askProcess(child, { kind: 'reload', cause }, ANSWER_PATIENCE_MS);
  if (reply === 'ended') return 'has ended; it starts again on the files as they are now';
  return reply === 'silent' ? 'does not answer' : reply.outcome;
}
