import {
  bytes,
  flag,
  member,
  nothing,
  number,
  numberFields,
  oneOf,
  optional,
  single,
  text,
  texts,
  word,
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
    // The calculation that it supersedes, of the same member.
    'superseded?',
    'index?',
    'examinations?',
  ],
  args: {
    calculationId: text,
    member,
    /** SHA-256 of the request's body, base64url. */
    fingerprint: text,
    /** Instant of Redis' clock after which the commit is refused. */
    deadlineMs: number,
    holdMs: number,
    idempotencyMs: number,
    retentionMs: number,
    /** The bytes from which the answer can be given again (calls/stored). */
    stored: bytes,
    /** Of the answer. */
    status: text,
    /** Minor units the guest pays by this answer; undefined when it has no totals. */
    total: optional(number),
    /** Why an answer left the basket unchanged. */
    reason: optional(text),
    venueId: text,
    /** The member's tier, and the shares of members that it is in, by which costs are counted. */
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
    /** The ID of the calculation that it supersedes. Without its key it is released by the caller. */
    superseded: optional(text),
    /** What came before this call: the outcome of a sale event, or a successor's calculationId. */
    saleBefore: optional(text),
    successorBefore: optional(text),
    /** The ID is claimed, and noted for expiry. Otherwise this script does it, unless the index entry is another one than was read. */
    isClaimed: flag,
    entryRead: optional(text),
    /** From now: when the calculation is looked at for expiry, and when its call is over. */
    lookMs: number,
    callOverMs: number,
  },
  reply: oneOf({
    committed: {
      holdsMade: number,
      holdsReleased: number,
      /** What is left of the release of the superseded calculation: all of it, or that counters of all members get `givenBack`. */
      releaseDue: word('', 'all', 'counters'),
      /** Its uses of limits over all members. */
      givenBack: text,
      /** Its own uses of such limits hold. */
      holdsCommon: flag,
    },
    /** `release`: the superseded calculation that is still to be released, or ''. */
    replay: { stored: bytes, release: text },
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
  keys: ['calculation', 'hold', 'use', 'held', 'holdsDue'],
  args: {
    calculationId: text,
    /** The calculationId and the venue of its successor. */
    successorId: text,
    venueId: text,
    retentionMs: number,
  },
  reply: oneOf({
    released: {
      holdsReleased: number,
      isCommitted: flag,
      /** Its uses of limits over all members that are still to be given back, or ''. */
      common: text,
    },
    /** The member was merged into this one, and the calculation may not have moved yet. */
    moved: { into: member },
  }),
});

export const expireScript = defineScript({
  name: 'expire-calculation',
  keys: ['calculation', 'hold', 'use', 'held', 'holdsDue', 'events?'],
  args: {
    calculationId: text,
    /** How long its event is left to the caller that was given it. */
    appendedMs: number,
    event: text,
    retentionMs: number,
    /** When the calculation was answered, as the event was made from it. Without it the script only looks, and writes nothing. */
    answeredRead: optional(number),
  },
  /** `isDue`: steps of it are left (completion.ts). */
  reply: oneOf({
    /** It is to be ended, or its event to be appended: read it, and call again. */
    read_first: {},
    /** Now, or before by a caller that has not appended the event in its time. */
    expired: { hadHold: flag, isTold: flag, isDue: flag },
    /** What is left of the hold time, or of the time in which another caller appends the event. */
    not_due: { leftMs: number, isDue: flag },
    /** There is no such calculation in this slot: it was never committed, or has moved to another member. */
    gone: {},
    /** The member was merged into this one, and the calculation has not left this slot yet. */
    moved: { into: member },
    /** Sold, superseded, or expired before. */
    ended: { isDue: flag },
  }),
});

export const noteExaminationScript = defineScript({
  name: 'note-examination',
  keys: ['examinations'],
  args: {
    lookMs: number,
    /** From now: when their calls are over; without it only those are moved that are noted already. */
    callOverMs: optional(number),
    calculationIds: words,
  },
  reply: nothing,
});

export const listExaminationsScript = defineScript({
  name: 'list-examinations',
  keys: ['examinations'],
  args: { most: number },
  reply: single(texts),
});

export const forgetExaminationScript = defineScript({
  name: 'forget-examination',
  keys: ['examinations'],
  args: { calculationId: text },
  reply: nothing,
});
