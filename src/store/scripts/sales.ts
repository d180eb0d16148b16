import { flag, member, nothing, number, oneOf, optional, text, word, words } from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts of a sale and of its returns. */

const SETTLED = {
  isLate: flag,
  /** Units past the limits. */
  overRedeemed: number,
  /** `event` when the event is still to be appended and the sale to be counted, `count` when the event is there. */
  due: word('event', 'count', ''),
  /** The calculation has no answer, so it may be priced anew, for another member too. */
  isClaimable: flag,
  /** How its uses of limits over all members are still to end. */
  ending: word('consume', 'release', 'give_back', ''),
  /** 0 where that is not kept. */
  bookedAtMs: number,
} as const;

/** The member was merged into this one, which may not have got so many counters yet: move the calculation there first. */
const MOVED = { into: member, counters: number } as const;

export const settleScript = defineScript({
  name: 'settle-sale',
  /** `events`: of the calculation; on a cluster a key that nothing has. */
  keys: ['calculation', 'hold', 'use', 'answer', 'held', 'holdsDue', 'vouchers', 'events'],
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
    /** Of this outcome; '' where the caller appends it. */
    event: text,
    /** When the calculation was answered, and the outcome that it was sold with, as it was read and the event was made from it. */
    answeredRead: optional(number),
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

export const tellSaleScript = defineScript({
  name: 'tell-sale',
  keys: ['calculation', 'events'],
  /** `soldAtMs`: when it was booked; without it, now. */
  args: { event: text, retentionMs: number, soldAtMs: optional(number) },
  reply: nothing,
});

export const resolveConflictScript = defineScript({
  name: 'resolve-conflict',
  keys: ['calculation', 'returns', 'hold', 'use', 'held', 'holdsDue', 'vouchers'],
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
    due: {},
    moved: MOVED,
  }),
});

export const bookReturnScript = defineScript({
  name: 'book-return',
  /** `events`: of the calculation; on a cluster a key that nothing has. */
  keys: ['calculation', 'returns', 'use', 'vouchers', 'events'],
  args: {
    returnId: text,
    /** The return as text. */
    booked: text,
    /** The number of returns that it was computed with. */
    count: number,
    /** '' where the caller appends it. */
    event: text,
    retentionMs: number,
    /** Usage key, units to give back, … */
    givenBack: words,
  },
  reply: oneOf({
    /** `isCounted`: its costs are to be counted; `isTold`: its event is appended. */
    booked: { isCounted: flag, isTold: flag, atMs: number },
    /** The return that stands under the ID; `isDue`: a part of it may still be to do. */
    known: { booked: text, isDue: flag, isCounted: flag, isTold: flag },
    /** Other returns were booked meanwhile: compute it again. */
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
