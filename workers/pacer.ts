import { parentPort, workerData } from 'node:worker_threads';
import { wakeWhenDue } from '../packages/tools/src/load/pacer.ts';
import type { Schedule } from '../packages/tools/src/load/schedule.ts';

/** The thread that wakes a load generator: `workerData` is the schedule, and every message is one wake-up. */
wakeWhenDue(workerData as Schedule, () => parentPort?.postMessage(undefined));
