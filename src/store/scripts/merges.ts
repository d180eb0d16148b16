import { code, counted, defineScript, flag, member, number, rest, single, text } from '../codec.ts';

/** The scripts of a merge of members; those that move a calculation are in owned-keys.ts. */

export const leadMemberScript = defineScript({
  name: 'lead-member',
  keys: ['member'],
  args: [text('into')],
  reply: code({ 1: 'marked', 0: 'marked_before', [-1]: 'missing' }),
});

export const closeCountersScript = defineScript({
  name: 'close-counters',
  keys: ['member', 'use'],
  args: [text('intoId'), member('into')],
  reply: single(flag('isClosed')),
});

export const reopenCountersScript = defineScript({
  name: 'reopen-counters',
  keys: ['member', 'use'],
  args: [text('intoId')],
  reply: single(flag('isReopened')),
});

export const adoptHoldsScript = defineScript({
  name: 'adopt-holds',
  keys: ['hold', 'held', 'holdsDue'],
  args: [number('holdMs'), rest('holds')],
  reply: single(number('written')),
});

export const adoptMemberScript = defineScript({
  name: 'adopt-member',
  keys: ['member', 'use', 'merged', 'vouchers', 'grantsDue', 'events'],
  args: [
    member('from'),
    text('loyaltyId'),
    number('lifetimeMs'),
    text('grants'),
    text('event'),
    number('retentionMs'),
    counted('read'),
    counted('written'),
    counted('due'),
    counted('booked'),
    rest('counters'),
  ],
  reply: code({ 1: 'adopted', 2: 'adopted_before', 0: 'changed' }),
});

export const endMergedScript = defineScript({
  name: 'end-merged',
  keys: ['member'],
  args: [],
  reply: single(flag('isEnded')),
});
