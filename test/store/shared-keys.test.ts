/** Keys that all calls share: a call goes on without the master of a cluster that has one, and never without the only server. */
import { describe, expect, it, vi } from 'vitest';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { slotDeadline } from '../../src/store/redis-clock.ts';
import { awaitIfThere, awaitShared, awaitSpare, writeToAny } from '../../src/store/spare-key.ts';
import type { Store } from '../../src/store/store.ts';

const storeOf = (isCluster: boolean) => ({ connection: { isCluster } }) as Store;
const [single, cluster] = [storeOf(false), storeOf(true)];
const away = () => Promise.reject(new StoreUnavailable('away'));
const never = () => new Promise<never>(() => undefined);

describe('a command on a shared key', () => {
  it("is waited for, and its error is the call's where there is one server", async () => {
    expect(await awaitShared(single, Promise.resolve(7))).toBe(7);
    expect(await awaitShared(cluster, Promise.resolve(7))).toBe(7);
    await expect(awaitShared(cluster, away())).rejects.toThrow('away');
    expect(await awaitIfThere(cluster, Promise.resolve(7))).toBe(7);
    await expect(awaitIfThere(single, away())).rejects.toThrow('away');
    await expect(awaitIfThere(cluster, Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  });

  it('of a cluster is given up when its master is away or silent', async () => {
    expect(await awaitIfThere(cluster, away())).toBeUndefined();
    await expect(awaitShared(cluster, never())).rejects.toThrow(StoreUnavailable);
  });

  it('leaves no timer behind once it is answered', async () => {
    vi.useFakeTimers();
    try {
      for (const command of [Promise.resolve(7), away()]) await awaitIfThere(cluster, command);
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

describe('a step that somebody else completes', () => {
  const told: string[] = [];
  const emit = (_: string, { message }: Error) => told.push(message);
  const store = { connection: Object.create(Connection.prototype, { emit: { value: emit } }) } as Store;

  it('is waited for, and its call goes on when it fails; a bug is told', async () => {
    expect(await awaitSpare(store, Promise.resolve(7))).toBe(7);
    expect(await awaitSpare(store, Promise.resolve(7), () => 400)).toBe(7);
    expect(await awaitSpare(store, away())).toBeUndefined();
    expect(await awaitSpare(store, away(), () => 400)).toBeUndefined();
    expect(told).toEqual([]);
    expect(await awaitSpare(store, Promise.reject(new Error('a bug')))).toBeUndefined();
    expect(told).toEqual(['a bug']);
  });

  it('is given up in time for the answer, and at once when that time is over', async () => {
    vi.useFakeTimers();
    try {
      let given = 0;
      for (const remainingMs of [400, 20, -3]) awaitSpare(store, never(), () => remainingMs).then(() => (given += 1));
      await vi.advanceTimersByTimeAsync(1);
      expect(given).toBe(2);
      await vi.advanceTimersByTimeAsync(373);
      expect(given).toBe(2);
      await vi.advanceTimersByTimeAsync(1);
      expect(given).toBe(3);
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
