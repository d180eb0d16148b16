import { parentPort, workerData } from 'node:worker_threads';
import { answerDraft, type DraftWork } from '../src/threads/draft-thread.ts';

/** The entry of a thread that checks or prices one draft of the configuration. */
if (parentPort) await answerDraft(parentPort, workerData as DraftWork);
