/**
 * One fault at each step that a call takes in Redis. Whatever the step and the fault, the caller sees 503 inside the
 * deadline (or the answer, when the fault came too late to matter), a retry finishes the call, and what then stands in
 * Redis is what one undisturbed call would have left.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { ALL_BASKETS } from '../../src/store/cost-rows.ts';
import { memberToken } from '../../src/store/keys.ts';
import type { Answer } from '../support/answer.ts';
import { patiently } from '../support/caller.ts';
import { until, within } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import type { Ambush } from './proxy.ts';
import {
  DEADLINE_MS,
  eventsOf,
  expectUnavailable,
  guestBasket,
  KEYS,
  saleOf,
  shaOf,
  type Units,
  unitsOf,
  untilServed,
  useFaultyService,
} from './support.ts';

const stage = useFaultyService();

/** A call under test: what goes before it, the call itself, and what must stand in Redis after it was retried. */
interface Flow {
  /** Markers of the requests to Redis, in their order. */
  readonly steps: Readonly<Record<string, string>>;
  prepare(): Promise<{ call: () => Promise<Answer>; verify: (retried: Answer) => Promise<void> }>;
}

const NONE: Units = { consumed: 0, over: 0, held: 0 };
const HELD: Units = { ...NONE, held: 1 };
const CONSUMED: Units = { ...NONE, consumed: 1 };

async function prepareBasket(basket: BasketBody) {
  return {
    call: () => stage.caller.basket(basket),
    async verify(retried: Answer) {
      expect(retried.json().status).toBe('applied');
      expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual(HELD);
    },
  };
}

/** Sales of known calculations, each of which the costs have once. */
let sales = 0;

async function countSold(): Promise<number> {
  const days = await stage.redis.client.keys(KEYS.costRows('*'));
  const rows = await Promise.all(days.map((day) => stage.redis.client.hgetall(day)));
  const all = rows.flatMap((day) => Object.entries(day)).filter(([row]) => row.split(' ')[5] === ALL_BASKETS);
  return all.reduce((sum, [, figures]) => sum + Number(figures.split(' ')[0]), 0);
}

const FLOWS: Readonly<Record<string, Flow>> = {
  'a basket': {
    steps: {
      'rate limit': shaOf('lease-tokens'),
      index: ':index:',
      member: shaOf('read-member'),
      commit: shaOf('commit-calculation'),
    },
    prepare: () => prepareBasket(guestBasket()),
  },
  'a basket whose ID was claimed by a call that died, as on a cluster': {
    steps: { answer: ':answer:{', commit: shaOf('commit-calculation') },
    async prepare() {
      const basket = guestBasket();
      const token = memberToken('coffee-club', basket.loyaltyId);
      await stage.redis.client.set(KEYS.index(basket.calculationId), `${token} print 0 -`);
      return prepareBasket(basket);
    },
  },
  'a replay': {
    steps: { index: ':index:', answer: ':answer:{' },
    async prepare() {
      const basket = guestBasket();
      const first = await stage.patient.basket(basket);
      return {
        call: () => stage.caller.basket(basket),
        async verify(retried) {
          expect(retried.isReplayed).toBe(true);
          expect(retried.text).toBe(first.text);
          expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual(HELD);
        },
      };
    },
  },
  'a sale': {
    steps: {
      'rate limit': shaOf('lease-tokens'),
      settlement: shaOf('settle-sale'),
      receipt: shaOf('note-receipt'),
      mark: shaOf('clear-event'),
    },
    async prepare() {
      const basket = guestBasket();
      await stage.patient.basket(basket);
      const sale = saleOf(basket.calculationId);
      return {
        call: () => stage.caller.sale(sale),
        async verify(retried) {
          expect(['recorded', 'duplicate']).toContain(retried.json().result);
          expect((await stage.patient.sale(sale)).json().result).toBe('duplicate');
          expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual(CONSUMED);
          expect(await eventsOf(stage.redis, basket.calculationId)).toMatchObject([{ result: 'recorded' }]);
          sales += 1;
          await until('the sale to be counted, and none twice', async () => (await countSold()) === sales);
        },
      };
    },
  },
  'a sale of an unknown calculation': {
    steps: { index: shaOf('claim-index'), receipt: shaOf('note-receipt') },
    async prepare() {
      const basket = guestBasket();
      const sale = saleOf(basket.calculationId);
      return {
        call: () => stage.caller.sale(sale),
        async verify(retried) {
          expect(retried.json().result).toBe('unknown_calculation');
          expect(await eventsOf(stage.redis, basket.calculationId)).toMatchObject([{ result: 'unknown_calculation' }]);
          // The tombstone stands: the late basket is answered and holds nothing.
          expect((await stage.patient.basket(basket)).status).toBe(200);
          expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual(NONE);
        },
      };
    },
  },
  'a supersession': {
    steps: { commit: shaOf('commit-calculation') },
    async prepare() {
      const first = guestBasket();
      await stage.patient.basket(first);
      const second = guestBasket({ loyaltyId: first.loyaltyId, supersedesCalculationId: first.calculationId });
      return {
        call: () => stage.caller.basket(second),
        async verify(retried) {
          expect(retried.json().status).toBe('applied');
          expect(await unitsOf(stage.redis, first.loyaltyId)).toEqual(HELD);
        },
      };
    },
  },
  'a supersession of another member': {
    steps: { commit: shaOf('commit-calculation'), release: shaOf('release-superseded'), mark: 'hdel' },
    async prepare() {
      const first = guestBasket();
      await stage.patient.basket(first);
      const second = guestBasket({ supersedesCalculationId: first.calculationId });
      return {
        call: () => stage.caller.basket(second),
        async verify(retried) {
          expect(retried.json().status).toBe('applied');
          expect(await unitsOf(stage.redis, first.loyaltyId)).toEqual(NONE);
          expect(await unitsOf(stage.redis, second.loyaltyId)).toEqual(HELD);
        },
      };
    },
  },
  'a supersession of an unknown calculation': {
    steps: { commit: shaOf('commit-calculation') },
    async prepare() {
      const first = guestBasket();
      const second = guestBasket({ supersedesCalculationId: first.calculationId });
      return {
        call: () => stage.caller.basket(second),
        async verify(retried) {
          expect(retried.json().status).toBe('applied');
          expect((await stage.patient.basket(first)).status).toBe(200);
          expect(await unitsOf(stage.redis, first.loyaltyId)).toEqual(NONE);
          expect(await unitsOf(stage.redis, second.loyaltyId)).toEqual(HELD);
        },
      };
    },
  },
};

const FAULTS: readonly Ambush[] = [
  { kind: 'hang' },
  { kind: 'reset before' },
  { kind: 'reset after' },
  { kind: 'truncate', bytes: 1 },
  { kind: 'garbage', bytes: Buffer.from(`\0\xff!${randomUUID()}\r\n`, 'latin1') },
];

afterEach(async () => {
  stage.proxy.heal();
  await untilServed(stage.caller);
});

for (const [name, flow] of Object.entries(FLOWS)) {
  describe(name, () => {
    const cases = Object.entries(flow.steps).flatMap(([step, marker]) =>
      FAULTS.map((fault) => [fault.kind, step, marker, fault] as const),
    );
    test.each(cases)('%s at its %s', async (kind, _step, marker, fault) => {
      const { call, verify } = await flow.prepare();
      const armed = stage.proxy.ambush(marker, fault);
      // On a busy machine the call may be refused before it comes to its step, and is then made again.
      const answer = await until('the ambushed request to be sent', async () => {
        const given = await call();
        return (
          (await within(
            armed.sprung.then(() => true),
            DEADLINE_MS,
          )) && given
        );
      });
      if (answer.status !== 200) expectUnavailable(answer);
      stage.proxy.heal();
      await untilServed(stage.caller);
      const retried = await patiently(call);
      expect(retried.status, `after ${kind}: ${retried.text}`).toBe(200);
      await verify(retried);
    });
  });
}
