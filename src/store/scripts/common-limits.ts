import { flag, member, nothing, number, oneOf, optional, record, single, text, texts, word, words } from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts of a limit over all members, each in the slot of its counter, and what a calculation's record notes of them. */

export const readCommonScript = defineScript({
  name: 'read-common',
  keys: ['use', 'hold', 'held', 'holdsDue', 'unconfirmed'],
  args: {
    usageKey: text,
    /** Calculations whose own holds do not stand in the way of the caller. */
    wanted: words,
  },
  reply: record({
    consumed: number,
    /** Units past the limit. */
    overRedeemed: number,
    /** Units held by others, and by the wanted calculations. */
    held: number,
    own: number,
    /** `member calculationId` of a few holds whose calls are over and whose commits nobody has confirmed. */
    overdue: texts,
    /** When the first unit was consumed. */
    sinceMs: optional(number),
  }),
});

export const holdCommonScript = defineScript({
  name: 'hold-common',
  keys: ['use', 'hold', 'held', 'holdsDue', 'unconfirmed', 'settled'],
  args: {
    calculationId: text,
    member,
    usageKey: text,
    units: number,
    limit: number,
    /** The calculation whose hold goes over to this one with the commit. */
    supersedes: optional(text),
    /** From now, until the call is over. */
    callOverMs: number,
    /** How long the hold lasts after that. */
    holdMs: number,
  },
  /** `left`: units without those of the calculation that is superseded. */
  reply: oneOf({
    held: {},
    /** Held; all of the units are there only if the commit ends that other calculation. */
    lent: { left: number },
    /** `overdue`: `member calculationId` of unconfirmed holds whose calls are over. */
    short: { left: number, overdue: texts },
  }),
});

export const confirmCommonScript = defineScript({
  name: 'confirm-common',
  keys: ['hold', 'held', 'holdsDue', 'unconfirmed'],
  /** `use`: `usageKey=units/limit`. */
  args: { calculationId: text, member, use: text },
  reply: nothing,
});

export const endCommonScript = defineScript({
  name: 'end-common',
  keys: ['use', 'hold', 'held', 'holdsDue', 'unconfirmed', 'settled'],
  args: {
    calculationId: text,
    member,
    /** `usageKey=units/limit` */
    use: text,
    /** `consume` by a sale, `release`, or `lapse`: release it if its call is over and nobody has confirmed it. */
    ending: word('consume', 'release', 'lapse'),
    /** How long a hold lasts after its call. */
    holdMs: number,
    retentionMs: number,
  },
  /** Units past the limit. */
  reply: single(number),
});

export const forgetCommonScript = defineScript({
  name: 'forget-common',
  keys: ['settled'],
  /** `knownMs`: for how long a step that is still on its way is known as a repetition. */
  args: { calculationId: text, knownMs: number },
  reply: nothing,
});

export const giveBackCommonScript = defineScript({
  name: 'give-back-common',
  keys: ['use', 'settled'],
  /** `step`: what is done once, such as the calculationId and the returnId. */
  args: { step: text, usageKey: text, units: number, retentionMs: number },
  reply: nothing,
});

export const finishCommonScript = defineScript({
  name: 'finish-common',
  keys: ['calculation'],
  /** The one that is done. */
  args: { ending: word('consume', 'release', 'give_back') },
  /** True when this call has noted it. */
  reply: single(flag),
});

export const noteOverScript = defineScript({
  name: 'note-over',
  keys: ['calculation'],
  args: { overRedeemed: number },
  reply: nothing,
});
