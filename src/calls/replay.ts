import { refuse } from '@loyalty/contract/errors';
import type { CallContext, CallFacts, Outcome } from './call.ts';
import { refusalOf } from './result.ts';
import { isHeavyReplay, replayAnswer } from './stored/stored-answer.ts';

/** Gives a stored answer to its request again, byte for byte, or 500 where the stored bytes do not make it. */
export async function replay(
  { threads }: CallContext,
  stored: Buffer,
  request: Uint8Array<ArrayBuffer>,
  facts: CallFacts,
): Promise<Outcome> {
  const replayed = isHeavyReplay(stored, request)
    ? await threads.replay(stored, request)
    : replayAnswer(stored, request);
  if ('fault' in replayed) {
    facts.unreplayable = true;
    return refusalOf(refuse('internal_error'), replayed.fault);
  }
  facts.isReplayed = true;
  return { kind: 'answer', body: replayed.answer, isReplayed: true };
}
