/** The event of a sale tells what each benefit gave, so that points and stamps can be counted from the stream. */
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody } from '../support/wire.ts';

const KINDS = [
  {
    benefitId: 'coffee-half',
    kind: 'line_percent',
    percent: 50,
    maximumUnits: 2,
    appliesTo: { productGroupIds: ['coffee'] },
  },
  { benefitId: 'order-10', kind: 'order_percent', percent: 10 },
  { benefitId: 'bun-gift', kind: 'free_product', productId: '4711', when: { venueIds: ['oslo-central'] } },
] as const;

const configuration = configurationOf({
  programme: { benefits: [TWENTY, SINGLE_USE, ...(KINDS as unknown as [])] },
  moreMembers: [memberOf('stamps')],
});
const stage = useSharedService(configuration);

async function eventOf(calculationId: string): Promise<Record<string, string>> {
  for (let stream = 0; stream < 4; stream += 1) {
    const [key] = await stage.redis.client.keys(`*:events:${stream}`);
    for (const [, fields] of key === undefined ? [] : await stage.redis.client.xrange(key, '-', '+')) {
      const event: Record<string, string> = {};
      for (let at = 0; at + 1 < fields.length; at += 2) event[fields[at]!] = fields[at + 1]!;
      if (event['calculationId'] === calculationId) return event;
    }
  }
  throw new Error('the stream has no event of the calculation');
}

test('units and savings of every benefit stand in the event of the sale', async () => {
  const basket = basketOf([{ quantity: 3, unitPrice: 4_000, productGroupId: 'coffee' }], { loyaltyId: 'stamps' });
  const { totals } = (await stage.caller.basket(basket)).json<AppliedBody>();
  await stage.caller.sale(saleOf(basket.calculationId));
  const event = await eventOf(basket.calculationId);
  expect(event).toMatchObject({
    programmeId: 'coffee-club',
    member: expect.stringMatching(/^[\w-]{22}$/),
    currency: 'NOK',
    // Two coffees at half of 40.00, a tenth of the 80.00 that are left, and a product of 39.00.
    benefits: 'bun-gift=1/3900 coffee-half=2/4000 order-10=1/800',
  });
  expect(event['member']).not.toBe(memberToken('coffee-club', 'stamps'));
  expect(totals.loyaltyDiscountTotal).toBe(3_900 + 4_000 + 800);
});

test('a sale that took no benefits tells none', async () => {
  const basket = basketOf([{ quantity: 1, unitPrice: 4_000, productGroupId: 'coffee' }], { loyaltyId: 'stamps' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId, 'cancelled'));
  expect(await eventOf(basket.calculationId)).toMatchObject({
    programmeId: 'coffee-club',
    currency: 'NOK',
    benefits: '',
  });
});

test('the lines of a sale stand in its event, as they were paid, and those of none that was not sold', async () => {
  const lines = [
    { quantity: 3, unitPrice: 4_000, productGroupId: 'coffee' },
    { quantity: 1, unitPrice: 2_500, productGroupId: 'pastry' },
  ];
  const basket = basketOf(lines, { loyaltyId: 'stamps' });
  const answer = (await stage.caller.basket(basket)).json<AppliedBody>();
  await stage.caller.sale(saleOf(basket.calculationId));
  const told = JSON.parse((await eventOf(basket.calculationId))['lines']!) as Record<string, unknown>[];
  expect(told).toEqual(
    answer.lines.map(({ lineId, productId, productGroupId, quantity, orderLinePrice: paid }) => ({
      ...{ lineId, productId, ...(productGroupId !== undefined && { productGroupId }), quantity, paid },
    })),
  );
  const units = (group: string) =>
    told
      .filter(({ productGroupId }) => productGroupId === group)
      .reduce((sum, { quantity }) => sum + Number(quantity), 0);
  // Nobody names pastry in a benefit, and a consumer may count it all the same.
  expect([units('coffee'), units('pastry')]).toEqual([3, 1]);
  expect(told.reduce((sum, { paid }) => sum + Number(paid), 0)).toBe(answer.totals.total);

  const kept = basketOf(lines, { loyaltyId: 'stamps' });
  await stage.caller.basket(kept);
  await stage.caller.sale(saleOf(kept.calculationId, 'unchanged'));
  const asSent = JSON.parse((await eventOf(kept.calculationId))['lines']!) as Record<string, unknown>[];
  expect(asSent.map(({ quantity, paid }) => [quantity, paid])).toEqual([
    [3, 12_000],
    [1, 2_500],
  ]);
  const cancelled = basketOf(lines, { loyaltyId: 'stamps' });
  await stage.caller.basket(cancelled);
  await stage.caller.sale(saleOf(cancelled.calculationId, 'cancelled'));
  expect(await eventOf(cancelled.calculationId)).not.toHaveProperty('lines');
});

test('a setting leaves the lines out', async () => {
  await stage.service.configure({ ...configuration, events: { lines: false } });
  const basket = basketOf([{}], { loyaltyId: 'stamps' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId));
  expect(await eventOf(basket.calculationId)).not.toHaveProperty('lines');
});
