/**
 * Every answer, and what Redis holds after it, are what was recorded. An intended change is recorded anew with
 * `.toolchain/bin/node test/corpus/record.ts`, after reading what differs line by line.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { playStage, type Recordings } from './play.ts';
import { readRecordings } from './recordings.ts';
import { STAGES } from './stages.ts';

/** All stages together, on a machine that has much else to do. */
const LIMIT_MS = 300_000;
const played = new Map<string, Recordings>();

beforeAll(async () => {
  const plays = Object.entries(STAGES).map(async ([name, words]) =>
    played.set(name, await playStage(words, readRecordings(Object.keys(words.themes)))),
  );
  await Promise.all(plays);
}, LIMIT_MS);
afterAll(cleanUp);

describe.each(Object.entries(STAGES))('%s', (name, { themes }) => {
  describe.each(Object.entries(themes))('%s', (theme, conversations) => {
    const recorded = readRecordings([theme]).get(theme)!;
    test.each(Object.keys(conversations))('%s', (title) => {
      const now = played.get(name)?.get(theme)?.get(title);
      expect(now?.talk).toBe(recorded.get(title)?.talk);
      expect(now?.redis).toBe(recorded.get(title)?.redis);
    });
    test('has no recording without a conversation', () => {
      expect([...recorded.keys()]).toEqual(Object.keys(conversations));
    });
  });
});
