import type { ChildProcess } from 'node:child_process';
import type { ReloadCause, ReloadOutcome } from '../ops/admin/administration.ts';
import { askProcess, type NoReply, type Reply } from './ask-process.ts';
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
  const replies = await Promise.all(
    children.map((child) => askProcess(child, { kind: 'reload', cause }, ANSWER_PATIENCE_MS)),
  );
  const faults = replies.flatMap((reply, index) => {
    const fault = findFault(reply, configuration);
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

/** Why a process has not put this version in force; undefined when it has. */
function findFault(reply: Reply<'reload'> | NoReply, configuration: string): string | undefined {
  if (reply === 'ended') return 'has ended; it starts again on the files as they are now';
  if (reply === 'silent') return 'does not answer';
  const { outcome } = reply;
  if (outcome.outcome !== 'reloaded') return `refused: ${outcome.reason}`;
  return outcome.configuration === configuration ? undefined : `read version ${outcome.configuration}`;
}
