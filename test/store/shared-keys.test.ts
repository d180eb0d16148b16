/** Keys that all calls share: a call goes on without the master of a cluster that has one, and never without the only server. */
import { describe, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { slotDeadline } from '../../src/store/redis-clock.ts';
import { awaitShared, orGoWithout, writeToAny } from '../../src/store/spare-key.ts';
import type { Store } from '../../src/store/store.ts';

const storeOf = (isCluster: boolean) => ({ connection: { isCluster } }) as Store;
const [single, cluster] = [storeOf(false), storeOf(true)];
const away = () => Promise.reject(new StoreUnavailable('away'));

describe('a command on a shared key', () => {
  it("that fails is the call's error where there is one server, and a bug is always", async () => {
    expect(await orGoWithout(cluster, away())).toBeUndefined();
    await expect(orGoWithout(single, away())).rejects.toThrow('away');
    await expect(orGoWithout(cluster, Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  });

  it('leaves no timer behind once it is answered', async () => {
    vi.useFakeTimers();
    try {
      for (const command of [Promise.resolve(7), away()]) await orGoWithout(cluster, command);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of a single server is waited for as long as that takes', async () => {
    vi.useFakeTimers();
    try {
      let isOver = false;
      const slow = new Promise<void>((resolve) => setTimeout(resolve, 10_000));
      const waiting = awaitShared(single, slow).then(() => {
        isOver = true;
      });
      await vi.advanceTimersByTimeAsync(9_999);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await waiting;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a write to any of several keys', () => {
  const tries = async (store: Store, fails: (key: string) => Promise<unknown>) => {
    const tried: string[] = [];
    const write = (key: string) => {
      tried.push(key);
      return fails(key);
    };
    const error = await writeToAny(store, ['a', 'b', 'c'], write).catch((reason: Error) => reason.message);
    return [tried.join(''), error];
  };

  it('goes to the first, and to the next one while the master of a cluster is away', async () => {
    const failing =
      (...keys: string[]) =>
      (key: string) =>
        keys.includes(key) ? Promise.reject(new StoreUnavailable(`${key} away`)) : Promise.resolve();
    expect(await tries(cluster, failing())).toEqual(['a', undefined]);
    expect(await tries(cluster, failing('a'))).toEqual(['ab', undefined]);
    expect(await tries(cluster, failing('a', 'b', 'c'))).toEqual(['abc', 'a away']);
    expect(await tries(single, failing())).toEqual(['a', undefined]);
    expect(await tries(single, failing('a'))).toEqual(['a', 'a away']);
    expect(await tries(cluster, () => Promise.reject(new Error('a bug')))).toEqual(['a', 'a bug']);
  });
});

it('a deadline on a single server is by the clock that was read with the entry, and there is none once the time is over', async () => {
  expect(await slotDeadline(single, 'key', { remainingMs: () => 1, redisMs: 7_000.9 })).toBe(7_000);
  for (const left of [0, -1]) {
    await expect(slotDeadline(single, 'key', { remainingMs: () => left, redisMs: 7_000 })).rejects.toThrow(
      'the deadline has passed',
    );
  }
});
