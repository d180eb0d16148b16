import { defineScript, flag, member, number, oneOf, optional, single, text } from '../codec.ts';

/** The scripts of a calculation's index entry. */

export const claimIndexScript = defineScript({
  name: 'claim-index',
  keys: ['index', 'events'],
  args: [
    text('member'),
    text('fingerprint'),
    number('leftMs'),
    text('tail'),
    number('retentionMs'),
    optional(text('replaceable')),
    optional(number('deadlineMs')),
    number('longestMs'),
    text('event'),
  ],
  reply: oneOf({ written: [text('tail')], present: [text('entry'), flag('isPast')], too_late: [] }),
});

export const markClaimScript = defineScript({
  name: 'mark-claim',
  keys: ['index', 'events'],
  args: [member('member'), text('tail'), number('retentionMs'), text('event')],
  reply: single(flag('isMarked')),
});

export const eraseIndexScript = defineScript({
  name: 'erase-index',
  keys: ['index'],
  args: [member('member')],
  reply: single(flag('isErased')),
});

export const leadIndexScript = defineScript({
  name: 'lead-index',
  keys: ['index'],
  args: [member('from'), member('into')],
  reply: single(flag('isLed')),
});

export const ageIndexScript = defineScript({
  name: 'age-index',
  keys: ['index'],
  args: [member('member'), number('byMs'), number('leastMs')],
  reply: single(number('leftMs')),
});
