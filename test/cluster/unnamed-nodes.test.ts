/**
 * Clusters whose nodes do not say where they are: `cluster-preferred-endpoint-type` is `unknown-endpoint`, or `hostname` although none is
 * announced, or a node that has met no other does not know its address.
 */
import { afterAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { writeCertificate } from '../support/certificate.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { runNode } from '../support/run-node.ts';
import { until } from '../support/wait.ts';
import { RedisCluster } from './redis-cluster.ts';

afterAll(cleanUp);

/** REDIS_URL has the name of the host and the nodes know its address, so that a place shows where it was taken from. */
const named = (url: string): RedisAddress =>
  parseRedisAddress(url.replaceAll('127.0.0.1', 'localhost')) as RedisAddress;

test.each([
  ['unknown-endpoint', 'localhost'],
  ['hostname', '127.0.0.1'],
])('nodes with the endpoint type %s are found at %s, also by redirections', async (type, host) => {
  const cluster = await RedisCluster.launch({ replicas: 0, settings: { 'cluster-preferred-endpoint-type': type } });
  const connection = new Connection(named(cluster.url), 'test');
  try {
    await until('every master to be known', () => connection.isAvailable && connection.masters.places.length === 3);
    expect([...connection.masters.places].sort()).toEqual(cluster.ports.map((port) => `${host}:${port}`).sort());
    const keys = Array.from({ length: 60 }, (_, index) => `key:${index}`);
    await Promise.all(keys.map((key) => connection.run(key, (client) => client.set(key, key))));
    expect(await Promise.all(keys.map((key) => connection.run(key, (client) => client.get(key))))).toEqual(keys);

    let counted = 0;
    const count = async (key: string) => {
      for (let times = 0; times < 20; times += 1) {
        counted += 1;
        expect(await connection.run(key, (client) => client.incr(key))).toBe(counted);
      }
    };
    const key = 'counter:{moving}';
    await count(key);
    // The source answers ASK, and then MOVED.
    await cluster.moveSlotOf(key, () => count(key));
    await count(key);
  } finally {
    connection.close();
    await cluster.stop();
  }
});

/** A cluster of one node that has all slots; it has met no other. */
async function launchAlone(...options: readonly string[]): Promise<RedisServer> {
  const redis = await RedisServer.launch(['--cluster-enabled', 'yes', '--bind', '127.0.0.1', ...options]);
  await redis.client.cluster('ADDSLOTSRANGE', 0, 16_383);
  await until('all slots to be served', async () => (await redis.client.cluster('INFO')).includes('cluster_state:ok'));
  return redis;
}

test('a node that does not know its own address is at the host that REDIS_URL names', async () => {
  const [port] = (await freePorts(1)) as [number];
  const redis = await launchAlone('--port', String(port));
  const connection = new Connection(named(`redis://127.0.0.1:${port},127.0.0.1:${port}`), 'test');
  try {
    await until('the master to be known', () => connection.isAvailable && connection.masters.places.length > 0);
    expect(connection.masters.places).toEqual([`localhost:${port}`]);
    expect(await connection.run('key', (client, key) => client.set(key, 'value'))).toBe('OK');
  } finally {
    connection.close();
    await redis.stop();
  }
});

test.each(['unknown-endpoint', 'hostname'])('over TLS a certificate for the name is enough: %s', async (type) => {
  const { cert, key } = writeCertificate(temporaryDirectory(), 'DNS:localhost');
  const [port] = (await freePorts(1)) as [number];
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
  const named = type === 'hostname' ? ['--cluster-announce-hostname', 'localhost'] : [];
  const tls = ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no', '--tls-cluster', 'yes'];
  const redis = await launchAlone(...tls, '--cluster-preferred-endpoint-type', type, ...named);
  // The authority is read when a process starts.
  const ask = `
    import { Connection } from './src/redis/connection.ts';
    import { parseRedisAddress } from './src/redis/address.ts';
    const connection = new Connection(parseRedisAddress('rediss://localhost:${port},localhost:${port}'), 'test');
    for (let tries = 0; tries < 200 && !connection.isAvailable; tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(await connection.run('key', (client, key) => client.set(key, 'value')));
    connection.close();`;
  try {
    expect(await runNode(ask, { NODE_EXTRA_CA_CERTS: cert })).toBe('OK');
  } finally {
    await redis.stop();
  }
});
