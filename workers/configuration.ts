import { parentPort, workerData } from 'node:worker_threads';
import { readCheckedConfiguration } from '../src/threads/configuration-thread.ts';

/** The entry of a thread that reads and checks a configuration for a reload. */
parentPort?.postMessage(readCheckedConfiguration(workerData as string));
