import { parentPort, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { CODE_CHANGED, hasCodeChanged } from '../src/telemetry/build.ts';
import { createThread, type NumberedTask, type WorkerData } from '../src/threads/thread.ts';

const data = workerData as WorkerData;
if (hasCodeChanged(data.build)) throw new Error(CODE_CHANGED);
const work = createThread(data);

/** A pricing thread's entry. It answers a `ping` once the thread can work, and a task with bytes that are moved without a copy. */
export default function run(task: NumberedTask | 'ping'): unknown {
  if (task === 'ping') return task;
  parentPort?.postMessage(task.number);
  const result = work(task);
  if ('fault' in result) return result;
  if ('answer' in result) return moved({ answer: own(result.answer) });
  const { rendered, stored, kept } = result;
  return moved({ rendered: { ...rendered, body: own(rendered.body) }, stored: own(stored), kept: own(kept) });
}

/**
 * Bytes with an ArrayBuffer of their own: a small Buffer shares a pooled slab, and moving that would take other calls' bytes
 * along.
 */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function moved<Result extends object>(value: Result): unknown {
  const buffers = Object.values({ ...value, ...('rendered' in value ? (value.rendered as object) : {}) })
    .filter((part) => part instanceof Uint8Array && part.length > 0)
    .map(({ buffer }) => buffer);
  return move({ [transferableSymbol]: buffers, [valueSymbol]: value });
}
