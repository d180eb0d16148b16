import type { EventOf, EventResult } from '@loyalty/contract/events';
import { readGiven } from './given.ts';

/** An event as it is read: one of an older version lacks what that did not tell. */
export type ReadEvent = Partial<Omit<EventOf<'recorded'>, 'result' | 'version' | 'lines'>> &
  Partial<Pick<EventOf<'returned'>, 'returnId' | 'refund'>> & { readonly result: EventResult };

/** Reads the words of an entry of the stream, also of one that an older version has written. */
export function readEvent(words: readonly string[]): ReadEvent {
  return words[0] === 'event' ? (JSON.parse(words[1] ?? '') as ReadEvent) : readOldEvent(words);
}

/** When an event was booked, ms since 1970. One of an older version says only when it was appended. */
export function bookedMsOf({ at }: ReadEvent, appendedMs: number): number {
  return at === undefined ? appendedMs : Date.parse(at);
}

/** The texts of an entry as it was before an event was a JSON object: every fact was a field of its own. */
const TEXTS = [
  ...(['calculationId', 'result', 'status', 'transactionId', 'failureReason', 'answered', 'reason'] as const),
  ...(['venueId', 'programmeId', 'member', 'currency', 'returnId'] as const),
];

function readOldEvent(words: readonly string[]): ReadEvent {
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) fields.set(words[at]!, words[at + 1]!);
  const told = TEXTS.filter((name) => (fields.get(name) ?? '') !== '').map((name) => [name, fields.get(name)]);
  const [benefits, refund] = [fields.get('benefits'), fields.get('refund')];
  return {
    ...Object.fromEntries(told),
    benefits: benefits ? (readGiven(`- - ${benefits}`)?.benefits ?? []) : [],
    late: fields.get('late') === '1',
    ...(refund !== undefined && { refund: Number(refund) }),
  } as ReadEvent;
}
