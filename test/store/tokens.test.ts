/** The rate limit: a bucket for all processes, of which each leases tokens for its calls. */
import { afterEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import type { Store } from '../../src/store/store.ts';
import { type CallKind, type RateLimit, type TokenOutcome, Tokens } from '../../src/store/tokens.ts';
import { sleep, until } from '../support/wait.ts';
import { openStore, useFixture } from './fixture.ts';

const fixture = useFixture();
const others: Store[] = [];
afterEach(() => {
  for (const { connection } of others.splice(0)) connection.close();
});

/** The limit of this process. */
const tokensOf = (limit: RateLimit, store = fixture.store) =>
  new Tokens(
    () => store,
    () => limit,
  );
/** That of another process. */
async function anotherProcess(limit: RateLimit): Promise<Tokens> {
  const store = await openStore(fixture.redis);
  others.push(store);
  return tokensOf(limit, store);
}
/** Calls of one turn of the event loop. */
const takeAll = (tokens: Tokens, count: number, kind: CallKind = 'basket') =>
  Promise.all(Array.from({ length: count }, () => tokens.take(kind)));
const countAllowed = (taken: readonly TokenOutcome[]) => taken.filter(({ isAllowed }) => isAllowed).length;
/** Whether a basket is let in now, which it is not while Redis is silent for a moment. */
async function isAllowed(tokens: Tokens): Promise<boolean> {
  try {
    return (await tokens.take('basket')).isAllowed;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
}
async function countCommands(): Promise<number> {
  const stats = await fixture.redis.client.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('the bucket', () => {
  test('gives a burst, then says exactly when the next token is there', async () => {
    const taken = await takeAll(tokensOf({ sustained: 0.5, burst: 10 }), 12);
    expect(countAllowed(taken)).toBe(10);
    expect(taken.slice(10)).toEqual([
      { isAllowed: false, retryAfterSeconds: 2 },
      { isAllowed: false, retryAfterSeconds: 2 },
    ]);
  });

  test('names whole seconds, at least one', async () => {
    const [, refused] = await takeAll(tokensOf({ sustained: 50, burst: 1 }), 2);
    expect(refused).toEqual({ isAllowed: false, retryAfterSeconds: 1 });
  });

  test('is asked once for calls of one turn, and gives neither more nor less by it', async () => {
    const tokens = tokensOf({ sustained: 0.01, burst: 7 });
    const before = await countCommands();
    const together = await takeAll(tokens, 5);
    expect((await countCommands()) - before).toBe(1);
    const alone: TokenOutcome[] = [];
    for (let call = 0; call < 4; call += 1) alone.push(await tokens.take('basket'));
    expect([...together, ...alone].map(({ isAllowed }) => isAllowed)).toEqual([...Array(7).fill(true), false, false]);
    // The last call was refused without a question: the process knows that there is nothing.
    expect((await countCommands()) - before).toBe(4);
  });

  test('that is empty is not asked again before it can have a token: a flood costs nothing', async () => {
    const tokens = tokensOf({ sustained: 0.01, burst: 1 });
    await takeAll(tokens, 2);
    const before = await countCommands();
    const flood = Array.from({ length: 1_000 }, () => tokens.take('basket'));
    // Each is answered at once.
    expect(flood).toEqual(flood.map(() => ({ isAllowed: false, retryAfterSeconds: 100 })));
    expect(await countCommands()).toBe(before);
  });

  test('that was emptied has a token again as soon as it said', async () => {
    const tokens = tokensOf({ sustained: 10, burst: 1 });
    expect(countAllowed(await takeAll(tokens, 2))).toBe(1);
    await until('the next token', () => isAllowed(tokens));
  });

  test('leaves half of the burst to baskets, whatever sale events come; and each kind has its own refusal', async () => {
    const tokens = tokensOf({ sustained: 0.01, burst: 10 });
    expect(countAllowed(await takeAll(tokens, 10, 'sale'))).toBe(5);
    expect(tokens.take('sale')).toMatchObject({ isAllowed: false });
    expect(countAllowed(await takeAll(tokens, 10))).toBe(5);
  });

  test('of one call lets a sale event in, too', async () => {
    const tokens = tokensOf({ sustained: 0.01, burst: 1 });
    expect(countAllowed(await takeAll(tokens, 2, 'sale'))).toBe(1);
  });

  test('does not lock callers out when the clock of Redis was set back', async () => {
    const { redis, store } = fixture;
    await redis.client.set(store.keys.rate(), String((Date.now() + 3_600_000) * 1000));
    const tokens = tokensOf({ sustained: 20, burst: 2 });
    expect(await tokens.take('basket')).toEqual({ isAllowed: false, retryAfterSeconds: 1 });
    await until('a token', () => isAllowed(tokens));
  });

  test('has the limit that is in force when it is asked', async () => {
    let limit = { sustained: 0.01, burst: 2 };
    const tokens = new Tokens(
      () => fixture.store,
      () => limit,
    );
    expect(countAllowed(await takeAll(tokens, 2))).toBe(2);
    limit = { sustained: 0.01, burst: 5 };
    expect(countAllowed(await takeAll(tokens, 4))).toBe(3);
  });
});

describe('a lease', () => {
  const LIMIT = { sustained: 1_000, burst: 1_000 };

  /** A busy process, which has leased tokens for calls to come. */
  async function busy(tokens: Tokens): Promise<void> {
    await until('a lease', async () => {
      await takeAll(tokens, 20);
      const taken = tokens.take('basket');
      return !(taken instanceof Promise) && taken.isAllowed;
    });
  }

  test('serves calls at once, and is renewed before it ends: few of them ask', async () => {
    const tokens = tokensOf(LIMIT);
    await busy(tokens);
    const before = await countCommands();
    for (let call = 0; call < 30; call += 1) {
      expect(await tokens.take('basket')).toEqual({ isAllowed: true });
      // Each is in a turn of its own, after the reply to whatever the one before has asked.
      await fixture.redis.client.ping();
    }
    expect((await countCommands()) - before).toBeLessThan(15);
  });

  test('is of basket calls alone: each sale event asks, however busy they are', async () => {
    const tokens = tokensOf(LIMIT);
    const before = await countCommands();
    for (let turn = 1; turn <= 10; turn += 1) {
      expect(countAllowed(await takeAll(tokens, 20, 'sale'))).toBe(20);
      expect((await countCommands()) - before).toBe(turn);
    }
  });

  test('that nobody has used lapses, and is not given to a later call', async () => {
    const tokens = tokensOf(LIMIT);
    await busy(tokens);
    await sleep(1_100);
    const before = await countCommands();
    expect(await tokens.take('basket')).toEqual({ isAllowed: true });
    expect(await countCommands()).toBe(before + 1);
  });

  test('lapses a second after it was given, also where a later one was given meanwhile', async () => {
    const tokens = tokensOf(LIMIT);
    await busy(tokens);
    await sleep(600);
    const before = await countCommands();
    while ((await countCommands()) === before) await tokens.take('basket');
    await sleep(600);
    const taken = Array.from({ length: 40 }, () => tokens.take('basket'));
    // The first lease had some 45 tokens, of which half were left. The second one has what a process needs that was quiet meanwhile.
    expect(taken.filter((one) => !(one instanceof Promise)).length).toBeLessThan(12);
    expect(countAllowed(await Promise.all(taken))).toBe(40);
  });

  test('of a quiet process is what waits, and no more', async () => {
    const { redis, store } = fixture;
    const tokens = tokensOf({ sustained: 0.01, burst: 1_000 });
    const arrivalOf = async () => Number(await redis.client.get(store.keys.rate()));
    await tokens.take('basket');
    const before = await arrivalOf();
    await sleep(300);
    await tokens.take('basket');
    // One token more has been taken of the bucket.
    expect((await arrivalOf()) - before).toBe(1e8);
  });

  test('takes nothing ahead of a small bucket: a process that is busy starves no other one', async () => {
    const limit = { sustained: 1, burst: 2 };
    const [tokens, other] = [tokensOf(limit), await anotherProcess(limit)];
    expect(await tokens.take('basket')).toEqual({ isAllowed: true });
    expect(await other.take('basket')).toEqual({ isAllowed: true });
    expect(await tokens.take('basket')).toEqual({ isAllowed: false, retryAfterSeconds: 1 });
    expect(await other.take('basket')).toEqual({ isAllowed: false, retryAfterSeconds: 1 });
    for (const one of [other, tokens]) {
      await until('its turn', () => isAllowed(one));
      expect(one.isLocal).toBe(false);
    }
  });

  test.each([
    [40, 60],
    [1_000, 700],
  ])('of two processes: together they never have more than the burst of %i, and no less', async (burst, each) => {
    const limit = { sustained: 0.001, burst };
    const processes = [tokensOf(limit), await anotherProcess(limit)];
    const taken = await Promise.all(
      processes.map(async (tokens) => {
        let allowed = 0;
        for (let call = 0; call < each; call += 10) allowed += countAllowed(await takeAll(tokens, 10));
        return allowed;
      }),
    );
    expect(taken[0]! + taken[1]!).toBe(burst);
  });

  test('that is lost with its process is all that is lost', async () => {
    const limit = { sustained: 0.001, burst: 1_000 };
    const lost = await anotherProcess(limit);
    let used = 0;
    for (let turn = 0; turn < 5; turn += 1) used += countAllowed(await takeAll(lost, 10));
    // It ends with what it had leased.
    const tokens = tokensOf(limit);
    let left = 0;
    for (let turn = 0; turn < 200; turn += 1) left += countAllowed(await takeAll(tokens, 10));
    expect(used + left).toBeLessThanOrEqual(1_000);
    // The lower half of the bucket is never leased ahead.
    expect(used + left).toBeGreaterThanOrEqual(500);
  });
});

describe('a bucket that cannot be asked', () => {
  test('fails the calls that wait, and is asked again by the next one', async () => {
    const { redis, store } = fixture;
    const tokens = tokensOf({ sustained: 1_000, burst: 1_000 });
    await redis.client.lpush(store.keys.rate(), 'no bucket');
    const ended = await Promise.allSettled([1, 2, 3].map(() => tokens.take('basket')));
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await redis.client.del(store.keys.rate());
    expect(await tokens.take('basket')).toEqual({ isAllowed: true });
  });

  test('on the only server is the failure of the call: no process limits by itself', async () => {
    const store = await openStore(fixture.redis);
    const tokens = tokensOf({ sustained: 1, burst: 1 }, store);
    store.connection.close();
    await expect(tokens.take('basket')).rejects.toThrow(StoreUnavailable);
    expect(tokens.isLocal).toBe(false);
  });
});
