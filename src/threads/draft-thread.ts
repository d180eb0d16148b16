import type { MessagePort } from 'node:worker_threads';
import { type DraftTask, priceDraft } from '../calls/draft.ts';
import type { ExplainedFacts } from '../calls/dry-run.ts';
import { type ReviewTask, reviewDraft } from '../programme/draft-review.ts';
import { editPrices, type PriceListTask } from '../programme/price-list.ts';

/** The work of a thread. */
export type DraftWork =
  | { readonly kind: 'price'; readonly task: DraftTask }
  | { readonly kind: 'review'; readonly task: ReviewTask }
  | { readonly kind: 'prices'; readonly task: PriceListTask };

/** Messages from the thread: the answer, or first a question for the member, and one for the counters of its period. */
export type DraftMessage = { readonly kind: 'done'; readonly answer: unknown } | DraftQuestion;

export type DraftQuestion = {
  [Name in keyof ExplainedFacts]: { readonly kind: Name; readonly args: Parameters<ExplainedFacts[Name]> };
}[keyof ExplainedFacts];

/** Does one piece of work in a thread that has no connection to Redis: it asks the other side for what it needs of it. */
export async function answerDraft(port: MessagePort, work: DraftWork): Promise<void> {
  port.postMessage({ kind: 'done', answer: await answerOf(port, work) } satisfies DraftMessage);
}

function answerOf(port: MessagePort, work: DraftWork): unknown {
  if (work.kind === 'review') return reviewDraft(work.task);
  if (work.kind === 'prices') return editPrices(work.task);
  const ask = <Fact>(question: DraftQuestion): Promise<Fact> => {
    const { promise, resolve } = Promise.withResolvers<Fact>();
    port.once('message', resolve);
    port.postMessage(question);
    return promise;
  };
  return priceDraft(work.task, {
    readMember: (...args) => ask({ kind: 'readMember', args }),
    readCommon: (...args) => ask({ kind: 'readCommon', args }),
  });
}
