import type { Connection } from '../redis/connection.ts';

/** What each connection's server has told of itself. */
interface Known {
  /** The server's clock less ours (`performance.now()`), in milliseconds. */
  offsetMs: number;
  /** Our clock at the last call that the bucket refused. */
  refusedAtMs: number;
}

const known = new WeakMap<Connection, Known>();

/** A server that seems to be behind by more than this has had its clock set back: no reply of a call takes so long. */
const SET_BACK_MS = 1000;

/**
 * Learns from a reply of the server that has the rate limit's bucket. Its clock was read before the reply arrived, so a
 * slow reply makes it look behind. A clock that looks ahead of our estimate is therefore adopted at once; one that looks
 * behind is followed by a millisecond for each reply, which follows its drift.
 */
export function noteBucketReply(connection: Connection, redisNowMs: number, isRefused: boolean): void {
  const nowMs = performance.now();
  const seen = redisNowMs - nowMs;
  const { offsetMs = seen, refusedAtMs = Number.NEGATIVE_INFINITY } = known.get(connection) ?? {};
  known.set(connection, {
    offsetMs: seen < offsetMs - SET_BACK_MS ? seen : Math.max(seen, offsetMs - 1),
    refusedAtMs: isRefused ? nowMs : refusedAtMs,
  });
}

/** The clock of the server with the bucket, in milliseconds, as far as we know; undefined before its first reply. */
export function estimateRedisMs(connection: Connection): number | undefined {
  const offsetMs = known.get(connection)?.offsetMs;
  return offsetMs === undefined ? undefined : performance.now() + offsetMs;
}

/** The clock of Redis, in milliseconds since 1970: holds end by it, whatever ours says. Throws `StoreUnavailable`. */
export async function readRedisMs(connection: Connection): Promise<number> {
  const [seconds, microseconds] = await connection.run((client) => client.time());
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}

/** Milliseconds since the bucket last refused a call. */
export function sinceRefusedMs(connection: Connection): number {
  return performance.now() - (known.get(connection)?.refusedAtMs ?? Number.NEGATIVE_INFINITY);
}
