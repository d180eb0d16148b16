/** What the tests of single scripts share: how a script is called, and what they say of instants. */
import { beforeEach } from 'vitest';
import type { Connection } from '../../src/redis/connection.ts';
import { placeName } from '../../src/store/scripts.ts';
import { until } from '../support/wait.ts';
import type { useFixture } from './fixture.ts';

/** A test itself may take so long after it has read the clock. */
const LONGEST_TEST_MS = 10_000;
const LONGEST_CALL_MS = 5_000;

interface Script<Args, Value> {
  (connection: Connection, keys: never, args: Args): Promise<Value>;
  readonly declared: { readonly keys: readonly string[]; readonly moreKeys?: string };
}

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
    /**
     * Calls a script, whose keys have the names of their declaration unless `keys` has others. While the breaker is open, because Redis was
     * silent for a moment on a busy machine, nothing is sent.
     */
    call: async <Args, Value>(script: Script<Args, Value>, args: Args, keys: object = {}): Promise<Value> => {
      const { connection } = fixture.store;
      const { keys: names, moreKeys } = script.declared;
      const named = {
        ...Object.fromEntries(names.map(placeName).map((name) => [name, name])),
        [moreKeys ?? '']: [],
        ...keys,
      };
      await until('the script to be sent', () => connection.isAvailable);
      return script(connection, named as never, args);
    },
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
