/** What histories of limits over all members are played on: one Redis behind two proxies, or any Redis without faults. */
import { parseRedisAddress, type RedisAddress } from '../../../src/redis/address.ts';
import { Connection } from '../../../src/redis/connection.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { RedisProxy } from '../../faults/proxy.ts';
import { shaOf } from '../../faults/support.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { until } from '../../support/wait.ts';
import { type CommonStage, PERIODS } from './play.ts';

export interface OpenStage extends CommonStage {
  close(): Promise<void>;
}

/** Two processes' connections and one that looks. */
export async function openCommonStage(address: RedisAddress): Promise<OpenStage> {
  const stores = await Promise.all([openStore(address), openStore(address), openStore(address)]);
  return { stores: [stores[0]!, stores[1]!], eye: stores[2]!, close: async () => closeAll(stores) };
}

/** One Redis that keeps every acknowledged write, and may be cut off from either process, or killed. */
export async function openFaultyStage(): Promise<OpenStage> {
  const redis = await RedisServer.launch(['--appendfsync', 'always']);
  const proxies = [await RedisProxy.start(redis.socket, 1), await RedisProxy.start(redis.socket, 2)];
  const addresses = proxies.map(({ url }) => parseRedisAddress(url) as RedisAddress);
  const stores = await Promise.all([...addresses, { kind: 'socket', path: redis.socket } as const].map(openStore));
  const untilThere = () =>
    until('every connection to be there', () => stores.every(({ connection }) => connection.isAvailable));
  return {
    ...{ stores: [stores[0]!, stores[1]!], eye: stores[2]! },
    kill: async () => {
      await redis.kill();
      await redis.start();
      await untilThere();
    },
    broken: async (process, script, ambush, work) => {
      const proxy = proxies[process]!;
      proxy.ambush(shaOf(script), { kind: ambush });
      await work().finally(() => proxy.disarm());
      await untilThere();
    },
    close: async () => {
      closeAll(stores);
      for (const proxy of proxies) await proxy.close();
      await redis.stop();
    },
  };
}

async function openStore(address: RedisAddress): Promise<Store> {
  const connection = new Connection(address, 'test');
  await until('the connection to be ready', () => connection.isAvailable);
  return { connection, keys: createKeys('model'), periods: PERIODS };
}

function closeAll(stores: readonly Store[]): void {
  for (const { connection } of stores) connection.close();
}
