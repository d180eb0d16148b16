import { Worker } from 'node:worker_threads';
import type { DraftAnswer, DraftDesk, DraftGivenUp, ReadDraftFacts } from '../calls/draft.ts';
import type { DraftReview } from '../programme/draft-review.ts';
import type { PriceListAnswer } from '../programme/price-list.ts';
import { CODE_CHANGED, hasCodeChanged } from './code-identity.ts';
import type { DraftMessage, DraftWork } from './draft-thread.ts';

/** A person waits for it, and a draft that takes longer would be no good in a call either. */
const PATIENCE_MS = 20_000;
const MAX_MEMORY_MB = 256;

/**
 * Opens the desk: one draft at a time, each in a thread of its own that is ended afterwards, so that no draft holds the event
 * loop, fills the memory, or leaves anything behind.
 */
export function openDraftDesk(): DraftDesk {
  let isBusy = false;
  const run = async <Answer>(work: DraftWork, readFacts?: ReadDraftFacts): Promise<Answer | DraftGivenUp> => {
    if (hasCodeChanged()) return { kind: 'given_up', reason: CODE_CHANGED };
    if (isBusy) return { kind: 'given_up', reason: 'another draft is being looked at' };
    isBusy = true;
    const entry = new URL('../../workers/draft.ts', import.meta.url);
    const worker = new Worker(entry, { workerData: work, resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
    worker.unref();
    try {
      return (await untilAnswered(worker, readFacts)) as Answer | DraftGivenUp;
    } finally {
      await worker.terminate();
      isBusy = false;
    }
  };
  return {
    price: (task, readFacts) => run<DraftAnswer>({ kind: 'price', task }, readFacts),
    review: (task) => run<DraftReview>({ kind: 'review', task }),
    editPrices: (task) => run<PriceListAnswer>({ kind: 'prices', task }),
  };
}

function untilAnswered(worker: Worker, readFacts: ReadDraftFacts | undefined): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const giveUp = (reason: string): void => resolve({ kind: 'given_up', reason } satisfies DraftGivenUp);
  const timer = setTimeout(() => giveUp(`the draft took longer than ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
  worker.on('message', (message: DraftMessage) => {
    if (message.kind === 'done') return resolve(message.answer);
    readFacts?.(message.programmeId, message.uses).then((facts) => worker.postMessage(facts), reject);
  });
  worker.once('error', (error) => giveUp(`the draft could not be read: ${error.message}`));
  worker.once('exit', () => giveUp('the thread that read the draft has ended'));
  return promise.finally(() => clearTimeout(timer));
}
