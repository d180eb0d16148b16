import { Worker } from 'node:worker_threads';
import type { DraftAnswer, DraftDesk, DraftGivenUp } from '../calls/draft.ts';
import type { ExplainedFacts } from '../calls/dry-run.ts';
import type { DraftReview } from '../programme/draft-review.ts';
import type { PriceListAnswer } from '../programme/price-list.ts';
import { CODE_CHANGED, hasCodeChanged } from '../telemetry/build.ts';
import type { DraftMessage, DraftQuestion, DraftWork } from './draft-thread.ts';

/** A person waits for it, and a draft that takes longer would be no good in a call either. */
const PATIENCE_MS = 20_000;
const MAX_MEMORY_MB = 256;
/** One editor asks for up to three things at once: what is wrong, what a basket costs, and the prices. */
const MOST_WAITING = 3;

/**
 * Opens the desk: one draft after the other, a few may wait, each in a thread of its own that is ended afterwards, so that no draft holds the event
 * loop, fills the memory, or leaves anything behind.
 */
export function openDraftDesk(): DraftDesk {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const run = async <Answer>(work: DraftWork, facts?: ExplainedFacts): Promise<Answer | DraftGivenUp> => {
    if (waiting > MOST_WAITING) return { kind: 'given_up', reason: 'other drafts are being looked at' };
    waiting += 1;
    const turn = last.then(() => runInThread(work, facts));
    last = turn
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
      });
    return (await turn) as Answer | DraftGivenUp;
  };
  return {
    price: (task, facts) => run<DraftAnswer>({ kind: 'price', task }, facts),
    review: (task) => run<DraftReview>({ kind: 'review', task }),
    editPrices: (task) => run<PriceListAnswer>({ kind: 'prices', task }),
  };
}

async function runInThread(work: DraftWork, facts: ExplainedFacts | undefined): Promise<unknown> {
  if (hasCodeChanged()) return { kind: 'given_up', reason: CODE_CHANGED } satisfies DraftGivenUp;
  const entry = new URL('../../workers/draft.ts', import.meta.url);
  const worker = new Worker(entry, { workerData: work, resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
  worker.unref();
  try {
    return await untilAnswered(worker, facts);
  } finally {
    await worker.terminate();
  }
}

function untilAnswered(worker: Worker, facts: ExplainedFacts | undefined): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const giveUp = (reason: string): void => resolve({ kind: 'given_up', reason } satisfies DraftGivenUp);
  const timer = setTimeout(() => giveUp(`the draft took longer than ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
  worker.on('message', (message: DraftMessage) => {
    if (message.kind === 'done') return resolve(message.answer);
    if (facts) read(facts, message).then((fact) => worker.postMessage(fact), reject);
  });
  worker.once('error', (error) => giveUp(`the draft could not be read: ${error.message}`));
  worker.once('exit', () => giveUp('the thread that read the draft has ended'));
  return promise.finally(() => clearTimeout(timer));
}

function read(facts: ExplainedFacts, { kind, args }: DraftQuestion): Promise<unknown> {
  return kind === 'readMember' ? facts.readMember(...args) : facts.readCommon(...args);
}
