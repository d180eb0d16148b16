/** A call that is not answered leaves nothing in Redis, and one that is answered writes once. */
import { randomUUID } from 'node:crypto';
import { refuse } from '@loyalty/contract/errors';
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../src/calls/call.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { Tokens } from '../../src/store/tokens.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { divertedStore } from '../store/meddled-store.ts';
import type { BasketBody } from '../support/wire.ts';
import { basketNow, CLUB, ofAnna, ofBerit } from './support/club.ts';
import { ask, callOf, interrupted, tellSale, useTill, whilePriced } from './support/till.ts';

const till = useTill(CLUB);
type More = Parameters<typeof ask>[2];

/** All that Redis holds beside the bucket of tokens, as it stands there. */
async function readAll(): Promise<Map<string, string>> {
  const { client } = till.redis;
  const keys = (await client.keys('*')).filter((key) => key !== till.context.store.keys.rate());
  const dumps = await Promise.all(keys.toSorted().map(async (key) => [key, (await client.dump(key)) ?? ''] as const));
  return new Map(dumps);
}

async function expectNothingWritten(call: () => Promise<unknown>): Promise<void> {
  const before = await readAll();
  await call();
  expect(await readAll()).toEqual(before);
}

const codeOf = async (context: CallContext, basket: BasketBody, more?: More) => {
  const { outcome } = await ask(context, basket, more);
  return outcome.kind === 'refusal' ? outcome.refusal.code : outcome.kind;
};
const bytes = (text: string) => new TextEncoder().encode(text);

describe('nothing is written by a call', () => {
  const [wrongTotal] = basketNow([{}], { loyaltyId: 'anna' }).lines;
  const faults: readonly [code: string, basket: () => BasketBody, more?: More][] = [
    ['invalid_request', ofAnna, { body: bytes('{') }],
    ['invalid_request', () => ({ ...ofAnna(), lines: [] })],
    ['invalid_request', ofAnna, { headRefusal: refuse('invalid_request') }],
    ['invalid_request', ofAnna, { calculationId: randomUUID() }],
    ['venue_not_configured', () => ofAnna({ context: { ...ofAnna().context, venueId: 'nowhere' } })],
    ['unknown_currency', () => ofAnna({ currency: 'SEK' })],
    ['arithmetic_mismatch', () => ofAnna({ lines: [{ ...wrongTotal!, orderLinePrice: 1, originalLinePrice: 1 }] })],
  ];

  test.each(faults)('that is wrong: %s', async (code, basketOf, more) => {
    await ask(till.context, ofAnna());
    await expectNothingWritten(async () => expect(await codeOf(till.context, basketOf(), more)).toBe(code));
  });

  test('whose ID another body has, or whose answer is given again', async () => {
    const basket = ofAnna();
    await ask(till.context, basket);
    await expectNothingWritten(async () => {
      expect(await codeOf(till.context, ofAnna({ calculationId: basket.calculationId }))).toBe('idempotency_conflict');
      expect(await codeOf(till.context, { ...basket, currency: 'SEK' })).toBe('idempotency_conflict');
      expect(await codeOf(till.context, basket)).toBe('answer');
    });
  });

  test('that the bucket refuses, whatever its body is; and it reads nothing', async () => {
    const tokens = new Tokens(
      () => till.context.store,
      () => ({ sustained: 0.1, burst: 1 }),
    );
    const context = { ...till.context, tokens };
    const answered = ofAnna();
    await ask(context, answered);
    const refused = { refusal: { code: 'rate_limited', retryAfterSeconds: 10 } };
    await expectNothingWritten(async () => {
      expect((await ask(context, ofAnna())).outcome).toMatchObject(refused);
      // From here on the process knows that the bucket is empty.
      const asked: string[] = [];
      const silent = interrupted(
        till.context.store,
        (key) => asked.push(key) > 0,
        async () => undefined,
      );
      for (const basket of [answered, ofAnna({ currency: 'SEK' })])
        expect((await ask({ ...context, store: silent }, basket)).outcome).toMatchObject(refused);
      expect(asked).toEqual([]);
    });
  });

  test('whose time is over, or whose caller has gone', async () => {
    await expectNothingWritten(async () => {
      const late = ask(till.context, ofAnna(), { deadlineMs: monotonicMs() + 40 });
      await expect(late).rejects.toThrow('the deadline has passed');
      await expect(ask(till.context, ofAnna(), { isOver: () => true })).rejects.toThrow('nobody waits for the call');
    });
  });

  test('while its basket is priced, though it supersedes another one and takes a benefit of it', async () => {
    const first = ofBerit(6);
    await ask(till.context, first);
    let between: Map<string, string> | undefined;
    const context = whilePriced(till.context, async () => {
      between = await readAll();
    });
    const before = await readAll();
    const next = { ...ofBerit(6), supersedesCalculationId: first.calculationId };
    const { answer, facts } = await ask(context, next);
    expect([answer?.total, facts.holdsReleased]).toEqual([42_000, 1]);
    expect(between).toEqual(before);
    expect(await readAll()).not.toEqual(before);
  });

  test('before a sale event is settled, nor for one that is wrong', async () => {
    const basket = ofAnna();
    await ask(till.context, basket);
    await expectNothingWritten(async () => {
      const wrong = await tellSale(till, basket.calculationId, { status: 'eaten' as never });
      expect(wrong.outcome).toMatchObject({ refusal: { code: 'invalid_request' } });
      const head = await tellSale(till, basket.calculationId, {}, { headRefusal: refuse('invalid_request') });
      expect(head.outcome).toMatchObject({ refusal: { code: 'invalid_request' } });
    });
  });
});

describe('an answered basket', () => {
  /** The first keys of the commands that have written, beside the lease of tokens. */
  async function countWrites(call: (context: CallContext) => Promise<unknown>) {
    const { store } = till.context;
    const writing: string[] = [];
    const changes = async () =>
      Number(/rdb_changes_since_last_save:(\d+)/.exec(await till.redis.client.info('persistence'))?.[1]);
    let last = Promise.resolve();
    // One command after the other, each with what it changed.
    const counted = divertedStore(store, (key, send) => {
      const ran = last.then(async () => {
        const before = await changes();
        const reply = await send();
        if ((await changes()) > before) writing.push(key);
        return reply;
      });
      last = ran.then(
        () => undefined,
        () => undefined,
      );
      return ran;
    });
    const tokens = new Tokens(
      () => counted,
      () => ({ sustained: 1_000, burst: 1_000 }),
    );
    await call({ ...till.context, store: counted, tokens });
    return writing.filter((key) => key !== store.keys.rate());
  }

  test('writes once: its ID, its note for expiry, its answer and its hold are one script', async () => {
    await writeMembers(till.context.store, till.context.environment.members);
    const basket = ofAnna();
    const { keys } = till.context.store;
    const writes = await countWrites((context) => ask(context, basket));
    expect(writes).toHaveLength(1);
    const { client } = till.redis;
    const { calculationId } = basket;
    expect(writes[0]).toContain(calculationId);
    expect(await client.exists(keys.index(calculationId))).toBe(1);
    expect(
      await client.zscore(keys.examinations(Number.parseInt(calculationId.slice(-2), 16) % 4), calculationId),
    ).not.toBeNull();
    expect(await client.keys(`*:answer:*${calculationId}`)).toHaveLength(1);
  });

  test('that supersedes another one writes once as well, and its replay not at all', async () => {
    const first = ofAnna();
    await ask(till.context, first);
    const next = ofAnna({ supersedesCalculationId: first.calculationId });
    expect(await countWrites((context) => ask(context, next))).toHaveLength(1);
    expect(await countWrites((context) => ask(context, next))).toEqual([]);
  });
});

test('a call is one turn of the loop in what it sends: nothing of the read waits for another read', async () => {
  const sent: string[] = [];
  const context = { ...till.context };
  const { store } = till.context;
  context.store = interrupted(
    store,
    (key) => sent.push(key ?? '') > 0,
    () => new Promise(() => undefined),
  );
  const basket = ofAnna({ supersedesCalculationId: randomUUID() });
  // It is asked no more of the call, which ends with the connection where it still waits for its token.
  void ask(context, basket).catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  const { calculationId, supersedesCalculationId } = callOf(basket) && basket;
  expect(sent).toEqual(
    expect.arrayContaining([store.keys.index(calculationId), store.keys.index(supersedesCalculationId!)]),
  );
  expect(sent.some((key) => key.includes(':member:') || key.includes(':use:'))).toBe(true);
});
