import { refuse } from '@loyalty/contract/errors';
import type { CallContext, Outcome } from './call.ts';
import type { ReplayFacts } from './call-facts.ts';
import { refusalOf } from './result.ts';
import { isHeavyReplay, replayAnswer } from './stored/stored-answer.ts';

/** Gives a stored answer to its request again, byte for byte, or 500 where the stored bytes do not make it. `told`: its venue and its status. */
export async function replay(
  { threads }: CallContext,
  stored: Buffer,
  request: Uint8Array<ArrayBuffer>,
  told: Omit<ReplayFacts, 'isReplayed'>,
): Promise<Outcome> {
  const replayed = isHeavyReplay(stored, request)
    ? await threads.replay(stored, request)
    : replayAnswer(stored, request);
  if ('fault' in replayed) {
    return { ...refusalOf(refuse('internal_error'), replayed.fault), facts: { unreplayable: true } };
  }
  const facts: ReplayFacts = { isReplayed: true, venueId: told.venueId, status: told.status };
  return { kind: 'answer', body: replayed.answer, isReplayed: true, facts };
}
