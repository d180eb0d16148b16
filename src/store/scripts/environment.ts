import { flag, nothing, number, optional, record, single, text, texts, words } from '../codec.ts';
import { defineScript } from '../scripts.ts';

/** The scripts of what all calls of an environment share. */

export const leaseTokensScript = defineScript({
  name: 'lease-tokens',
  keys: ['rate'],
  args: {
    /** Per token. */
    intervalUs: number,
    /** Tokens that this kind of call may use. */
    burst: number,
    /** Tokens of the bucket. */
    capacity: number,
    /** Calls that wait for a token. */
    waiting: number,
    /**
     * Tokens wanted beside theirs, for calls to come: at most a tenth of what is left above half of the bucket is given, so that near the
     * limit no process keeps tokens which another one could use.
     */
    ahead: number,
  },
  /** `waitUs`: how long until the next token is there. A call that gets no token takes nothing. */
  reply: record({ leased: number, waitUs: number }),
});

export const readClockScript = defineScript({
  name: 'read-clock',
  /** Any key of the slot. */
  keys: ['any'],
  args: {},
  reply: single(number),
});

export const appendEventScript = defineScript({
  name: 'append-event',
  keys: ['events'],
  /** `atMs`: when it was booked; without it, now. */
  args: { event: text, retentionMs: number, atMs: optional(number) },
  reply: nothing,
});

export const addCostRowsScript = defineScript({
  name: 'add-cost-rows',
  keys: ['costRows'],
  args: {
    /** As a field. */
    process: text,
    /** The number of the report, rising. */
    report: number,
    /** The instant at which the day is forgotten. */
    forgottenMs: number,
    /** Of a day. */
    mostRows: number,
    /** Of a row. */
    figures: number,
    /** Row, the row that counts in its place when the day has too many, then its figures, … */
    rows: words,
  },
  /** False when it had been added before. */
  reply: single(flag),
});

export const noteConfigurationScript = defineScript({
  name: 'note-configuration',
  keys: ['configurations'],
  args: {
    version: text,
    /** About it. */
    facts: text,
    /** How many are kept. */
    most: number,
    /** It has just come into force. Otherwise that was noted before, and only an empty list takes it. */
    isNew: flag,
  },
  /** The versions that are kept no longer. */
  reply: single(texts),
});
