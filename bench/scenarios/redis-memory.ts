import type { BenchRedis } from '../machine/redis.ts';

export interface StoredSizes {
  /** Bytes that Redis has allocated more per answer, with everything that belongs to it. */
  readonly perAnswer: number;
  /** Mean bytes of a key of each kind, by Redis' own account. */
  readonly perKey: Readonly<Record<string, number>>;
}

const SAMPLES = 500;
/** A kind rarer than this has a few keys for all answers together, and no size per answer. */
const LEAST_SAMPLES = 5;
const SETTLE_MS = 500;

/** What `store` leaves in Redis, per answer; it returns how many answers it stored. */
export async function countMemory(redis: BenchRedis, store: () => Promise<number>): Promise<StoredSizes> {
  const before = await settledMemory(redis);
  const answers = await store();
  const after = await settledMemory(redis);
  return { perAnswer: (after - before) / answers, perKey: await sampleKeys(redis) };
}

/** Buffers of connections and of the append-only file come and go: the lowest of a few looks is what stays. */
async function settledMemory(redis: BenchRedis): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 5; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS / 5));
    lowest = Math.min(lowest, await redis.usedMemory());
  }
  return lowest;
}

/** A key's kind is the word after the environment's prefix. */
async function sampleKeys({ client }: BenchRedis): Promise<Record<string, number>> {
  const sizes = new Map<string, { count: number; bytes: number }>();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const key = await client.randomkey();
    if (key === null) continue;
    const kind = key.split(':')[2] ?? key;
    const seen = sizes.get(kind) ?? { count: 0, bytes: 0 };
    seen.count += 1;
    seen.bytes += (await client.memory('USAGE', key)) ?? 0;
    sizes.set(kind, seen);
  }
  return Object.fromEntries(
    [...sizes]
      .filter(([, { count }]) => count >= LEAST_SAMPLES)
      .sort()
      .map(([kind, { count, bytes }]) => [kind, bytes / count]),
  );
}
