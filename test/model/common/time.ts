/**
 * Time as it passes for what is stored: every instant of a history is set back, as if Redis' clock had gone ahead. Nothing else
 * runs meanwhile, and a key may be named once only.
 */
import type { Store } from '../../../src/store/store.ts';

export interface TimedKeys {
  readonly holds: readonly string[];
  /** What is counted anew from the holds. */
  readonly sums: readonly string[];
  readonly unconfirmed: readonly string[];
  readonly records: readonly string[];
  readonly indexes: readonly string[];
}

export async function passTime({ connection }: Store, ms: number, keys: TimedKeys): Promise<void> {
  const earlier = (instant: string) => String(Number(instant) - ms);
  await connection.run(keys.holds[0] ?? '', async (client) => {
    const holds = keys.holds.map(async (key) => {
      const moved = Object.entries(await client.hgetall(key)).map(([id, hold]) => [id, hold.replace(/^\d+/, earlier)]);
      if (moved.length > 0) await client.hset(key, ...moved.flat());
    });
    const sums = keys.sums.map((key) => client.del(key));
    const calls = keys.unconfirmed.map(async (key) => {
      for (const entry of await client.zrange(key, '0', '-1')) await client.zincrby(key, -ms, entry);
    });
    const records = keys.records.map(async (key) => {
      const deadline = await client.hget(key, 'deadline');
      if (deadline !== null) await client.hset(key, 'deadline', earlier(deadline));
    });
    const indexes = keys.indexes.map(async (key) => {
      const [, head, deadline, tail] = /^(\S+ \S+) (\d+) (.*)$/s.exec((await client.get(key)) ?? '') ?? [];
      if (deadline !== undefined && deadline !== '0')
        await client.set(key, `${head} ${earlier(deadline)} ${tail}`, 'KEEPTTL');
    });
    await Promise.all([...holds, ...sums, ...calls, ...records, ...indexes]);
  });
}
