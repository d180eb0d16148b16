/** What the tests of the scripts of a sale and of its end share: a calculation that was committed. */
import type { useFixture } from './fixture.ts';

export const [CALC, ANSWER, HOLD, USE, RETURNS, EVENTS] = [
  'calculation',
  'answer',
  'hold',
  'use',
  'returns',
  'events',
] as const;
export const FAR_MS = Date.UTC(2100, 0, 1);
export const [RETENTION_MS, KEPT_MS] = [60_000, 500_000];

export function useCalculation(fixture: ReturnType<typeof useFixture>) {
  return {
    record: () => fixture.redis.client.hgetall(CALC),
    events: async () =>
      (await fixture.redis.client.xrange(EVENTS, '-', '+')).map(([, [, text]]) => JSON.parse(text ?? '')),
    /** Puts a committed calculation there, open unless `more` says otherwise, with the hold of its uses. */
    put: async ({ hold = true, ...more }: Record<string, string | number | boolean> = {}): Promise<void> => {
      const { client } = fixture.redis;
      const usual = { state: 'open', fp: 'print', deadline: FAR_MS, status: 'applied', venue: 'oslo', at: 7 };
      const fields = { ...usual, holds: 'a=2/3', ...more };
      await client.hset(CALC, fields as Record<string, string | number>);
      // A sold calculation has an end, and its returns end with it.
      await client.pexpire(CALC, 400_000);
      if (hold) await client.hset(HOLD, 'id', `${String(fields.deadline)} ${String(fields.holds)}`);
    },
  };
}
