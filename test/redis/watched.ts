/** A watch over a Redis, and the lines that it logs. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { RedisWatch } from '../../src/redis/watch.ts';

type Line = {
  readonly msg: string;
  readonly level: number;
  readonly cause: string | undefined;
  readonly reason?: string;
};

/** Watches the Redis of an address as a service does. */
export function watchRedis(url: string) {
  const lines: Line[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const address = parseRedisAddress(url) as RedisAddress;
  const connection = new Connection(address, 'test');
  const redisWatch = new RedisWatch(connection, address, 'loyalty:test:probe', pino(sink));
  const close = () => {
    redisWatch.close();
    connection.close();
  };
  return { lines, connection, redisWatch, close };
}
