/** A look at the reservations from outside: every hash named `…:hold:{member}` has one field per calculation that holds. */
import type { RedisServer } from './redis-server.ts';

/** The number of calculations that each member holds something for. */
export async function holdsPerMember({ client }: RedisServer): Promise<number[]> {
  const counts: number[] = [];
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', '*:hold:{*', 'COUNT', 1_000);
    cursor = next;
    for (const key of keys) counts.push(await client.hlen(key));
  } while (cursor !== '0');
  return counts;
}
