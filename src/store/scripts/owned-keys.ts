import type { ScriptReply } from '../../redis/scripts.ts';
import {
  bytes,
  defineScript,
  flag,
  list,
  number,
  oneOf,
  optional,
  type Part,
  rest,
  single,
  text,
  word,
} from '../codec.ts';

/** The scripts that walk the keys of a calculation or a member, whatever these have (src/store/owned-keys.ts). */

/** What a key has: its lifetime as PTTL says it, and its words. */
export interface Content {
  readonly lifetimeMs: number;
  readonly words: readonly Buffer[];
}

function contents<Name extends string>(name: Name): Part<Name, readonly Content[]> {
  return {
    name,
    read: (replies, at) =>
      (replies.slice(at) as [number, Buffer[]][]).map(([lifetimeMs, words]) => ({ lifetimeMs, words })),
  };
}

function words<Name extends string>(name: Name): Part<Name, readonly Buffer[]> {
  return { name, read: (replies, at) => replies[at] as ScriptReply[] as Buffer[] };
}

export const readCalculationScript = defineScript({
  name: 'read-calculation',
  keys: ['hold', 'calculation', 'answer'],
  moreKeys: 'others',
  args: [text('calculationId'), rest('kinds')],
  reply: list(optional(bytes('hold')), contents('contents')),
});

export const adoptCalculationScript = defineScript({
  name: 'adopt-calculation',
  keys: ['hold', 'held', 'holdsDue', 'calculation', 'answer'],
  moreKeys: 'others',
  args: [text('calculationId'), number('holdMs'), optional(bytes('hold')), rest('contents')],
  reply: list(flag('isWritten'), flag('hasHold')),
});

export const dropCalculationScript = defineScript({
  name: 'drop-calculation',
  keys: ['hold', 'held', 'holdsDue', 'calculation', 'answer'],
  moreKeys: 'others',
  args: [text('calculationId')],
  reply: single(number('removed')),
});

export const ageCalculationScript = defineScript({
  name: 'age-calculation',
  keys: ['hold', 'held', 'holdsDue', 'calculation', 'answer'],
  moreKeys: 'others',
  args: [text('calculationId'), number('byMs'), number('leastMs')],
  reply: oneOf({
    aged: [number('holdEnded'), number('answerEnded')],
    open: [number('holdEnded'), number('answerEnded'), number('leftMs')],
    gone: [],
  }),
});

const kind = word('kind', 'hash', 'string', 'sorted set');

export const readContentScript = defineScript({
  name: 'read-content',
  keys: ['owned'],
  args: [kind],
  reply: list(number('lifetimeMs'), words('words')),
});

export const joinContentScript = defineScript({
  name: 'join-content',
  keys: ['owned'],
  args: [kind, number('lifetimeMs'), rest('words')],
  reply: single(number('written')),
});

export const ageContentScript = defineScript({
  name: 'age-content',
  keys: ['owned'],
  args: [number('byMs')],
  reply: single(number('leftMs')),
});
