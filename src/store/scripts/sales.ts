import { defineScript, flag, member, number, oneOf, optional, rest, single, text, word } from '../codec.ts';

/** The scripts of a sale and of its returns. */

const SETTLED = [
  flag('isLate'),
  number('overRedeemed'),
  text('uses'),
  text('answered'),
  text('venueId'),
  word('due', 'event', 'count', ''),
  flag('isClaimable'),
  text('given'),
  number('answeredAtMs'),
  number('turnover'),
  text('tier'),
  text('share'),
  text('reason'),
  text('common'),
  word('ending', 'consume', 'release', 'give_back', ''),
  number('bookedAtMs'),
] as const;

/** What is counted of a calculation. */
export const COUNTED = [
  text('venueId'),
  text('given'),
  number('answeredAtMs'),
  number('turnover'),
  text('tier'),
  text('share'),
] as const;

export const settleScript = defineScript({
  name: 'settle-sale',
  keys: ['calculation', 'hold', 'use', 'answer', 'held', 'holdsDue', 'vouchers', 'events'],
  moreKeys: 'others',
  args: [
    text('calculationId'),
    text('outcome'),
    flag('consumes'),
    number('deadlineMs'),
    number('retentionMs'),
    number('keptMs'),
    text('event'),
    optional(number('answeredRead')),
    optional(text('saleRead')),
  ],
  reply: oneOf({
    recorded: SETTLED,
    duplicate: SETTLED,
    conflict: [flag('isTold'), flag('isNew'), ...COUNTED, number('bookedAtMs')],
    changed: [],
    too_late: [],
    moved: [member('into')],
    unknown: [],
  }),
});

export const tellSaleScript = defineScript({
  name: 'tell-sale',
  keys: ['calculation', 'events'],
  args: [text('event'), number('retentionMs'), optional(number('soldAtMs'))],
  reply: single(flag('isTold')),
});

export const resolveConflictScript = defineScript({
  name: 'resolve-conflict',
  keys: ['calculation', 'returns', 'hold', 'use', 'held', 'holdsDue', 'vouchers'],
  moreKeys: 'others',
  args: [word('outcome', 'first', 'second'), text('who'), text('reason'), number('retentionMs'), number('keptMs')],
  reply: oneOf({
    resolved: [],
    known: [word('decided', 'first', 'second')],
    none: [],
    returned: [],
    due: [],
    moved: [member('into'), number('counters')],
  }),
});

export const bookReturnScript = defineScript({
  name: 'book-return',
  keys: ['calculation', 'returns', 'use', 'vouchers', 'events'],
  args: [text('returnId'), text('booked'), number('count'), text('event'), number('retentionMs'), rest('givenBack')],
  reply: oneOf({
    booked: [flag('isCounted'), flag('isTold'), number('atMs')],
    known: [text('booked'), flag('isDue'), flag('isCounted'), flag('isTold')],
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
