import { Connection } from '../../src/redis/connection.ts';
import { createKeys } from '../../src/store/keys.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';
import { type Fixture, useFixture } from './fixture.ts';

/** A store on a real Redis Cluster of one node, which has all slots: what the store does differently on a cluster, without the time that three masters take. */
export function useOneNode(): Fixture {
  return useFixture(openOneNode);
}

export async function openOneNode(): Promise<Fixture> {
  const [port] = (await freePorts(1)) as [number];
  const listens = ['--port', String(port), '--bind', '127.0.0.1', '--cluster-announce-ip', '127.0.0.1'];
  const redis = await RedisServer.launch(['--cluster-enabled', 'yes', ...listens]);
  await redis.client.cluster('ADDSLOTSRANGE', 0, 16_383);
  await until('all slots to be served', async () => (await redis.client.cluster('INFO')).includes('cluster_state:ok'));
  const access = { username: undefined, password: undefined, database: 0, isTls: false };
  const connection = new Connection({ kind: 'cluster', nodes: [{ host: '127.0.0.1', port }], access }, 'test');
  await until('the connection to be ready', () => connection.isAvailable && connection.masters.places.length === 1);
  const periods = { holdMs: 60_000, idempotencyMs: 60_000, retentionMs: 120_000 };
  return { redis, store: { connection, keys: createKeys('test'), periods } };
}
