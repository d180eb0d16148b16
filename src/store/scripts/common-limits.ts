import {
  defineScript,
  flag,
  list,
  member,
  nothing,
  number,
  oneOf,
  optional,
  rest,
  single,
  text,
  texts,
  word,
} from '../codec.ts';

/** The scripts of a limit over all members, each in the slot of its counter, and what a calculation's record notes of them. */

export const readCommonScript = defineScript({
  name: 'read-common',
  keys: ['use', 'hold', 'held', 'holdsDue', 'unconfirmed'],
  args: [text('usageKey'), rest('wanted')],
  reply: list(
    number('consumed'),
    number('overRedeemed'),
    number('held'),
    number('own'),
    texts('overdue'),
    optional(number('sinceMs')),
  ),
});

export const holdCommonScript = defineScript({
  name: 'hold-common',
  keys: ['use', 'hold', 'held', 'holdsDue', 'unconfirmed', 'settled'],
  args: [
    text('calculationId'),
    member('member'),
    text('usageKey'),
    number('units'),
    number('limit'),
    optional(text('supersedes')),
    number('callOverMs'),
    number('holdMs'),
  ],
  reply: oneOf({ held: [], lent: [number('left')], short: [number('left'), texts('overdue')] }),
});

export const confirmCommonScript = defineScript({
  name: 'confirm-common',
  keys: ['hold', 'held', 'holdsDue', 'unconfirmed'],
  args: [text('calculationId'), member('member'), text('use')],
  reply: nothing,
});

export const endCommonScript = defineScript({
  name: 'end-common',
  keys: ['use', 'hold', 'held', 'holdsDue', 'unconfirmed', 'settled'],
  args: [
    text('calculationId'),
    member('member'),
    text('use'),
    word('ending', 'consume', 'release', 'lapse'),
    number('retentionMs'),
  ],
  reply: list(flag('wasHeld'), number('overRedeemed')),
});

export const forgetCommonScript = defineScript({
  name: 'forget-common',
  keys: ['settled'],
  args: [text('calculationId'), number('knownMs')],
  reply: nothing,
});

export const giveBackCommonScript = defineScript({
  name: 'give-back-common',
  keys: ['use', 'settled'],
  args: [text('step'), text('usageKey'), number('units'), number('retentionMs')],
  reply: single(number('givenBack')),
});

export const finishCommonScript = defineScript({
  name: 'finish-common',
  keys: ['calculation'],
  args: [word('ending', 'consume', 'release', 'give_back')],
  reply: single(flag('isNoted')),
});

export const noteOverScript = defineScript({
  name: 'note-over',
  keys: ['calculation'],
  args: [number('overRedeemed')],
  reply: single(flag('isNoted')),
});
