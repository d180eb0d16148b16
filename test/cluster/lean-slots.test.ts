/** The hot path's own connections on a real Redis Cluster: one for each master, and slots that move under way. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { callCommand } from '../../src/redis/commands.ts';
import { Connection } from '../../src/redis/connection.ts';
import { slotOf } from '../../src/redis/key-slot.ts';
import { cleanUp } from '../support/cleanup.ts';
import { until } from '../support/wait.ts';
import { RedisCluster } from './redis-cluster.ts';

let cluster: RedisCluster;
let connection: Connection;
beforeAll(async () => {
  cluster = await RedisCluster.launch();
  connection = new Connection(parseRedisAddress(cluster.url) as RedisAddress, 'lean-slots');
  await until('a second connection to each master', async () => {
    const counts = await Promise.all((await cluster.masters()).map(connectionsOf));
    return counts.every((count) => count === 2);
  });
});
afterAll(async () => {
  connection.close();
  await cluster.stop();
  cleanUp();
});

/** Connections of ours at a node. */
async function connectionsOf(port: number): Promise<number> {
  const list = (await cluster.ask(port, (node) => node.client('LIST'))) as string;
  return list.split('\n').filter((line) => line.includes('name=lean-slots')).length;
}

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
