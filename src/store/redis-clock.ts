import type { Connection } from '../redis/connection.ts';

/** The clock of Redis, in milliseconds since 1970: holds end by it, whatever ours says. Throws `StoreUnavailable`. */
export async function readRedisMs(connection: Connection): Promise<number> {
  const [seconds, microseconds] = await connection.run((client) => client.time());
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}
