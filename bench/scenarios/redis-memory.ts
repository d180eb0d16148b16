import type { BenchRedis } from '../machine/redis.ts';

export interface StoredSizes {
  /** Additional bytes that Redis allocates per answer, with all its keys. */
  readonly perAnswer: number;
  /** Mean bytes of a key of each kind, by Redis' own account. */
  readonly perKey: Readonly<Record<string, number>>;
}

const SAMPLES = 500;
/** A kind with fewer samples has a few keys for all answers together, and no size per answer. */
const LEAST_SAMPLES = 5;
const SETTLE_MS = 500;

/** Measures the memory that `store` leaves in Redis, per answer; `store` returns the number of answers it stored. */
export async function countMemory(redis: BenchRedis, store: () => Promise<number>): Promise<StoredSizes> {
  const before = await settledMemory(redis);
  const answers = await store();
  const after = await settledMemory(redis);
  return { perAnswer: (after - before) / answers, perKey: await sampleKeys(redis) };
}

/**
 * Reads the memory several times and takes the lowest value, without the temporary buffers of connections and of the
 * append-only file.
 */
async function settledMemory(redis: BenchRedis): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 5; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS / 5));
    lowest = Math.min(lowest, await redis.usedMemory());
  }
  return lowest;
}

/** Samples the sizes of keys by kind, the word after the environment's prefix. */
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
