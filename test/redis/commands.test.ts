/**
 * Commands of calls: replies in every form and cut, one write a turn, and what becomes of a command when the connection is
 * lost, or answered with something unexpected.
 */
import { ReplyError } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { RedisProxy } from '../faults/proxy.ts';
import { callCommand } from '../support/call-command.ts';
import { cleanUp } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';

let redis: RedisServer;
let proxy: RedisProxy;
const opened: Connection[] = [];

beforeAll(async () => {
  redis = await RedisServer.launch();
  proxy = await RedisProxy.start(redis.socket);
});
beforeEach(async () => {
  proxy.heal();
  for (const connection of opened.splice(0)) connection.close();
  await redis.client.flushall();
});
afterAll(async () => {
  for (const connection of opened) connection.close();
  await proxy.close();
  await redis.stop();
  cleanUp();
});

async function open(address: RedisAddress = { kind: 'socket', path: redis.socket }): Promise<Connection> {
  const connection = new Connection(address, 'test');
  opened.push(connection);
  await until('a connection', () => connection.isAvailable);
  return connection;
}

const throughProxy = () => open({ ...NO_ACCESS, node: { host: '127.0.0.1', port: proxy.port } });
const NO_ACCESS = {
  kind: 'single',
  access: { username: undefined, password: undefined, database: 0, isTls: false },
} as const;

test.each([0, 1, 2, 5])('replies of every form, in packets of %i bytes', async (sliceBytes) => {
  const connection = await throughProxy();
  proxy.sliceBytes = sliceBytes;
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const evaluate = (script: string, ...args: (string | Buffer)[]) =>
    callCommand(connection, 'eval', script, 0, ...args);
  expect(
    await Promise.all([
      callCommand(connection, 'set', 'bytes', bytes),
      callCommand(connection, 'get', 'bytes'),
      callCommand(connection, 'get', 'nothing'),
      callCommand(connection, 'set', 'text', 'rød 🌻\ud800'),
      callCommand(connection, 'get', 'text'),
      callCommand(connection, 'set', 'empty', ''),
      callCommand(connection, 'get', 'empty'),
      evaluate('return { 1, -20, false, {}, { "a\\r\\n", { ARGV[1] } } }', 'é'),
      evaluate('return 9007199254740900'),
    ]),
  ).toEqual([
    Buffer.from('OK'),
    bytes,
    null,
    Buffer.from('OK'),
    Buffer.from('rød 🌻\ufffd'),
    Buffer.from('OK'),
    Buffer.from(''),
    [1, -20, null, [], [Buffer.from('a\r\n'), [Buffer.from('é')]]],
    9007199254740900,
  ]);
});

test('commands of one turn leave in one write', async () => {
  const connection = await open();
  const readsOf = async () => Number(/total_reads_processed:(\d+)/.exec(await redis.client.info('stats'))?.[1]);
  const before = await readsOf();
  await Promise.all(Array.from({ length: 200 }, (_, count) => callCommand(connection, 'set', `key:${count}`, count)));
  // The heartbeat and this test's own question come along.
  expect((await readsOf()) - before).toBeLessThan(20);
  expect(await redis.client.dbsize()).toBe(200);
});

test('while calls are shed, replies that come together are handed on a few a turn, in their order', async () => {
  const connection = await open();
  connection.paceReplies(true);
  let answered = 0;
  const all = Array.from({ length: 1000 }, async (_, count) => {
    await callCommand(connection, 'echo', String(count));
    expect(answered).toBe(count);
    answered += 1;
  });
  const most = { ofATurn: 0 };
  for (let before = 0; answered < all.length; before = answered) {
    await new Promise(setImmediate);
    most.ofATurn = Math.max(most.ofATurn, answered - before);
  }
  await Promise.all(all);
  expect(most.ofATurn).toBeLessThanOrEqual(16);
});

test('a reply that has arrived is given although the connection has ended since', async () => {
  const connection = await open();
  const id = String(await callCommand(connection, 'client', 'id'));
  const echoes = Array.from({ length: 200 }, (_, count) => callCommand(connection, 'echo', String(count)));
  const killed = callCommand(connection, 'client', 'kill', 'id', id, 'skipme', 'no');
  expect((await Promise.all(echoes)).map(String)).toEqual(echoes.map((_, count) => String(count)));
  await killed;
});

test('an error reply is an error, and those behind it get their own replies', async () => {
  const connection = await open();
  await redis.client.lpush('list', 'x');
  const [wrong, right] = await Promise.allSettled([
    callCommand(connection, 'get', 'list'),
    callCommand(connection, 'llen', 'list'),
  ]);
  expect(wrong).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/^WRONGTYPE/) } });
  expect((wrong as PromiseRejectedResult).reason).toBeInstanceOf(ReplyError);
  expect(right).toMatchObject({ value: 1 });
});

test('a command whose reply is lost fails, and is not sent again', async () => {
  const connection = await throughProxy();
  proxy.ambush('counted', { kind: 'reset after' });
  await expect(callCommand(connection, 'incr', 'counted')).rejects.toBeInstanceOf(StoreUnavailable);
  await until('the connection to be back', () => connection.isAvailable);
  expect(await redis.client.get('counted')).toBe('1');
});

test('another protocol ends the connection and the command with it', async () => {
  const connection = await throughProxy();
  proxy.ambush('garbled', { kind: 'garbage', bytes: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') });
  await expect(callCommand(connection, 'get', 'garbled')).rejects.toBeInstanceOf(StoreUnavailable);
  await until('the connection to be back', () => connection.isAvailable);
});

test('closing settles what waits', async () => {
  const connection = await open();
  redis.pause();
  const waiting = callCommand(connection, 'get', 'key');
  await new Promise(setImmediate);
  connection.close();
  await expect(waiting).rejects.toBeInstanceOf(StoreUnavailable);
  redis.resume();
});

test('the database of the address is used', async () => {
  const node = { host: '127.0.0.1', port: proxy.port };
  const connection = await open({ ...NO_ACCESS, node, access: { ...NO_ACCESS.access, database: 3 } });
  await callCommand(connection, 'set', 'here', '1');
  expect(await redis.client.info('keyspace')).toMatch(/db3:keys=1/);
});
