import { parentPort, workerData } from 'node:worker_threads';
import { type Schedule, wakeWhenDue } from '../packages/tools/src/load/pacer.ts';

/** The thread that wakes a load generator: `workerData` is the schedule, and every message is one wake-up. */
wakeWhenDue(workerData as Schedule, () => parentPort?.postMessage(undefined));
