import { parentPort, workerData } from 'node:worker_threads';
import type { DraftTask } from '../src/calls/draft.ts';
import { answerDraft } from '../src/threads/draft-thread.ts';

/** The entry of a thread that prices one draft of the configuration. */
if (parentPort) await answerDraft(parentPort, workerData as DraftTask);
