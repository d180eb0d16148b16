/** A master dies while a slot moves to it: what the source answers with ASK fails, and nothing else does. */
import { afterAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { cleanUp } from '../support/cleanup.ts';
import { until } from '../support/wait.ts';
import { RedisCluster } from './redis-cluster.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
process.on('unhandledRejection', note);
afterAll(() => {
  process.off('unhandledRejection', note);
  cleanUp();
});

test('a command that is sent to a dead master fails, and no rejection is left to end the process', async () => {
  const cluster = await RedisCluster.launch({ replicas: 0 });
  const connection = new Connection(parseRedisAddress(cluster.url) as RedisAddress, 'test');
  try {
    await until('every master to be known', () => connection.isAvailable && connection.masters.places.length === 3);
    const key = 'counter:{moving}';
    const count = () => connection.run((client) => client.incr(key));
    expect(await count()).toBe(1);
    await cluster.moveSlotOf(key, async (target) => {
      expect(await count()).toBe(2);
      await cluster.kill(target);
      for (let times = 0; times < 3; times += 1) await expect(count()).rejects.toThrow(StoreUnavailable);
      await cluster.start(target);
      await until('the target to serve again', () =>
        count().then(
          () => true,
          () => false,
        ),
      );
    });
    expect(unhandled).toEqual([]);
  } finally {
    connection.close();
    await cluster.stop();
  }
});
