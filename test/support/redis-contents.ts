import type { Redis } from 'ioredis';

/** All that a Redis holds, names and values, as one text, as somebody would search it who got hold of a copy. */
export async function contentsOf(client: Redis): Promise<string> {
  const names = await client.keys('*');
  const values = await Promise.all(names.map(async (name) => readValue(client, name, await client.type(name))));
  return JSON.stringify(names.map((name, i) => [name, values[i]]));
}

async function readValue(client: Redis, name: string, type: string): Promise<unknown> {
  switch (type) {
    case 'string':
      return client.get(name);
    case 'hash':
      return client.hgetall(name);
    case 'zset':
      return client.zrange(name, '0', '-1');
    case 'set':
      return client.smembers(name);
    case 'list':
      return client.lrange(name, 0, -1);
    case 'stream':
      return client.xrange(name, '-', '+');
    case 'none':
      return undefined;
    default:
      throw new Error(`${name} is a ${type}, which is not searched`);
  }
}
