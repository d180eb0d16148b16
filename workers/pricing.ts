import { threadId, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ReplayTask, Task, TaskResult } from '../src/calls/messages.ts';
import { requireSameCode } from '../src/threads/code-identity.ts';
import { startPulse } from '../src/threads/pulse.ts';
import { createThreadRunner, replayInThread } from '../src/threads/thread.ts';
import type { WorkerData } from '../src/threads/worker-data.ts';

const data = workerData as WorkerData;
requireSameCode(data.code);
const runTask = createThreadRunner(data);
// Not before the thread is warm: its first baskets take seconds on a starved machine, and a thread that is ended begins again.
startPulse(data.pulse, threadId);

/**
 * A pricing thread's entry. It answers a task and moves the body's bytes without a copy; it answers a `ping` once the
 * thread can work.
 */
export default async function run(task: Task | ReplayTask | 'ping'): Promise<unknown> {
  if (task === 'ping') return task;
  if ('stored' in task) return replayInThread(task);
  const result: TaskResult = await runTask(task);
  if (result.kind === 'refusal') return result;
  // The body is copied into its own ArrayBuffer: a small Buffer shares a pooled slab, and moving that would take other
  // calls' bytes along.
  const body = new Uint8Array(result.body);
  return move({ [transferableSymbol]: [body.buffer], [valueSymbol]: { ...result, body } });
}
