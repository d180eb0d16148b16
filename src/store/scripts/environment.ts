import { defineScript, flag, list, listed, number, optional, rest, single, text } from '../codec.ts';

/** The scripts of what all calls of an environment share. */

export const leaseTokensScript = defineScript({
  name: 'lease-tokens',
  keys: ['rate'],
  args: [number('intervalUs'), number('burst'), number('capacity'), number('waiting'), number('ahead')],
  reply: list(number('leased'), number('waitUs')),
});

export const readClockScript = defineScript({
  name: 'read-clock',
  keys: ['any'],
  args: [],
  reply: single(number('nowMs')),
});

export const appendEventScript = defineScript({
  name: 'append-event',
  keys: ['events'],
  args: [text('event'), number('retentionMs'), optional(number('atMs'))],
  reply: single(flag('isAppended')),
});

export const addCostRowsScript = defineScript({
  name: 'add-cost-rows',
  keys: ['costRows'],
  args: [text('process'), number('report'), number('forgottenMs'), number('mostRows'), number('figures'), rest('rows')],
  reply: single(flag('isAdded')),
});

export const noteConfigurationScript = defineScript({
  name: 'note-configuration',
  keys: ['configurations'],
  args: [text('version'), text('facts'), number('most'), flag('isNew')],
  reply: listed('dropped'),
});
