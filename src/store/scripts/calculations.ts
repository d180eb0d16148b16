import {
  bytes,
  defineScript,
  flag,
  list,
  listed,
  member,
  nothing,
  number,
  oneOf,
  optional,
  rest,
  restNumbers,
  single,
  text,
  word,
} from '../codec.ts';

/** The scripts of a calculation. */

export const commitScript = defineScript({
  name: 'commit-calculation',
  keys: ['calculation', 'answer', 'hold', 'use', 'superseded', 'held', 'holdsDue', 'index', 'due'],
  args: [
    text('calculationId'),
    text('fingerprint'),
    number('deadlineMs'),
    number('holdMs'),
    number('idempotencyMs'),
    number('retentionMs'),
    bytes('storedForm'),
    text('venueId'),
    text('uses'),
    text('supersededHere'),
    text('supersededElsewhere'),
    text('saleBefore'),
    text('successorBefore'),
    text('status'),
    optional(number('total')),
    optional(bytes('kept')),
    optional(text('tier')),
    optional(text('share')),
    optional(text('reason')),
    text('common'),
    flag('isLent'),
    member('member'),
    text('entryRead'),
    number('lookMs'),
    number('callOverMs'),
    rest('given'),
  ],
  reply: oneOf({
    committed: [
      number('holdsMade'),
      number('holdsReleased'),
      text('pendingRelease'),
      text('givenBack'),
      flag('holdsCommon'),
    ],
    replay: [bytes('stored'), text('pendingRelease')],
    conflict: [],
    too_late: [],
    changed: [],
    not_lent: [],
    shortage: [restNumbers('left')],
  }),
});

export const releaseSupersededScript = defineScript({
  name: 'release-superseded',
  keys: ['calculation', 'hold', 'held', 'holdsDue'],
  args: [text('calculationId'), text('successorId'), text('venueId'), number('retentionMs')],
  reply: list(number('holdsReleased'), flag('isCommitted'), text('common')),
});

export const expireScript = defineScript({
  name: 'expire-calculation',
  keys: ['calculation', 'hold', 'held', 'holdsDue', 'events'],
  args: [
    text('calculationId'),
    number('appendedMs'),
    text('event'),
    number('retentionMs'),
    optional(number('answeredRead')),
  ],
  reply: oneOf({
    due: [],
    expired: [
      text('uses'),
      text('common'),
      word('ending', 'consume', 'release', ''),
      optional(text('pendingRelease')),
      flag('isTold'),
    ],
    not_due: [number('leftMs'), optional(text('pendingRelease'))],
    ended: [text('common'), word('ending', 'consume', 'release', 'give_back', ''), optional(text('pendingRelease'))],
  }),
});

export const noteDueScript = defineScript({
  name: 'note-due',
  keys: ['due'],
  args: [number('lookMs'), optional(number('callOverMs')), rest('calculationIds')],
  reply: nothing,
});

export const listDueScript = defineScript({
  name: 'list-due',
  keys: ['due'],
  args: [number('most')],
  reply: listed('calculationIds'),
});

export const forgetDueScript = defineScript({
  name: 'forget-due',
  keys: ['due'],
  args: [text('calculationId')],
  reply: single(flag('isForgotten')),
});
