import type { MessagePort } from 'node:worker_threads';
import { type DraftFacts, type DraftTask, priceDraft, type ReadDraftFacts } from '../calls/draft.ts';
import { type ReviewTask, reviewDraft } from '../programme/draft-review.ts';
import { editPrices, type PriceListTask } from '../programme/price-list.ts';

/** The work of a thread. */
export type DraftWork =
  | { readonly kind: 'price'; readonly task: DraftTask }
  | { readonly kind: 'review'; readonly task: ReviewTask }
  | { readonly kind: 'prices'; readonly task: PriceListTask };

/** Messages from the thread: the answer, or first the question for the member and its counters. */
export type DraftMessage =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'facts'; readonly programmeId: string; readonly uses: Parameters<ReadDraftFacts>[1] };

/** Does one piece of work in a thread that has no connection to Redis: it asks the other side for what it needs of it. */
export async function answerDraft(port: MessagePort, work: DraftWork): Promise<void> {
  port.postMessage({ kind: 'done', answer: await answerOf(port, work) } satisfies DraftMessage);
}

function answerOf(port: MessagePort, work: DraftWork): unknown {
  if (work.kind === 'review') return reviewDraft(work.task);
  if (work.kind === 'prices') return editPrices(work.task);
  const ask: ReadDraftFacts = (programmeId, uses) => {
    const { promise, resolve } = Promise.withResolvers<DraftFacts>();
    port.once('message', resolve);
    port.postMessage({ kind: 'facts', programmeId, uses } satisfies DraftMessage);
    return promise;
  };
  return priceDraft(work.task, ask);
}
