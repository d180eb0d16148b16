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
  keys: ['calculation', 'hold', 'use', 'answer', 'held', 'holdsDue'],
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
    conflict: [flag('isNew'), ...COUNTED, number('bookedAtMs')],
    too_late: [],
    moved: [member('into')],
    unknown: [],
  }),
});

export const resolveConflictScript = defineScript({
  name: 'resolve-conflict',
  keys: ['calculation', 'returns', 'hold', 'use', 'held', 'holdsDue'],
  moreKeys: 'others',
  args: [word('outcome', 'first', 'second'), text('reason'), number('retentionMs'), number('keptMs')],
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
  keys: ['calculation', 'returns', 'use'],
  args: [text('returnId'), text('booked'), number('count'), rest('givenBack')],
  reply: oneOf({
    booked: [flag('isCounted'), number('atMs')],
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
