/** Where the hot path's own connection leads: over TLS with user and password, and to the master that a Sentinel names. */
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { callCommand } from '../../src/redis/commands.ts';
import { Connection } from '../../src/redis/connection.ts';
import { cleanUp, forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { runNode } from '../support/run-node.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);

test('TLS with user and password, its certificate verified', async () => {
  const folder = temporaryDirectory();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const [port] = (await freePorts(1)) as [number];
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
  const tls = ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
  const redis = await RedisServer.launch([...tls, '--user', 'shop', 'on', '>p@ss', '~*', '+@all']);
  // The authority is read when a process starts.
  const ask = `
    import { Connection } from './src/redis/connection.ts';
    import { callCommand } from './src/redis/commands.ts';
    import { parseRedisAddress } from './src/redis/address.ts';
    const connection = new Connection(parseRedisAddress('rediss://shop:p%40ss@localhost:${port}'), 'test');
    const ids = async () => [await callCommand(connection, 'client', 'id'), await connection.client.call('CLIENT', 'ID')];
    for (let tries = 0; tries < 200; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const [own, other] = connection.isAvailable ? await ids() : [];
      if (own === other) continue;
      console.log(String(await callCommand(connection, 'acl', 'whoami')));
      break;
    }
    connection.close();`;
  expect(await runNode(ask, { NODE_EXTRA_CA_CERTS: cert })).toBe('shop');
  await redis.stop();
});

test('behind Sentinel it leads to the master that ioredis has found', async () => {
  const [masterPort, sentinelPort] = (await freePorts(2)) as [number, number];
  const redis = await RedisServer.launch(['--port', String(masterPort), '--bind', '127.0.0.1']);
  const folder = temporaryDirectory();
  const file = join(folder, 'sentinel.conf');
  const watch = `sentinel monitor loyalty 127.0.0.1 ${masterPort} 1`;
  writeFileSync(file, `port ${sentinelPort}\nbind 127.0.0.1\ndir ${folder}\n${watch}\n`);
  const sentinel = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  watchProcess(sentinel.pid as number);
  sentinel.once('exit', () => forgetProcess(sentinel.pid as number));
  const address = parseRedisAddress(`redis+sentinel://127.0.0.1:${sentinelPort}/?name=loyalty`) as RedisAddress;
  const connection = new Connection(address, 'test');
  await until('a connection of its own', async () => {
    if (!connection.isAvailable) return false;
    return (await callCommand(connection, 'client', 'id')) !== (await connection.client.call('CLIENT', 'ID'));
  });
  await callCommand(connection, 'set', 'key', 'value');
  expect(await redis.client.get('key')).toBe('value');
  connection.close();
  sentinel.kill('SIGKILL');
  await redis.stop();
});
