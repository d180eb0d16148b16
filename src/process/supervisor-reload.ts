import type { ReloadCause, ReloadOutcome } from '../../packages/console/src/admin/administration.ts';
import { askProcess, type NoReply, type Reply } from './ask-process.ts';
import type { ServiceProcess } from './service-process.ts';

/** How long a process may take to report its reload; new threads on a busy machine take seconds. */
const ANSWER_PATIENCE_MS = 30_000;

export interface ProcessesReload {
  readonly outcome: ReloadOutcome;
  /** True when a process runs the version. */
  readonly isTaken: boolean;
}

type Answer = Reply<'reload'> | NoReply;

/**
 * Makes every process reload and returns the combined outcome: `refused` when each of them has refused. `configuration` is the
 * version that the supervisor itself has read and checked. A process that read another version, because the file changed
 * in the meantime, is reported like a refusal. A process that is ending reloads as well, for its open connections, and
 * nothing depends on its answer.
 */
export async function reloadProcesses(
  processes: readonly ServiceProcess[],
  configuration: string,
  cause: ReloadCause,
): Promise<ProcessesReload> {
  const replies = await Promise.all(
    processes.map(async (process) => {
      const answer = await askProcess(process.child, { kind: 'reload', cause }, ANSWER_PATIENCE_MS);
      return { process, answer };
    }),
  );
  const answers = replies.filter(({ process }) => !process.isLeaving);
  const faults = answers.flatMap(({ process, answer }) => {
    const fault = findFault(answer, configuration);
    return fault === undefined ? [] : [`process ${process.number} ${fault}`];
  });
  const isTaken = faults.length < answers.length;
  if (faults.length === 0) return { outcome: { outcome: 'reloaded', configuration }, isTaken };
  const reason = faults.join('; ');
  if (answers.every(({ answer }) => isRefusal(answer))) return { outcome: { outcome: 'refused', reason }, isTaken };
  return { outcome: { outcome: 'incomplete', configuration, reason }, isTaken };
}

/** Reports to every process that its supervisor refused the files, so that none tries them. */
export function tellRefusal(processes: readonly ServiceProcess[]): void {
  for (const process of processes) process.send({ kind: 'reload refused' });
}

function isRefusal(answer: Answer): boolean {
  return typeof answer !== 'string' && answer.outcome.outcome === 'refused';
}

/** Why a process has not put this version in force; undefined when it has. */
function findFault(answer: Answer, configuration: string): string | undefined {
  if (answer === 'ended') return 'has ended; it starts again on the files as they are now';
  if (answer === 'silent') return 'does not answer';
  const { outcome } = answer;
  if (outcome.outcome !== 'reloaded') return `refused: ${outcome.reason}`;
  return outcome.configuration === configuration ? undefined : `read version ${outcome.configuration}`;
}
