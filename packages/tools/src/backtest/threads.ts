import { Piscina } from 'piscina';
import type { LineBatch } from '../ndjson/line-batches.ts';
import type { BacktestWork, BatchResult } from './batch.ts';

/** Batches under way per thread: one in work and one waiting, so that no thread idles while the file is read. */
const BATCHES_PER_THREAD = 2;

/**
 * Rehearses batches in threads and passes on the results in the order of the input, so that the same input gives the
 * same report. Memory is bounded by the batches under way.
 */
export async function rehearseBatches(
  batches: AsyncIterable<LineBatch>,
  work: BacktestWork,
  threads: number,
  onResult: (result: BatchResult, batch: LineBatch) => void | Promise<void>,
): Promise<void> {
  const pool = new Piscina<LineBatch, BatchResult>({
    filename: new URL('../../../../workers/backtest.ts', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    maxQueue: threads * BATCHES_PER_THREAD,
    concurrentTasksPerWorker: 1,
    workerData: work,
    recordTiming: false,
    workerHistogram: false,
  });
  const underWay: { readonly batch: LineBatch; readonly result: Promise<BatchResult> }[] = [];
  const finishFirst = async (): Promise<void> => {
    const first = underWay.shift();
    if (first) await onResult(await first.result, first.batch);
  };
  try {
    for await (const batch of batches) {
      const result = pool.run(batch, { transferList: [batch.bytes] });
      // The result is awaited later, in order; until then a failure must not count as unhandled.
      result.catch(() => undefined);
      underWay.push({ batch, result });
      if (underWay.length >= threads * BATCHES_PER_THREAD) await finishFirst();
    }
    while (underWay.length > 0) await finishFirst();
  } finally {
    await pool.destroy();
  }
}
