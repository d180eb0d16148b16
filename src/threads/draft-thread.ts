import type { MessagePort } from 'node:worker_threads';
import { type DraftAnswer, type DraftTask, priceDraft } from '../calls/draft.ts';
import type { MemberSnapshot } from '../store/members.ts';

/** Messages from the thread: the answer, or first the question for the member. */
export type DraftMessage = DraftAnswer | { readonly kind: 'member'; readonly programmeId: string };

/** Prices one draft in a thread that has no connection to Redis: it asks the other side for the member. */
export async function answerDraft(port: MessagePort, task: DraftTask): Promise<void> {
  const ask = (programmeId: string): Promise<MemberSnapshot> => {
    const { promise, resolve } = Promise.withResolvers<MemberSnapshot>();
    port.once('message', resolve);
    port.postMessage({ kind: 'member', programmeId } satisfies DraftMessage);
    return promise;
  };
  port.postMessage((await priceDraft(task, ask)) satisfies DraftMessage);
}
