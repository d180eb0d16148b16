import { flag, member, number, single, text, word, words } from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts of a merge of members; those that move a calculation are in owned-keys.ts. `intoId`: a loyalty ID as JSON. */

export const leadMemberScript = defineScript({
  name: 'lead-member',
  keys: ['member'],
  args: { intoId: text },
  reply: single(word('marked', 'marked_before', 'missing')),
});

export const closeCountersScript = defineScript({
  name: 'close-counters',
  keys: ['member', 'use'],
  args: { intoId: text, into: member },
  /** False when the member is not led on there. */
  reply: single(flag),
});

export const reopenCountersScript = defineScript({
  name: 'reopen-counters',
  keys: ['member', 'use'],
  args: { intoId: text },
  /** False when the member is not led on there. */
  reply: single(flag),
});

export const adoptHoldsScript = defineScript({
  name: 'adopt-holds',
  keys: ['hold', 'held', 'holdsDue'],
  /** `holds`: calculationId, its hold, … */
  args: { holdMs: number, holds: words },
  /** How many were written. */
  reply: single(number),
});

export const adoptMemberScript = defineScript({
  name: 'adopt-member',
  /** `events`: of the merged member. */
  keys: ['member', 'use', 'merged', 'vouchers', 'grantsDue?', 'events?'],
  args: {
    /** The merged member, and its loyalty ID as JSON. */
    from: member,
    loyaltyId: text,
    /** How long its counters are kept: -1 for without end, 0 for none. */
    lifetimeMs: number,
    /** The counted grants of the merged member as JSON, or ''. */
    grants: text,
    event: text,
    retentionMs: number,
    /** The member as it was read, and the one to write: field, value, … */
    read: words,
    written: words,
    /** When the grants of both end (grants.include.lua): name, instant, … */
    due: words,
    /** The book of the merged member's grants (vouchers.include.lua): name, words, … */
    booked: words,
    /** Usage key, units, … */
    counters: words,
  },
  /** `changed`: another member is stored. */
  reply: single(word('adopted', 'adopted_before', 'changed')),
});

export const endMergedScript = defineScript({
  name: 'end-merged',
  keys: ['member'],
  args: {},
  /** False when the member is not led on to anybody: it was erased meanwhile. */
  reply: single(flag),
});
