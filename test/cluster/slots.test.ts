/** Commands on a real Redis Cluster: each goes to the master of its slot, also of slots that move under way. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { callCommand } from '../../src/redis/commands.ts';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { slotOf } from '../../src/redis/key-slot.ts';
import { placeOfServer } from '../../src/redis/masters.ts';
import { cleanUp } from '../support/cleanup.ts';
import { until } from '../support/wait.ts';
import { RedisCluster } from './redis-cluster.ts';

let cluster: RedisCluster;
let connection: Connection;
beforeAll(async () => {
  cluster = await RedisCluster.launch();
  connection = new Connection(parseRedisAddress(cluster.url) as RedisAddress, 'slots');
  await until('a connection to each master', () => connection.answering.length === 3);
});
afterAll(async () => {
  connection.close();
  await cluster.stop();
  cleanUp();
});

/** Executions of a command at a node by its clients. */
async function callsOf(port: number, command: string): Promise<number> {
  const stats = await cluster.ask(port, (node) => node.info('commandstats'));
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

test('a slot is the one that Redis computes', async () => {
  const [port] = (await cluster.masters()) as [number];
  const keys = ['', 'a', '{}', '{}a', 'a{b}c', 'a{b}c{d}', '{b', '{{b}}', 'rød{🌻}', 'loyalty:test:hold:{abc_-}'];
  const slots = await cluster.ask(port, (node) => Promise.all(keys.map((key) => node.cluster('KEYSLOT', key))));
  expect(keys.map(slotOf)).toEqual(slots);
});

test('every command goes straight to the master of its slot', async () => {
  const keys = Array.from({ length: 300 }, (_, index) => `key:${index}`);
  await Promise.all(keys.map((key) => callCommand(connection, 'set', key, key)));
  const replies = await Promise.all(keys.map((key) => callCommand(connection, 'get', key)));
  expect(replies.map(String)).toEqual(keys);
  const masters = await cluster.masters();
  const refused = await Promise.all(
    masters.map((port) =>
      cluster.ask(port, async (node) => /errorstat_MOVED:count=(\d+)/.exec(await node.info('errorstats'))?.[1] ?? '0'),
    ),
  );
  expect(refused).toEqual(['0', '0', '0']);
});

test('a slot that moves is followed, and no command is carried out twice', async () => {
  const key = 'counter:{moving}';
  let told = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) expect(await callCommand(connection, 'incr', key)).toBe(++told);
  })();
  await until('some counting', () => told > 20);
  const { source, target } = await cluster.moveSlotOf(key, async () => {
    // From here on the source answers ASK for the key.
    const asked = told;
    await until('some counting', () => told > asked + 20);
  });
  // And from here on MOVED, until the slots are known.
  const moved = told;
  await until('some counting', () => told > moved + 20);
  await until('the counts to reach the target without a detour', async () => {
    const before = await callsOf(source, 'incr');
    const seen = told;
    await until('some counting', () => told > seen + 20);
    return (await callsOf(source, 'incr')) === before;
  });
  isOver = true;
  await counting;
  expect(await cluster.ask(target, (node) => node.get(key))).toBe(String(told));
});

test('a command whose reply was lost with its connection fails, and is not sent again', async () => {
  const key = 'counted:{once}';
  const place = connection.masters.placeOf(key);
  const server = connection.servers.find((each) => placeOfServer(each) === place);
  const lost = callCommand(connection, 'incr', key).catch((error: Error) => error);
  // The commands of a turn leave at its end, and no reply is read before the next.
  await new Promise((resolve) => setImmediate(resolve));
  server?.stream.destroy();
  expect(await lost).toBeInstanceOf(StoreUnavailable);
  await until('a new connection to the master', () => connection.answering.length === 3);
  const counted = await until('the count', () => callCommand(connection, 'get', key).catch(() => undefined));
  expect(String(counted)).toBe('1');
});
