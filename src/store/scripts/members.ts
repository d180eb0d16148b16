import {
  counted,
  defineScript,
  fields,
  flag,
  list,
  listed,
  number,
  numbers,
  oneOf,
  rest,
  single,
  text,
} from '../codec.ts';

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

export const replaceMemberScript = defineScript({
  name: 'replace-member',
  keys: ['member', 'use', 'vouchers', 'grantsDue', 'events'],
  args: [number('retentionMs'), counted('read'), counted('written'), counted('due'), rest('told')],
  reply: single(flag('isReplaced')),
});

export const eraseMemberScript = defineScript({
  name: 'erase-member',
  keys: ['member', 'grantsDue', 'events'],
  args: [text('event'), number('retentionMs'), rest('names')],
  reply: single(flag('isErased')),
});

export const listGrantsDueScript = defineScript({
  name: 'list-grants-due',
  keys: ['grantsDue'],
  args: [number('most')],
  reply: listed('found'),
});

export const endGrantScript = defineScript({
  name: 'end-grant',
  keys: ['grantsDue', 'events'],
  args: [text('name'), text('endsMs'), text('laterMs'), text('event'), number('retentionMs')],
  reply: single(flag('isEnded')),
});

export const moveClockScript = defineScript({
  name: 'move-clock',
  keys: ['member'],
  args: [number('movedMs'), number('lastsMs')],
  reply: single(flag('isMoved')),
});
