import { threadId, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Task, TaskResult } from '../src/calls/messages.ts';
import { startPulse } from '../src/threads/pulse.ts';
import { createThreadRunner } from '../src/threads/thread.ts';
import type { WorkerData } from '../src/threads/worker-data.ts';

const data = workerData as WorkerData;
startPulse(data.pulse, threadId);
const runTask = createThreadRunner(data);

/** A thread's entry: answers a task, its bytes moved and not cloned; a `ping` is answered once the thread can work. */
export default async function run(task: Task | 'ping'): Promise<unknown> {
  if (task === 'ping') return task;
  const result: TaskResult = await runTask(task);
  if (result.kind === 'refusal') return result;
  // A copy of its own: a small Buffer shares a pooled slab, and posting that would send other calls' bytes along.
  const body = new Uint8Array(result.body);
  return move({ [transferableSymbol]: [body.buffer], [valueSymbol]: { ...result, body } });
}
