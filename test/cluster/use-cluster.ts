import { afterAll, beforeAll } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { createKeys } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { cleanUp } from '../support/cleanup.ts';
import { until } from '../support/wait.ts';
import { type ClusterOptions, RedisCluster } from './redis-cluster.ts';

/** A real cluster for all tests of a file, and a store on it. */
export interface OnCluster {
  readonly cluster: RedisCluster;
  readonly store: Store;
}

export function useCluster(options: ClusterOptions = {}, holdMs = 60_000): OnCluster {
  const open = {} as { -readonly [Part in keyof OnCluster]: OnCluster[Part] };
  beforeAll(async () => {
    open.cluster = await RedisCluster.launch(options);
    const connection = new Connection(parseRedisAddress(open.cluster.url) as RedisAddress, 'test');
    open.store = {
      connection,
      keys: createKeys('test'),
      periods: { holdMs, idempotencyMs: 60_000, retentionMs: 120_000 },
    };
    await until('a connection to each master', () => connection.isAvailable && connection.answering.length === 3);
  });
  afterAll(async () => {
    open.store?.connection.close();
    await open.cluster?.stop();
    cleanUp();
  });
  return open;
}
