/** The event of a sale tells what each benefit gave, so that points and stamps can be counted from the stream. */
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
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

const stage = useService({
  configuration: configurationOf({
    programme: { benefits: [TWENTY, SINGLE_USE, ...(KINDS as unknown as [])] },
    moreMembers: [memberOf('stamps')],
  }),
});

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
