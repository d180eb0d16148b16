/** The nodes of a cluster have clocks of their own: what is judged by one of them must not be timed by another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { expectUnavailable, KEYS } from '../faults/support.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { type Caller, patiently } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { SkewedPair } from './skewed-pair.ts';

const HOUR_MS = 3_600_000;
const MEMBERS = 12;

/** Baskets of as many members, all of whom have a limited benefit; each test has members of its own. */
const baskets = (first: number) =>
  Array.from({ length: MEMBERS }, (_, at) => basketOf([{}], { loyaltyId: `guest-${first + at}` }));

describe.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('one node an hour %s of the other', (_, skewMs) => {
  let cluster: SkewedPair;
  let service: Service;
  let caller: Caller;
  beforeAll(async () => {
    cluster = await SkewedPair.launch([0, skewMs]);
    const configuration = configurationOf({ moreMembers: singleUseMembers('guest', 2 * MEMBERS) });
    service = await Service.start({ configuration, redisUrl: cluster.url });
    caller = service.newCaller({ isPatient: false });
  });
  afterAll(async () => {
    await service?.stop();
    await cluster?.stop();
    cleanUp();
  });

  test('sale events are recorded wherever their member, their index and the rate limit live', async () => {
    const homes = new Set<number>();
    for (const basket of baskets(0)) {
      const { calculationId } = basket;
      homes.add((await cluster.nodeOf(KEYS.hold(memberToken('coffee-club', basket.loyaltyId)))).port);
      homes.add((await cluster.nodeOf(KEYS.index(calculationId))).port);
      expect((await patiently(() => caller.basket(basket))).json().status).toBe('applied');
      const sold = await patiently(() => caller.sale(saleOf(calculationId)));
      expect(['recorded', 'duplicate']).toContain(sold.json<{ result: string }>().result);
      const unheard = saleOf(basketOf().calculationId, 'failed');
      const unknown = await patiently(() => caller.sale(unheard));
      expect(unknown.json()).toEqual({ result: 'unknown_calculation' });
    }
    expect(homes.size).toBe(2);
  });

  test('a sale that was refused is not booked when its node goes on', async () => {
    const rate = await cluster.nodeOf(KEYS.rate());
    let tried = 0;
    for (const basket of baskets(MEMBERS)) {
      const token = memberToken('coffee-club', basket.loyaltyId);
      const home = await cluster.nodeOf(KEYS.hold(token));
      if (home === rate) continue;
      tried += 1;
      expect((await patiently(() => caller.basket(basket))).json().status).toBe('applied');
      home.hangAt('settle-sale');
      expectUnavailable(await caller.sale(saleOf(basket.calculationId)));
      home.release();
      await until('the node to answer', async () => (await caller.basket(basket)).status === 200);
      expect(await home.client.hget(KEYS.calculation(token, basket.calculationId), 'state')).toBe('open');
      if (tried === 2) break;
    }
    expect(tried).toBe(2);
  });
});
