/** Where Redis is: every form of REDIS_URL, and TLS with credentials against a real server. */
import { afterAll, expect, test } from 'vitest';
import { parseRedisAddress } from '../../src/redis/address.ts';
import { writeCertificate } from '../support/certificate.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { runNode } from '../support/run-node.ts';

afterAll(cleanUp);

const access = { username: undefined, password: undefined, database: 0, isTls: false };

test.each([
  ['unix:/run/redis.sock', { kind: 'socket', path: '/run/redis.sock' }],
  ['redis://localhost', { kind: 'single', node: { host: 'localhost', port: 6379 }, access }],
  ['redis://10.0.0.1:80', { kind: 'single', node: { host: '10.0.0.1', port: 80 }, access }],
  ['redis://[::1]:7000/2', { kind: 'single', node: { host: '::1', port: 7000 }, access: { ...access, database: 2 } }],
  [
    'rediss://shop:p%40ss@redis.example:6380',
    {
      kind: 'single',
      node: { host: 'redis.example', port: 6380 },
      access: { ...access, username: 'shop', password: 'p@ss', isTls: true },
    },
  ],
  [
    'redis://:secret@a:1,b:2,redis://c:3',
    {
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
        { host: 'c', port: 3 },
      ],
      access: { ...access, password: 'secret' },
    },
  ],
  [
    'redis+sentinel://a,b:26380/1?name=loyalty',
    {
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      name: 'loyalty',
      access: { ...access, database: 1 },
      sentinelAccess: { ...access, database: 1 },
    },
  ],
])('%s', (text, address) => {
  expect(parseRedisAddress(text)).toEqual(address);
});

test.each([
  '',
  'localhost:6379',
  'http://a',
  'redis://',
  'redis://a:b',
  'redis://a/x',
  'redis://a,b/1',
  'redis+sentinel://a',
  'unix:redis.sock',
  // Characters of a password that should have been percent-encoded: what is left of it must not become a host.
  'redis://user:12#34@a',
  'redis://user:12?34@a',
  'redis://user:12/34@a',
  'redis://:p%zz@a',
])('refuses "%s"', (text) => {
  expect(parseRedisAddress(text)).toBeUndefined();
});

test('TLS with user and password, its certificate verified', async () => {
  const { cert, key } = writeCertificate(temporaryDirectory());
  const [port] = await freePorts(1);
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
  const tls = ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
  const redis = await RedisServer.launch([...tls, '--user', 'shop', 'on', '>p@ss', '~*', '+@all']);
  const connect = `
    import { Connection } from './src/redis/connection.ts';
    import { parseRedisAddress } from './src/redis/address.ts';
    const connection = new Connection(parseRedisAddress('rediss://shop:p%40ss@127.0.0.1:${port}'), 'test');
    while (!connection.isAvailable && !connection.trouble) await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(connection.isAvailable ? await connection.runWithoutKey((client) => client.acl('WHOAMI')) : connection.trouble.cause);
    connection.close();`;
  // The authority is read when a process starts, so each try is a process of its own.
  expect(await runNode(connect, { NODE_EXTRA_CA_CERTS: cert })).toBe('shop');
  expect(await runNode(connect, {})).toBe('tls_failed');
  await redis.stop();
});
