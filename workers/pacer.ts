import { parentPort, workerData } from 'node:worker_threads';
import { wakeWhenDue } from '../src/tools/load/pacer.ts';

/** The thread that wakes a load generator: `workerData` holds the shared instants, and every message is one wake-up. */
wakeWhenDue(new Float64Array(workerData as SharedArrayBuffer), () => parentPort?.postMessage(undefined));
