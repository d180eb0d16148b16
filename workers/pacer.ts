import { parentPort, workerData } from 'node:worker_threads';
import { wakeWhenDue } from '../src/tools/load/pacer.ts';
import type { Schedule } from '../src/tools/load/schedule.ts';

/** The thread that wakes a load generator: `workerData` is the schedule, and every message is one wake-up. */
wakeWhenDue(workerData as Schedule, () => parentPort?.postMessage(undefined));
