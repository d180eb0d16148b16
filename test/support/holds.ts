/** A look at the reservations from outside: every hash named `…:hold:{member}` has one field per calculation that holds. */
import type { RedisServer } from './redis-server.ts';

async function holdKeys(redis: RedisServer): Promise<string[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await redis.client.scan(cursor, 'MATCH', '*:hold:{*', 'COUNT', 1_000);
    cursor = next;
    keys.push(...found);
  } while (cursor !== '0');
  return keys;
}

/** The number of calculations that each member holds something for. */
export async function holdsPerMember(redis: RedisServer): Promise<number[]> {
  const keys = await holdKeys(redis);
  return Promise.all(keys.map((key) => redis.client.hlen(key)));
}

/** The number of calculations that hold something, over all members. */
export async function holdCount(redis: RedisServer): Promise<number> {
  return (await holdsPerMember(redis)).reduce((sum, count) => sum + count, 0);
}
