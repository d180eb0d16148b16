import {
  fields,
  flag,
  nothing,
  number,
  numbers,
  oneOf,
  optional,
  record,
  single,
  text,
  texts,
  words,
} from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts of a member. */

export const readMemberScript = defineScript({
  name: 'read-member',
  keys: ['member', 'use', 'hold', 'held', 'holdsDue'],
  args: {
    /** True when the programme has limited or granted benefits. */
    withUses: flag,
    /** Calculations whose holds are wanted by themselves. */
    wanted: words,
  },
  reply: record({
    nowMs: number,
    /** The member. */
    fields,
    /** Its consumption, its holds, and their sums. */
    uses: fields,
    holds: fields,
    held: fields,
    /** The holds are many: only the wanted ones are there, and the sums of all. */
    isSummed: flag,
    /** The counters are too many: consumption and sums are left out. */
    isPartial: flag,
  }),
});

export const readCountersScript = defineScript({
  name: 'read-counters',
  keys: ['use', 'hold', 'held', 'holdsDue'],
  /** At most 4,000. */
  args: { usageKeys: words },
  reply: record({ consumed: numbers, held: numbers }),
});

export const giveBackScript = defineScript({
  name: 'give-back',
  keys: ['use', 'vouchers'],
  args: { usageKey: text, units: number },
  reply: oneOf({
    /** The units consumed after it. */
    given_back: { consumed: number },
    /** Fewer are consumed. */
    too_many: { consumed: number },
    merged: {},
  }),
});

export const replaceMemberScript = defineScript({
  name: 'replace-member',
  keys: ['member', 'use', 'vouchers', 'grantsDue?', 'events?'],
  args: {
    retentionMs: number,
    /** The member as it was read, and the new one: field, value, … */
    read: words,
    written: words,
    /** When its grants end (grants.include.lua): name, instant, … */
    due: words,
    /** What became of its grants: event, counter, name, end, … */
    told: words,
  },
  /** False when another one is stored, or one that is merged. */
  reply: single(flag),
});

export const eraseMemberScript = defineScript({
  name: 'erase-member',
  keys: ['member', 'erasing', 'grantsDue?', 'events?'],
  args: {
    event: text,
    retentionMs: number,
    /** Of its grants in `grantsDue`. */
    names: words,
  },
  /** `isUntold`: the caller appends the event. */
  reply: record({ wasStored: flag, isUntold: flag }),
});

export const tellErasureScript = defineScript({
  name: 'tell-erasure',
  keys: ['erasing', 'events?'],
  /** Keys of calculations that the caller has found. */
  moreKeys: 'others',
  args: { event: text, retentionMs: number },
  /** True when the caller appends the event. */
  reply: single(flag),
});

export const endErasedScript = defineScript({
  name: 'end-erased',
  keys: ['calculation'],
  args: {},
  reply: nothing,
});

export const listGrantsDueScript = defineScript({
  name: 'list-grants-due',
  keys: ['grantsDue'],
  args: { most: number },
  /** Name, instant, … */
  reply: single(texts),
});

export const endGrantScript = defineScript({
  name: 'end-grant',
  keys: ['grantsDue', 'events?'],
  args: {
    /** `member grantId`, and its end, as they were found. */
    name: text,
    endsMs: text,
    /** When it ends instead. */
    laterMs: optional(number),
    /** Or ''. */
    event: text,
    retentionMs: number,
  },
  /** False when it was changed. */
  reply: single(flag),
});

export const moveClockScript = defineScript({
  name: 'move-clock',
  keys: ['member'],
  args: {
    /** By which its clock is ahead, below 0 when it is behind; 0 sets it right. */
    movedMs: number,
    /** After which it is right again. */
    lastsMs: number,
  },
  reply: nothing,
});
