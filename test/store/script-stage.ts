/** What the tests of single scripts share: how a script is run, and what they say of instants. */
import { beforeEach } from 'vitest';
import { runScript } from '../../src/store/scripts.ts';
import type { useFixture } from './fixture.ts';
import { plain } from './plain.ts';

/** A test itself may take so long after it has read the clock. */
const LONGEST_TEST_MS = 10_000;
const LONGEST_CALL_MS = 5_000;

export function useScripts(fixture: ReturnType<typeof useFixture>) {
  let nowMs = 0;
  beforeEach(async () => {
    nowMs = await fixture.redis.client.time().then(([seconds]) => Number(seconds) * 1_000);
  });
  return {
    /** Redis' clock at the start of the test, in milliseconds. */
    get nowMs(): number {
      return nowMs;
    },
    run: async (name: string, keys: readonly string[], args: readonly (string | number)[]) =>
      plain(await runScript(fixture.store.connection, name, keys, args)),
    zadd: (key: string, scores: Readonly<Record<string, number>>) =>
      fixture.redis.client.zadd(key, ...Object.entries(scores).flatMap(([member, score]) => [score, member])),
    /** True of an instant so many milliseconds from now. */
    isIn: (instant: unknown, milliseconds: number) =>
      Number(instant) >= nowMs + milliseconds && Number(instant) < nowMs + milliseconds + LONGEST_TEST_MS,
    /** True of a lifetime that was just set to so many milliseconds. */
    isAbout: (lifetime: number, milliseconds: number) =>
      lifetime <= milliseconds && lifetime > milliseconds - LONGEST_CALL_MS,
  };
}
