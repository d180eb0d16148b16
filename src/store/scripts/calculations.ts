import {
  bytes,
  flag,
  member,
  nothing,
  number,
  numberFields,
  oneOf,
  optional,
  record,
  single,
  text,
  texts,
  words,
} from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts of a calculation. */

export const commitScript = defineScript({
  name: 'commit-calculation',
  keys: [
    'calculation',
    'answer',
    'hold',
    'use',
    'held',
    'holdsDue',
    // The calculation of the same member that it supersedes, or a key that nothing has.
    'superseded',
    // Both are of the calculation; on a cluster keys that nothing has.
    'index',
    'due',
  ],
  args: {
    calculationId: text,
    member,
    fingerprint: text,
    /** Of the call. */
    deadlineMs: number,
    holdMs: number,
    idempotencyMs: number,
    retentionMs: number,
    /** The answer as it is stored. */
    storedForm: bytes,
    /** Of the answer. */
    status: text,
    total: optional(number),
    /** Of an unchanged answer. */
    reason: optional(text),
    venueId: text,
    /** Of the member: its tier, and the shares that it is in. */
    tier: optional(text),
    share: optional(text),
    /** What is kept of the basket (calls/stored/kept-basket.ts). */
    kept: optional(bytes),
    /** What benefits give, a field each (given.ts). */
    given: words,
    /** `usageKey=units/limit …` */
    uses: text,
    /** Uses of limits over all members, which hold them already: `counter/usageKey=units/limit …` */
    common: text,
    /** True when these units are there only if this commit ends the superseded calculation. */
    isLent: flag,
    /** The superseded calculation: of the same member, or one that is still to be released elsewhere. */
    supersededHere: text,
    supersededElsewhere: text,
    /** What came before this call: the outcome of a sale event, or a successor's calculationId. */
    saleBefore: text,
    successorBefore: text,
    /** The index entry as it was read, '' where there was none, or 'claimed' where the ID is claimed already. */
    entryRead: text,
    /** From now: when the calculation is looked at for expiry, and when its call is over. */
    lookMs: number,
    callOverMs: number,
  },
  reply: oneOf({
    committed: {
      holdsMade: number,
      holdsReleased: number,
      /** The calculationId that is still to be released, or ''. */
      pendingRelease: text,
      /** Uses of limits over all members that a superseded calculation of the same member has to give back, or ''. */
      givenBack: text,
      /** Its own uses of such limits hold. */
      holdsCommon: flag,
    },
    replay: { stored: bytes, pendingRelease: text },
    conflict: {},
    too_late: {},
    /** The index entry is another one, or the member was merged: both must be read again. */
    changed: {},
    /** The superseded calculation does not end by this commit. */
    not_lent: {},
    shortage: { left: numberFields },
  }),
});

export const releaseSupersededScript = defineScript({
  name: 'release-superseded',
  keys: ['calculation', 'hold', 'held', 'holdsDue'],
  args: {
    calculationId: text,
    /** The calculationId and the venue of its successor. */
    successorId: text,
    venueId: text,
    retentionMs: number,
  },
  reply: record({
    holdsReleased: number,
    isCommitted: flag,
    /** Its uses of limits over all members that are still to be given back, or ''. */
    common: text,
  }),
});

export const expireScript = defineScript({
  name: 'expire-calculation',
  /** `events`: of the calculation; on a cluster a key that nothing has. */
  keys: ['calculation', 'hold', 'held', 'holdsDue', 'events'],
  args: {
    calculationId: text,
    /** How long its event is left to the caller that was given it. */
    appendedMs: number,
    /** '' where the caller appends it. */
    event: text,
    retentionMs: number,
    /** When the calculation was answered, as the event was made from it. Without it the script only looks, and writes nothing. */
    answeredRead: optional(number),
  },
  /** `isDue`: steps of it are left (completion.ts). */
  reply: oneOf({
    /** It is to be ended, or its event to be appended: read it, and call again. */
    due: {},
    /** Now, or before by a caller that has not appended the event in its time. */
    expired: { hadHold: flag, isTold: flag, isDue: flag },
    /** What is left of the hold time, or of the time in which another caller appends the event. */
    not_due: { leftMs: number, isDue: flag },
    /** There is no such calculation in this slot: it was never committed, or has moved to another member. */
    gone: {},
    /** Sold, superseded, or expired before. */
    ended: { isDue: flag },
  }),
});

export const noteDueScript = defineScript({
  name: 'note-due',
  keys: ['due'],
  args: {
    lookMs: number,
    /** From now: when their calls are over; without it only those are moved that are noted already. */
    callOverMs: optional(number),
    calculationIds: words,
  },
  reply: nothing,
});

export const listDueScript = defineScript({
  name: 'list-due',
  keys: ['due'],
  args: { most: number },
  reply: single(texts),
});

export const forgetDueScript = defineScript({
  name: 'forget-due',
  keys: ['due'],
  args: { calculationId: text },
  reply: nothing,
});
