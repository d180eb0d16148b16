import { counted, defineScript, fields, flag, list, number, numbers, oneOf, rest, single, text } from '../codec.ts';

/** The scripts of a member. */

export const readMemberScript = defineScript({
  name: 'read-member',
  keys: ['member', 'use', 'hold', 'held', 'holdsDue'],
  args: [flag('withUses'), rest('wanted')],
  reply: list(number('nowMs'), fields('fields'), fields('uses'), fields('holds'), fields('held'), number('form')),
});

export const readCountersScript = defineScript({
  name: 'read-counters',
  keys: ['use', 'hold', 'held', 'holdsDue'],
  args: [rest('usageKeys')],
  reply: list(numbers('consumed'), numbers('held')),
});

export const giveBackScript = defineScript({
  name: 'give-back',
  keys: ['use', 'vouchers'],
  args: [text('usageKey'), number('units')],
  reply: oneOf({ given_back: [number('consumed')], too_many: [number('consumed')], merged: [] }),
});

export const writeMemberScript = defineScript({
  name: 'write-member',
  keys: ['member', 'vouchers'],
  args: [rest('fields')],
  reply: single(number('changes')),
});

export const replaceMemberScript = defineScript({
  name: 'replace-member',
  keys: ['member', 'vouchers'],
  args: [counted('read'), rest('written')],
  reply: single(flag('isReplaced')),
});

export const moveClockScript = defineScript({
  name: 'move-clock',
  keys: ['member'],
  args: [number('movedMs'), number('lastsMs')],
  reply: single(flag('isMoved')),
});
