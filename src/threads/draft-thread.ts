import type { MessagePort } from 'node:worker_threads';
import { type DraftAnswer, type DraftFacts, type DraftTask, priceDraft, type ReadDraftFacts } from '../calls/draft.ts';

/** Messages from the thread: the answer, or first the question for the member and its counters. */
export type DraftMessage =
  | DraftAnswer
  | { readonly kind: 'facts'; readonly programmeId: string; readonly uses: Parameters<ReadDraftFacts>[1] };

/** Prices one draft in a thread that has no connection to Redis: it asks the other side for what it needs of it. */
export async function answerDraft(port: MessagePort, task: DraftTask): Promise<void> {
  const ask: ReadDraftFacts = (programmeId, uses) => {
    const { promise, resolve } = Promise.withResolvers<DraftFacts>();
    port.once('message', resolve);
    port.postMessage({ kind: 'facts', programmeId, uses } satisfies DraftMessage);
    return promise;
  };
  port.postMessage((await priceDraft(task, ask)) satisfies DraftMessage);
}
