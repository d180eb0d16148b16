/** Why a Redis cannot be used: each reason brought about with real servers, and told once, in words without a credential. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeTrouble, REDIS_CAUSES } from '../../src/redis/cause.ts';
import { writeCertificate } from '../support/certificate.ts';
import { cleanUp, forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { runNode } from '../support/run-node.ts';
import { tellingsBesideSilence } from '../support/tellings.ts';
import { until, within } from '../support/wait.ts';
import { watchRedis } from './watched.ts';

/** As it stands in an address, percent-encoded, and as the server knows it. */
const PASSWORD = 'correct horse#1';
const ENCODED = encodeURIComponent(PASSWORD);
const WRONG = 'wrong%23staple%40';
const directory = temporaryDirectory();
const { cert, key } = writeCertificate(directory);
const closers: (() => unknown)[] = [];
/** Ports by what listens there. */
const at: Record<string, number> = {};
let open: RedisServer;

beforeAll(async () => {
  const names = ['nothing', 'open', 'locked', 'tls', 'mutual', 'nodeA', 'nodeB', 'sentinel', 'full'];
  const ports = await freePorts(names.length);
  for (const [index, name] of names.entries()) at[name] = ports[index] as number;
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
  const tls = (port: number, clients: string) => ['--tls-port', String(port), ...files, '--tls-auth-clients', clients];
  // The helper's own `--port 0` comes first: a later one counts.
  const plain = (name: string, ...more: string[]) => ['--port', String(at[name]), '--bind', '127.0.0.1', ...more];
  open = await launch(plain('open', '--user', 'reader', 'on', `>${PASSWORD}`, '~*', '+@all', '-eval', '-evalsha'));
  const locked = await launch(plain('locked'));
  await locked.client.config('SET', 'requirepass', PASSWORD);
  await launch(tls(at.tls as number, 'no'));
  await launch(tls(at.mutual as number, 'yes'));
  for (const node of ['nodeA', 'nodeB']) await launch(plain(node, '--cluster-enabled', 'yes'));
  await launchSentinel();
  at.http = await serveHttp();
  await fill(at.full as number);
});

afterAll(async () => {
  for (const close of closers) await close();
  cleanUp();
});

async function launch(options: readonly string[]): Promise<RedisServer> {
  const server = RedisServer.prepare(options);
  await server.start();
  closers.push(() => server.kill());
  return server;
}

async function launchSentinel(): Promise<void> {
  const file = join(directory, 'sentinel.conf');
  const lines = [`port ${at.sentinel}`, 'bind 127.0.0.1', `dir ${directory}`];
  writeFileSync(file, [...lines, `sentinel monitor loyalty 127.0.0.1 ${at.nothing} 1`, ''].join('\n'));
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  end(child);
  await until('the Sentinel to listen', () => isOpen(at.sentinel as number));
}

async function serveHttp(): Promise<number> {
  const server = createServer((_, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A port whose queue of connections is full and stays so: the kernel drops what more comes, as a firewall does. */
async function fill(port: number): Promise<void> {
  const listen = `require('net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: 1 }, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'ignore'] });
  end(child);
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  for (let count = 0; count < 10 && (await isOpen(port, true)); count += 1);
}

function end(child: ReturnType<typeof spawn>): void {
  const pid = child.pid as number;
  watchProcess(pid);
  child.once('exit', () => forgetProcess(pid));
  closers.push(() => child.kill('SIGKILL'));
}

/** True when a connection comes about; it is kept for as long as the file lasts if wanted. */
async function isOpen(port: number, isKept = false): Promise<boolean> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const connected = await within(
    once(socket, 'connect')
      .then(() => true)
      .catch(() => false),
    500,
  );
  if (isKept) closers.push(() => socket.destroy());
  else socket.destroy();
  return connected === true;
}

function watch(url: string) {
  const watched = watchRedis(url);
  closers.push(watched.close);
  return watched;
}

const cases: [cause: string, what: string, url: () => string, told: RegExp][] = [
  [
    'unreachable',
    'a host that nobody knows',
    () => `redis://:${WRONG}@redis.invalid`,
    /redis\.invalid:6379 .*(ENOTFOUND|EAI_AGAIN)/,
  ],
  ['unreachable', 'a port where nobody listens', () => `redis://:${WRONG}@127.0.0.1:${at.nothing}`, /ECONNREFUSED/],
  [
    'unreachable',
    'a socket that is not there',
    () => 'unix:/nonexistent/redis.sock',
    /\/nonexistent\/redis\.sock .*ENOENT/,
  ],
  ['unreachable', 'a host that does not answer', () => `redis://:${WRONG}@127.0.0.1:${at.full}`, /ETIMEDOUT/],
  ['wrong_password', 'another password', () => `redis://:${WRONG}@127.0.0.1:${at.locked}`, /user name or password/],
  ['wrong_password', 'an unknown user', () => `redis://shop:${ENCODED}@127.0.0.1:${at.locked}`, /user name/],
  ['wrong_password', 'no password', () => `redis://127.0.0.1:${at.locked}`, /or wants one/],
  ['no_permission', 'a user who may run no script', () => `redis://reader:${ENCODED}@127.0.0.1:${at.open}`, /user/],
  [
    'wrong_address',
    'a database that is not there',
    () => `redis://127.0.0.1:${at.open}/99`,
    /no such database \(database 99\)/,
  ],
  ['unreachable', 'TLS against plain', () => `rediss://:${WRONG}@127.0.0.1:${at.open}`, /ETIMEDOUT/],
  ['unreachable', 'plain against TLS', () => `redis://:${WRONG}@127.0.0.1:${at.tls}`, /closes the connection/],
  ['tls_failed', 'an unknown authority', () => `rediss://127.0.0.1:${at.tls}`, /SELF_SIGNED/],
  ['wrong_address', 'a server that speaks HTTP', () => `redis://:${WRONG}@127.0.0.1:${at.http}`, /is no Redis/],
  ['tls_failed', 'HTTP, with TLS', () => `rediss://:${WRONG}@127.0.0.1:${at.http}`, /ERR_SSL/],
  [
    'wrong_address',
    'a name that no Sentinel knows',
    () => `redis+sentinel://:${WRONG}@127.0.0.1:${at.sentinel}/?name=shop`,
    /no master of the name/,
  ],
  [
    'unreachable',
    'Sentinel with a dead master',
    () => `redis+sentinel://127.0.0.1:${at.sentinel}/?name=loyalty`,
    /ECONNREFUSED/,
  ],
  ['wrong_address', 'no Sentinel there', () => `redis+sentinel://127.0.0.1:${at.open}/?name=a`, /no Sentinel/],
  ['cluster_down', 'a cluster without slots', () => nodes('nodeA', 'nodeB'), /is down/],
  ['cluster_down', 'a cluster that is down and half gone', () => nodes('nothing', 'nodeB'), /is down/],
  ['wrong_address', 'single servers as a cluster', () => nodes('open', 'open'), /is no cluster/],
  ['unreachable', 'a cluster that is gone', () => nodes('nothing', 'nothing'), /127\.0\.0\.1/],
];

function nodes(one: string, other: string): string {
  return `redis://:${WRONG}@127.0.0.1:${at[one]},127.0.0.1:${at[other]}`;
}

test.each(cases)('%s: %s', async (cause, _, url, told) => {
  const { redisWatch, connection, lines, close } = watch(url());
  await until('the cause', () => redisWatch.trouble?.cause === cause, 20_000);
  // Looked at again and again, told once.
  const first = redisWatch.trouble;
  await until('another look', () => redisWatch.trouble !== first, 20_000);
  close();
  expect(redisWatch.reason).toMatch(told);
  expect(connection.isAvailable).toBe(cause === 'no_permission');
  const tellings = lines.filter((line) => line.cause === cause);
  expect(tellings).toHaveLength(1);
  expect(tellings[0]).toMatchObject({ level: 40, reason: expect.stringMatching(told) });
  expect(tellings[0]?.msg).toBe(connection.isAvailable ? 'redis refuses writes' : 'redis unreachable');
  const said = `${JSON.stringify(lines)} ${redisWatch.reason}`;
  for (const text of [PASSWORD, ENCODED, WRONG, decodeURIComponent(WRONG), 'staple', 'horse']) {
    expect(said).not.toContain(text);
  }
});

test('clients closed while a certificate is refused, three hundred of them, end no process', async () => {
  const open = `
    import { openClient } from './src/redis/client.ts';
    import { parseRedisAddress } from './src/redis/address.ts';
    const open = () => openClient(parseRedisAddress('rediss://127.0.0.1:${at.tls}'), 'test').on('error', () => {});
    for (let round = 0; round < 15; round += 1) {
      const clients = Array.from({ length: 20 }, open);
      await new Promise((resolve) => setTimeout(resolve, 3 * round));
      for (const each of clients) each.disconnect();
    }`;
  expect(await runNode(`${open} console.log('well')`, {})).toBe('well');
});

test('tls_failed: a server that wants a certificate of the client', async () => {
  // The authority is read when a process starts.
  const ask = `
    import { Connection } from './src/redis/connection.ts';
    import { parseRedisAddress } from './src/redis/address.ts';
    for (const port of [${at.mutual}, ${at.tls}]) {
      const connection = new Connection(parseRedisAddress('rediss://127.0.0.1:' + port), 'test');
      while (!connection.isAvailable && !connection.trouble) await new Promise((resolve) => setTimeout(resolve, 20));
      console.log(connection.trouble?.cause ?? 'well');
      connection.close();
    }`;
  expect(await runNode(ask, { NODE_EXTRA_CA_CERTS: cert })).toBe('tls_failed\nwell');
});

test('no_answer: a server that hangs; then well again, and said once', async () => {
  const { redisWatch, lines, close } = watch(open.url);
  await until('a calm look', () => redisWatch.reason === undefined);
  open.pause();
  try {
    await until('the cause', () => redisWatch.trouble?.cause === 'no_answer', 20_000);
  } finally {
    open.resume();
  }
  await until('the end', () => redisWatch.reason === undefined, 20_000);
  close();
  expect(lines.map(({ msg, cause }) => [msg, cause])).toEqual([
    ['redis unreachable', 'no_answer'],
    ['redis reachable again', 'no_answer'],
  ]);
});

const refusals: [cause: string, begin: [string, string], end: [string, string]][] = [
  ['out_of_memory', ['maxmemory', '1'], ['maxmemory', '0']],
  ['not_writable', ['min-replicas-to-write', '1'], ['min-replicas-to-write', '0']],
];

test.each(refusals)('%s: reached, but no write is taken; then it is', async (cause, begin, end) => {
  const { redisWatch, connection, lines, close } = watch(open.url);
  await until('a calm look', () => redisWatch.reason === undefined);
  await open.client.config('SET', ...begin);
  try {
    await until('the cause', () => redisWatch.trouble?.cause === cause);
    expect(connection.isAvailable).toBe(true);
  } finally {
    await open.client.config('SET', ...end);
  }
  await until('the end', () => redisWatch.reason === undefined);
  close();
  expect(tellingsBesideSilence(lines)).toEqual([
    ['redis refuses writes', cause],
    ['redis takes writes again', cause],
  ]);
  expect(await open.client.dbsize()).toBe(0);
});

test('read_only: a master that became a replica', async () => {
  const { redisWatch, close } = watch(open.url);
  await open.client.replicaof('127.0.0.1', '1');
  try {
    await until('the cause', () => redisWatch.trouble?.cause === 'read_only');
  } finally {
    await open.client.replicaof('NO', 'ONE');
  }
  await until('the end', () => redisWatch.reason === undefined);
  close();
});

test('a database that was refused is not replaced by another one', async () => {
  const { connection, redisWatch, close } = watch(`redis://127.0.0.1:${at.open}/99`);
  let wasReady = false;
  connection.on('ready', () => {
    wasReady = true;
  });
  await until('the cause', () => redisWatch.trouble?.cause === 'wrong_address');
  const first = redisWatch.trouble;
  await until('another look', () => redisWatch.trouble !== first);
  close();
  expect([wasReady, connection.isAvailable]).toEqual([false, false]);
});

test('a cause is one word of the set, and loading says how far it is', () => {
  expect(new Set(REDIS_CAUSES).size).toBe(REDIS_CAUSES.length);
  for (const cause of REDIS_CAUSES) expect(cause).toMatch(/^[a-z_]+$/);
  expect(describeTrouble({ cause: 'loading', detail: '43 %, about 12 s left' })).toBe('loading 43 %, about 12 s left');
});
