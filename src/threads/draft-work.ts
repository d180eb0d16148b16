import type { MessagePort } from 'node:worker_threads';
import { type DraftTask, priceDraft } from '../administration/draft.ts';
import type { ExplainedFacts } from '../administration/dry-run.ts';
import { type ReviewTask, reviewDraft } from '../programme/draft-review.ts';
import { editPrices, type PriceListTask } from '../programme/price-list.ts';

export type DraftWork =
  | { readonly kind: 'price'; readonly task: DraftTask }
  | { readonly kind: 'review'; readonly task: ReviewTask }
  | { readonly kind: 'prices'; readonly task: PriceListTask };

/** Work on a draft, and the port by which the thread asks for what Redis has of the member: it has no connection. */
export interface DraftTaskOfThread {
  readonly work: DraftWork;
  readonly port: MessagePort;
}

export type DraftQuestion = {
  [Name in keyof ExplainedFacts]: { readonly kind: Name; readonly args: Parameters<ExplainedFacts[Name]> };
}[keyof ExplainedFacts];

/** Does the work in this thread. */
export function workOnDraft({ work, port }: DraftTaskOfThread): unknown {
  if (work.kind === 'review') return reviewDraft(work.task);
  if (work.kind === 'prices') return editPrices(work.task);
  const ask = <Fact>(question: DraftQuestion): Promise<Fact> => {
    const { promise, resolve, reject } = Promise.withResolvers<Fact>();
    port.once('message', resolve);
    // It is closed where the fact cannot be read: the draft ends then, and the next one has the thread.
    port.once('close', () => reject(new Error('a fact could not be read')));
    port.postMessage(question);
    return promise;
  };
  return priceDraft(work.task, {
    readMember: (...args) => ask({ kind: 'readMember', args }),
    readCommon: (...args) => ask({ kind: 'readCommon', args }),
  });
}
