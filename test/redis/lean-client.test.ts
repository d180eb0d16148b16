/**
 * The hot path's own connection: replies in every form and cut, one write a turn, and what becomes of a command when the
 * connection is lost, silent, refused or answered with something unexpected. `CLIENT ID` tells which connection carried it.
 */
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RedisAddress } from '../../src/redis/address.ts';
import { callCommand } from '../../src/redis/commands.ts';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { type Reply, ReplyError } from '../../src/redis/reply-reader.ts';
import { RedisProxy } from '../faults/proxy.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until, within } from '../support/wait.ts';

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

const clientId = (connection: Connection) => callCommand(connection, 'client', 'id');
const ioredisId = (connection: Connection) => connection.client.call('CLIENT', 'ID');

/** True when the hot path has a connection of its own. */
async function hasLink(connection: Connection): Promise<boolean> {
  if (!connection.isAvailable) return false;
  return (await clientId(connection)) !== (await ioredisId(connection));
}

async function open(address: RedisAddress = { kind: 'socket', path: redis.socket }): Promise<Connection> {
  const connection = new Connection(address, 'test');
  opened.push(connection);
  await until('a connection of the hot path', () => hasLink(connection));
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
      evaluate('return 9007199254740991'),
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
    9007199254740991,
  ]);
});

test('commands of one turn leave in one write', async () => {
  const connection = await open();
  const readsOf = async () => Number(/total_reads_processed:(\d+)/.exec(await redis.client.info('stats'))?.[1]);
  const before = await readsOf();
  await Promise.all(Array.from({ length: 200 }, (_, count) => callCommand(connection, 'set', `key:${count}`, count)));
  // The heartbeats of both connections and this test's own question come along.
  expect((await readsOf()) - before).toBeLessThan(20);
  expect(await redis.client.dbsize()).toBe(200);
});

test('replies that come together are handed on a few a turn, so that other sockets are not kept waiting', async () => {
  const connection = await open();
  let answered = 0;
  const all = Array.from({ length: 200 }, async (_, count) => {
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
  const id = String(await clientId(connection));
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
  await until('both connections to be back', () => hasLink(connection));
  expect(await redis.client.get('counted')).toBe('1');
});

test.each([
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['a reply without its end', '$3\r\nabcde'],
  ['a number that is none', ':1x\r\n'],
])('%s ends the connection and the command with it', async (_, text) => {
  const connection = await throughProxy();
  proxy.ambush('garbled', { kind: 'garbage', bytes: Buffer.from(text) });
  await expect(callCommand(connection, 'get', 'garbled')).rejects.toBeInstanceOf(StoreUnavailable);
  await until('a connection to be back', () => hasLink(connection));
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

test('while its own connection is gone, ioredis carries the commands; then it is back', async () => {
  const connection = await open();
  const id = String(await clientId(connection));
  await redis.client.call('CLIENT', 'KILL', 'ID', id);
  expect(connection.isAvailable).toBe(true);
  await until('ioredis to carry a command', async () => {
    const carrier = await clientId(connection).catch((error) => {
      // The first one may have left before its connection was known to be gone.
      expect(error).toBeInstanceOf(StoreUnavailable);
    });
    return carrier === (await ioredisId(connection));
  });
  await until('a connection of its own', () => hasLink(connection));
});

test('a connection that falls silent alone is left out, and replaced', async () => {
  const relay = await Relay.start();
  const connection = await open({ kind: 'socket', path: relay.path });
  const id = await clientId(connection);
  relay.freezeNewest();
  const lost = callCommand(connection, 'get', 'key').catch((error: Error) => error);
  const seen = () => within(clientId(connection), 100).catch(() => undefined);
  await until('ioredis to carry the commands', async () => (await seen()) !== undefined);
  expect(connection.isAvailable).toBe(true);
  expect(await clientId(connection)).toBe(await ioredisId(connection));
  expect(await lost).toBeInstanceOf(StoreUnavailable);
  await until('another connection', () => hasLink(connection));
  expect(await clientId(connection)).not.toBe(id);
  connection.close();
  relay.close();
});

test('a server that refuses the password for a second connection is served through ioredis', async () => {
  await redis.client.acl('SETUSER', 'shop', 'on', '>old', '~*', '+@all');
  const access = { ...NO_ACCESS.access, username: 'shop', password: 'old' };
  const connection = await open({ ...NO_ACCESS, node: { host: '127.0.0.1', port: proxy.port }, access });
  await redis.client.acl('SETUSER', 'shop', '<old', '>new');
  await redis.client.call('CLIENT', 'KILL', 'ID', String(await clientId(connection)));
  await until('ioredis to carry the commands', async () => {
    const seen = await clientId(connection).catch(() => undefined);
    return seen !== undefined && seen === (await ioredisId(connection));
  });
  expect(await callCommand(connection, 'set', 'key', 'value')).toEqual(Buffer.from('OK'));
  await redis.client.acl('DELUSER', 'shop');
});

test('the database of the address is used', async () => {
  const node = { host: '127.0.0.1', port: proxy.port };
  const connection = await open({ ...NO_ACCESS, node, access: { ...NO_ACCESS.access, database: 3 } });
  await callCommand(connection, 'set', 'here', '1');
  expect(await redis.client.info('keyspace')).toMatch(/db3:keys=1/);
});

test('the queue lets go of what it has answered, though it is never empty', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const connection = await open();
  const kept: WeakRef<Reply & object>[] = [];
  let last: Promise<Reply> = callCommand(connection, 'ping', 'first');
  for (let count = 0; count < 3000; count += 1) {
    // The next command is on its way before the last one is answered.
    const next = callCommand(connection, 'echo', `reply ${count}`);
    kept.push(new WeakRef((await last) as Buffer));
    last = next;
    await new Promise(setImmediate);
  }
  collect();
  expect(kept.filter((reference) => reference.deref()).length).toBeLessThan(300);
  await last;
});

/** Passes bytes on in both directions, and can stop doing so for one connection while it stays open. */
class Relay {
  readonly path = join(temporaryDirectory(), 'relay.sock');
  readonly #sockets: Socket[] = [];
  readonly #frozen = new WeakSet<Socket>();
  readonly #server = createServer((client) => {
    const server = createConnection(redis.socket);
    this.#sockets.push(client, server);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (chunk) => this.#frozen.has(client) || to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });

  static start(): Promise<Relay> {
    const relay = new Relay();
    return new Promise<Relay>((resolve) => relay.#server.listen(relay.path, () => resolve(relay)));
  }

  freezeNewest(): void {
    this.#frozen.add(this.#sockets.at(-2) as Socket);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
