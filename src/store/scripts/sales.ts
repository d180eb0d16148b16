import { flag, member, nothing, number, oneOf, optional, single, text, word, words } from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts of a sale and of its returns. */

const SETTLED = {
  isLate: flag,
  /** Units past the limits. */
  overRedeemed: number,
  /** `event` when the event is still to be appended and the sale to be counted, `count` when the event is there. */
  eventDue: word('event', 'count', ''),
  /** The calculation has no answer, so it may be priced anew, for another member too. */
  isClaimable: flag,
  /** How its uses of limits over all members are still to end. */
  commonDue: word('consume', 'release', 'give_back', ''),
  /** 0 where that is not kept. */
  bookedAtMs: number,
} as const;

/** The member was merged into this one, which may not have got so many counters yet: move the calculation there first. */
const MOVED = { into: member, counters: number } as const;

export const settleScript = defineScript({
  name: 'settle-sale',
  keys: ['calculation', 'hold', 'use', 'answer', 'held', 'holdsDue', 'vouchers', 'events?'],
  /** Keys of the calculation that are kept as its record is (owned-keys.ts). */
  moreKeys: 'others',
  args: {
    calculationId: text,
    /** The event's own fields as one text. */
    outcome: text,
    /** The sale consumes the held units. */
    consumes: flag,
    /** The instant of this node's clock after which the sale is refused. */
    deadlineMs: number,
    retentionMs: number,
    /** How long the calculation is kept now, for returns. */
    keptMs: number,
    /** Of this outcome; '' where nobody knows the calculation. */
    event: text,
    /** The calculation as it was read, and the event was made from it: when it was answered, its state, and the outcome that it was sold with. */
    answeredRead: optional(number),
    stateRead: optional(text),
    saleRead: optional(text),
  },
  reply: oneOf({
    recorded: SETTLED,
    duplicate: SETTLED,
    /** The first outcome stands. `isNew`: this is the first event that says otherwise, whose outcome is kept for a person to decide. */
    conflict: { isTold: flag, isNew: flag, bookedAtMs: number },
    /** The calculation is not as it was read: read it again. */
    changed: {},
    too_late: {},
    moved: { into: member },
    /** A tombstone stands: a later commit of the calculation takes no hold. */
    unknown: {},
  }),
});

export const tellOnceScript = defineScript({
  name: 'tell-once',
  keys: ['calculation', 'use', 'events'],
  /** `atMs`: when it was booked; without it, now. */
  args: { mark: word('event', 'decisionDue'), event: text, retentionMs: number, atMs: optional(number) },
  /** False where the member was merged: whoever finds the calculation in its new slot tells it. */
  reply: single(flag),
});

export const clearEventScript = defineScript({
  name: 'clear-event',
  keys: ['calculation', 'use'],
  /** Who asks; '' of the call that has booked the sale. */
  args: { claimant: text },
  /** True for the one caller that counts the sale. */
  reply: single(flag),
});

export const resolveConflictScript = defineScript({
  name: 'resolve-conflict',
  keys: ['calculation', 'returns', 'hold', 'use', 'held', 'holdsDue', 'vouchers', 'events?'],
  /** Keys of the calculation that are kept as its record is (owned-keys.ts). */
  moreKeys: 'others',
  args: {
    outcome: word('first', 'second'),
    /** Who decides. */
    who: text,
    reason: text,
    retentionMs: number,
    /** How long the calculation is kept now at least. */
    keptMs: number,
    /** Of the decision, and the second outcome as it was read, which it was made from. */
    event: text,
    secondRead: optional(text),
  },
  reply: oneOf({
    resolved: {},
    /** It was decided before. */
    known: { decided: word('first', 'second') },
    /** There are no two outcomes of an answered calculation. */
    none: {},
    /** Goods of the first outcome came back. */
    returned: {},
    /** Counters of all members have not heard of the first outcome yet: tell them first. */
    common_due: {},
    /** The calculation is not as it was read: read it again. */
    changed: {},
    moved: MOVED,
  }),
});

export const bookReturnScript = defineScript({
  name: 'book-return',
  keys: ['calculation', 'returns', 'use', 'vouchers', 'events?'],
  args: {
    returnId: text,
    /** The return as text. */
    booked: text,
    /** What it was computed with: the number of returns, and the outcome of the sale. */
    count: number,
    saleRead: optional(text),
    event: text,
    retentionMs: number,
    /** Usage key, units to give back, … */
    givenBack: words,
  },
  reply: oneOf({
    /** What is still to do: its costs to be counted, its event to be appended. */
    booked: { owesCosts: flag, owesEvent: flag, atMs: number },
    /** The return that stands under the ID; `isDue`: what follows it may not all be done. */
    known: { booked: text, isDue: flag, owesCosts: flag, owesEvent: flag },
    /** Other returns were booked meanwhile, or a person decided for the other outcome: read all again. */
    changed: {},
    moved: MOVED,
    /** Nothing is kept of the sale. */
    gone: {},
  }),
});

export const noteReceiptScript = defineScript({
  name: 'note-receipt',
  keys: ['receipt'],
  args: { calculationId: text, keptMs: number },
  reply: nothing,
});
