import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { DraftAnswer, DraftGivenUp, Drafts } from '../administration/draft.ts';
import type { ExplainedFacts } from '../administration/dry-run.ts';
import type { DraftReview } from '../programme/draft-review.ts';
import type { PriceListAnswer } from '../programme/price-list.ts';
import { CODE_CHANGED, hasCodeChanged } from '../telemetry/build.ts';
import type { DraftQuestion, DraftTaskOfThread, DraftWork } from './draft-work.ts';
import { IMPORTED } from './imported.ts';

/** A person waits for it, and a draft that takes longer would be no good in a call either. It begins when the draft is handed in. */
const PATIENCE_MS = 20_000;
const MAX_MEMORY_MB = 256;
/** An editor asks again after a change, and a thread takes half a second to load its code. */
const IDLE_MS = 5_000;
/** One editor asks for up to three things at once: what is wrong, what a basket costs, and the prices. */
const MAX_WAITING = 3;

/**
 * Works on drafts one after the other in a thread that ends when it has been idle, so that no draft holds the event loop or fills the
 * memory.
 */
export function openDraftThread(patienceMs = PATIENCE_MS): Drafts {
  const thread = new Piscina<DraftTaskOfThread, unknown>({
    ...IMPORTED,
    filename: new URL('../../workers/draft.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  let taken = 0;
  let last: Promise<unknown> = Promise.resolve();
  const run = async <Answer>(work: DraftWork, facts?: ExplainedFacts): Promise<Answer | DraftGivenUp> => {
    if (hasCodeChanged()) return givenUp(CODE_CHANGED);
    if (taken > MAX_WAITING) return givenUp('other drafts are being looked at');
    taken += 1;
    const signal = AbortSignal.timeout(patienceMs);
    // The queue is ours: a task in the library's own would wait for ever where the one before it took its thread along.
    const answer = last
      .then(() => runNow<Answer>(work, signal, facts))
      .finally(() => {
        taken -= 1;
      });
    last = answer.catch(() => undefined);
    return answer;
  };
  const runNow = async <Answer>(work: DraftWork, signal: AbortSignal, facts?: ExplainedFacts) => {
    const { port1: port, port2 } = new MessageChannel();
    const failed = Promise.withResolvers<never>();
    port.on('message', ({ kind, args }: DraftQuestion) => {
      const fact = kind === 'readMember' ? facts?.readMember(...args) : facts?.readCommon(...args);
      fact?.then((value) => port.postMessage(value), failed.reject);
    });
    const answer = thread.run({ work, port: port2 }, { transferList: [port2], signal }).catch((error: Error) => {
      if (signal.aborted) return givenUp(`the draft took longer than ${patienceMs / 1000} s`);
      return givenUp(`the draft could not be read: ${error.message}`);
    });
    try {
      return (await Promise.race([answer, failed.promise])) as Answer | DraftGivenUp;
    } finally {
      port.close();
    }
  };
  return {
    price: (task, facts) => run<DraftAnswer>({ kind: 'price', task }, facts),
    review: (task) => run<DraftReview>({ kind: 'review', task }),
    editPrices: (task) => run<PriceListAnswer>({ kind: 'prices', task }),
  };
}

function givenUp(reason: string): DraftGivenUp {
  return { kind: 'given_up', reason };
}
