import { flag, member, nothing, number, oneOf, optional, single, text } from '../codec.ts';
import { defineScript } from '../scripts.ts';

/**
 * The scripts of a calculation's index entry: `member - instant tail`. In a tombstone the member is `-` too. Earlier versions have the
 * fingerprint of the body in the place of the other `-`.
 */

export const claimIndexScript = defineScript({
  name: 'claim-index',
  keys: ['index', 'events?'],
  args: {
    member: text,
    /** Of the call; 0 for a tombstone. */
    leftMs: number,
    tail: text,
    retentionMs: number,
    /** The entry that the caller has read and found replaceable. */
    replaceable: optional(text),
    /** The instant of this node's clock after which the write is refused. */
    deadlineMs: optional(number),
    /** The longest that a call lasts. */
    longestMs: number,
    /** What a tombstone tells, or ''. */
    event: text,
  },
  reply: oneOf({
    /**
     * The entry is the caller's: it was missing, replaceable, or already the same member's (the commit decides which of one member's
     * bodies wins).
     */
    written: { tail: text },
    /** Another entry stays. */
    present: { entry: text, isPast: flag },
    /** The entry may be written, but it is too late. */
    too_late: {},
  }),
});

export const markClaimScript = defineScript({
  name: 'mark-claim',
  keys: ['index', 'events?'],
  args: {
    /** Of the entry. */
    member,
    /** The tombstone, and what it tells, or ''. */
    tail: text,
    event: text,
    retentionMs: number,
  },
  /** True when the entry is that member's and has a tombstone now; false when it is another member's or missing. */
  reply: single(flag),
});

export const eraseIndexScript = defineScript({
  name: 'erase-index',
  keys: ['index'],
  args: { member },
  /** False when the entry is another member's, and stays. */
  reply: single(flag),
});

export const leadIndexScript = defineScript({
  name: 'lead-index',
  keys: ['index'],
  args: { from: member, into: member },
  reply: nothing,
});

export const ageIndexScript = defineScript({
  name: 'age-index',
  keys: ['index'],
  args: {
    member,
    byMs: number,
    /** The least that is left of its time. */
    leastMs: number,
  },
  reply: nothing,
});
