import { Worker } from 'node:worker_threads';
import type { DraftAnswer, DraftGivenUp, PriceDraft, ReadDraftFacts } from '../calls/draft.ts';
import { CODE_CHANGED, hasCodeChanged } from './code-identity.ts';
import type { DraftMessage } from './draft-thread.ts';

/** A person waits for it, and a draft that takes longer would be no good in a call either. */
const PATIENCE_MS = 20_000;
const MAX_MEMORY_MB = 256;

/**
 * Creates the pricer of drafts: one at a time, each in a thread of its own that is ended afterwards, so that no draft
 * holds the event loop, fills the memory, or leaves anything behind.
 */
export function createDraftPricer(): PriceDraft {
  let isBusy = false;
  return async (task, readFacts) => {
    if (hasCodeChanged()) return { kind: 'given_up', reason: CODE_CHANGED };
    if (isBusy) return { kind: 'given_up', reason: 'another draft is being priced' };
    isBusy = true;
    const entry = new URL('../../workers/draft.ts', import.meta.url);
    const worker = new Worker(entry, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    worker.unref();
    try {
      return await untilAnswered(worker, readFacts);
    } finally {
      await worker.terminate();
      isBusy = false;
    }
  };
}

function untilAnswered(worker: Worker, readFacts: ReadDraftFacts): Promise<DraftAnswer | DraftGivenUp> {
  const { promise, resolve, reject } = Promise.withResolvers<DraftAnswer | DraftGivenUp>();
  const giveUp = (reason: string): void => resolve({ kind: 'given_up', reason });
  const timer = setTimeout(() => giveUp(`pricing the draft took longer than ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
  worker.on('message', (message: DraftMessage) => {
    if (message.kind !== 'facts') return resolve(message);
    readFacts(message.programmeId, message.uses).then((facts) => worker.postMessage(facts), reject);
  });
  worker.once('error', (error) => giveUp(`pricing the draft failed: ${error.message}`));
  worker.once('exit', () => giveUp('the thread that priced the draft has ended'));
  return promise.finally(() => clearTimeout(timer));
}
