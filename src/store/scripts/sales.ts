import { bytes, defineScript, flag, member, number, oneOf, rest, single, text, word } from '../codec.ts';

/** The scripts of a sale and of its returns. */

export const SETTLED = [
  flag('isLate'),
  number('overRedeemed'),
  text('uses'),
  text('answered'),
  text('venueId'),
  flag('isEventDue'),
  flag('isClaimable'),
  text('given'),
  number('answeredAtMs'),
  number('turnover'),
  text('tier'),
  text('share'),
  text('reason'),
  bytes('basket'),
  bytes('answer'),
  text('common'),
  word('ending', 'consume', 'release', ''),
] as const;

export const TAKEN_BACK = [
  text('venueId'),
  text('given'),
  number('answeredAtMs'),
  number('turnover'),
  text('tier'),
  text('share'),
] as const;

export const settleScript = defineScript({
  name: 'settle-sale',
  keys: ['calculation', 'hold', 'use', 'answer', 'held', 'holdsDue', 'vouchers'],
  moreKeys: 'others',
  args: [
    text('calculationId'),
    text('outcome'),
    flag('consumes'),
    number('deadlineMs'),
    number('retentionMs'),
    number('keptMs'),
    flag('asksLines'),
  ],
  reply: oneOf({
    recorded: SETTLED,
    duplicate: SETTLED,
    conflict: [],
    taken_back: TAKEN_BACK,
    too_late: [],
    moved: [member('into')],
    unknown: [],
  }),
});

export const bookReturnScript = defineScript({
  name: 'book-return',
  keys: ['calculation', 'returns', 'use', 'vouchers'],
  args: [text('returnId'), text('booked'), number('count'), rest('givenBack')],
  reply: oneOf({
    booked: [flag('isCounted')],
    known: [text('booked'), flag('isDue'), flag('isCounted')],
    changed: [],
    moved: [member('into'), number('counters')],
    gone: [],
  }),
});

export const noteReceiptScript = defineScript({
  name: 'note-receipt',
  keys: ['receipt'],
  args: [text('calculationId'), number('keptMs')],
  reply: single(flag('isNoted')),
});
