/** Commands on a real Redis Cluster: each goes to the master of its slot, also of slots that move under way. */
import { afterAll, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { slotOf } from '../../src/redis/key-slot.ts';
import { placeOfServer } from '../../src/redis/masters.ts';
import { memberToken } from '../../src/store/keys.ts';
import { readAnswered } from '../../src/store/stored-calculation.ts';
import { callCommand } from '../support/call-command.ts';
import { until } from '../support/wait.ts';
import { useCluster } from './use-cluster.ts';

const on = useCluster({ replicas: 0 });

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
process.on('unhandledRejection', note);
afterAll(() => {
  process.off('unhandledRejection', note);
});

/** Executions of a command at a node by its clients. */
async function callsOf(port: number, command: string): Promise<number> {
  const stats = await on.cluster.ask(port, (node) => node.info('commandstats'));
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

test('a slot is the one that Redis computes', async () => {
  const [port] = (await on.cluster.masters()) as [number];
  const keys = ['', 'a', '{}', '{}a', 'a{b}c', 'a{b}c{d}', '{b', '{{b}}', 'rød{🌻}', 'loyalty:test:hold:{abc_-}'];
  const slots = await on.cluster.ask(port, (node) => Promise.all(keys.map((key) => node.cluster('KEYSLOT', key))));
  expect(keys.map(slotOf)).toEqual(slots);
});

test('every command goes straight to the master of its slot', async () => {
  const keys = Array.from({ length: 300 }, (_, index) => `key:${index}`);
  await Promise.all(keys.map((key) => callCommand(on.store.connection, 'set', key, key)));
  const replies = await Promise.all(keys.map((key) => callCommand(on.store.connection, 'get', key)));
  expect(replies.map(String)).toEqual(keys);
  const masters = await on.cluster.masters();
  const refused = await Promise.all(
    masters.map((port) =>
      on.cluster.ask(
        port,
        async (node) => /errorstat_MOVED:count=(\d+)/.exec(await node.info('errorstats'))?.[1] ?? '0',
      ),
    ),
  );
  expect(refused).toEqual(['0', '0', '0']);
});

test('a slot that moves is followed, and no command is carried out twice', async () => {
  const key = 'counter:{moving}';
  let told = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) expect(await callCommand(on.store.connection, 'incr', key)).toBe(++told);
  })();
  await until('some counting', () => told > 20);
  const { source, target } = await on.cluster.moveSlotOf(key, async () => {
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
  expect(await on.cluster.ask(target, (node) => node.get(key))).toBe(String(told));
});

test('a command whose reply was lost with its connection fails, and is not sent again', async () => {
  const key = 'counted:{once}';
  const place = on.store.connection.masters.placeOf(key);
  const server = on.store.connection.servers.find((each) => placeOfServer(each) === place);
  const lost = callCommand(on.store.connection, 'incr', key).catch((error: Error) => error);
  // The commands of a turn leave at its end, and no reply is read before the next.
  await new Promise((resolve) => setImmediate(resolve));
  server?.stream.destroy();
  expect(await lost).toBeInstanceOf(StoreUnavailable);
  await until('a new connection to the master', () => on.store.connection.answering.length === 3);
  const counted = await until('the count', () => callCommand(on.store.connection, 'get', key).catch(() => undefined));
  expect(String(counted)).toBe('1');
});

test('a command that is sent to a dead master, to which its slot moves, fails; no rejection is left to end the process', async () => {
  const key = 'counter:{moved to the dead}';
  const count = () => callCommand(on.store.connection, 'incr', key);
  expect(await count()).toBe(1);
  await on.cluster.moveSlotOf(key, async (target) => {
    expect(await count()).toBe(2);
    await on.cluster.kill(target);
    for (let times = 0; times < 3; times += 1) await expect(count()).rejects.toThrow(StoreUnavailable);
    await on.cluster.start(target);
    await until('the target to serve again', () =>
      count().then(
        () => true,
        () => false,
      ),
    );
  });
  expect(unhandled).toEqual([]);
});

test('a calculation whose master hangs is not waited for: reading it is refused, with the name of that master', async () => {
  const { cluster, store } = on;
  const { masters } = store.connection;
  const anna = memberToken('coffee-club', 'anna');
  const place = masters.placeOf(store.keys.calculation(anna, 'id')) as string;
  const port = Number(place.split(':')[1]);
  let read: Promise<unknown>;
  cluster.signal(port, 'SIGSTOP');
  try {
    await until('the master to be missed', () => masters.away.has(place));
    read = readAnswered(store, { member: anna, calculationId: 'id' }).catch((error: Error) => error);
  } finally {
    cluster.signal(port, 'SIGCONT');
  }
  expect(await read).toMatchObject({ redisCause: 'master_away', server: place });
  await until('the master to be back', () => masters.away.size === 0);
});
