import { defineScript, fields, flag, list, number, rest } from '../codec.ts';

/** The scripts of a member. */

export const readMemberScript = defineScript({
  name: 'read-member',
  keys: ['member', 'use', 'hold', 'held', 'holdsDue'],
  args: [flag('withUses'), rest('wanted')],
  reply: list(number('nowMs'), fields('fields'), fields('uses'), fields('holds'), fields('held'), number('form')),
});
