import {
  bytes,
  content,
  contents,
  flag,
  nothing,
  number,
  oneOf,
  optional,
  record,
  single,
  text,
  word,
  words,
} from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts that walk the keys of a calculation or a member, whatever these have (src/store/owned-keys.ts). */

export const readCalculationScript = defineScript({
  name: 'read-calculation',
  keys: ['hold', 'calculation', 'answer'],
  moreKeys: 'others',
  /** `kinds`: of calculation, answer and others. */
  args: { calculationId: text, kinds: words },
  /** `contents`: of calculation, answer and others; empty when neither record nor answer is there. */
  reply: record({ hold: optional(bytes), contents }),
});

export const adoptCalculationScript = defineScript({
  name: 'adopt-calculation',
  keys: ['hold', 'held', 'holdsDue', 'calculation', 'answer'],
  moreKeys: 'others',
  args: {
    calculationId: text,
    holdMs: number,
    hold: optional(bytes),
    /** Of calculation, answer and others: kind, lifetime, number of words, words. */
    contents: words,
  },
  /** Whether the calculation was written, and whether its hold was. */
  reply: record({ isWritten: flag, hasHold: flag }),
});

export const dropCalculationScript = defineScript({
  name: 'drop-calculation',
  keys: ['hold', 'held', 'holdsDue', 'calculation', 'answer'],
  moreKeys: 'others',
  args: { calculationId: text },
  reply: nothing,
});

export const ageCalculationScript = defineScript({
  name: 'age-calculation',
  keys: ['hold', 'holdsDue', 'calculation', 'answer'],
  moreKeys: 'others',
  args: {
    calculationId: text,
    byMs: number,
    /** The least that is left of an open one's record, in which the sweep finds that it has ended. */
    leastMs: number,
  },
  /** Whether hold and answer have ended by this; `leftMs`: until it has to be looked at for expiry. */
  reply: oneOf({
    aged: { holdEnded: flag, answerEnded: flag },
    open: { holdEnded: flag, answerEnded: flag, leftMs: number },
    gone: {},
  }),
});

const kind = word('hash', 'string', 'sorted set');

export const readContentScript = defineScript({
  name: 'read-content',
  keys: ['owned'],
  args: { kind },
  reply: single(content),
});

export const joinContentScript = defineScript({
  name: 'join-content',
  keys: ['owned'],
  args: { kind, lifetimeMs: number, words },
  reply: nothing,
});

export const ageContentScript = defineScript({
  name: 'age-content',
  keys: ['owned'],
  args: { byMs: number },
  reply: nothing,
});
