import { workerData } from 'node:worker_threads';
import { type BacktestWork, createBatchRunner } from '../packages/tools/src/backtest/batch.ts';

/** A rehearsal thread's entry: takes a batch of lines and answers with its sums. */
export default createBatchRunner(workerData as BacktestWork);
