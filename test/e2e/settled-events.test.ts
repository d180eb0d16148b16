/** The event of a sale tells what each benefit gave, so that points and stamps can be counted from the stream. */
import type { EventOf } from '@loyalty/contract/events';
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { readToldEvents } from '../support/told-events.ts';
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

async function eventOf(calculationId: string): Promise<EventOf<'recorded'>> {
  const [event] = await readToldEvents(stage.redis.client, calculationId);
  if (!event) throw new Error('the stream has no event of the calculation');
  return event as unknown as EventOf<'recorded'>;
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
    benefits: [
      { benefitId: 'bun-gift', units: 1, saved: 3_900 },
      { benefitId: 'coffee-half', units: 2, saved: 4_000 },
      { benefitId: 'order-10', units: 1, saved: 800 },
    ],
  });
  expect(event.member).not.toBe(memberToken('coffee-club', 'stamps'));
  expect(totals.loyaltyDiscountTotal).toBe(3_900 + 4_000 + 800);
});

test('a sale that was cancelled tells what was offered, and one that failed what the till had', async () => {
  const basket = basketOf([{ quantity: 1, unitPrice: 4_000, productGroupId: 'coffee' }], { loyaltyId: 'stamps' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId, 'cancelled'));
  expect(await eventOf(basket.calculationId)).toMatchObject({
    programmeId: 'coffee-club',
    currency: 'NOK',
    benefits: [{ benefitId: 'bun-gift' }, { benefitId: 'coffee-half' }, { benefitId: 'order-10' }],
    total: 1_800,
  });
  const failed = basketOf([{ quantity: 1, unitPrice: 4_000, productGroupId: 'coffee' }], { loyaltyId: 'stamps' });
  await stage.caller.basket(failed);
  await stage.caller.sale(saleOf(failed.calculationId, 'failed'));
  expect(await eventOf(failed.calculationId)).toMatchObject({
    ...{ status: 'failed', benefits: [], total: 4_000, uses: [] },
    lines: [{ originalLinePrice: 4_000, discounts: [], paid: 4_000 }],
  });
});

test('the lines of a sale stand in its event, with what each benefit took off them and what was paid', async () => {
  const lines = [
    { quantity: 3, unitPrice: 4_000, productGroupId: 'coffee' },
    { quantity: 1, unitPrice: 2_500, productGroupId: 'pastry' },
  ];
  const basket = basketOf(lines, { loyaltyId: 'stamps' });
  const answer = (await stage.caller.basket(basket)).json<AppliedBody>();
  await stage.caller.sale(saleOf(basket.calculationId));
  const { lines: told = [], benefits, total } = await eventOf(basket.calculationId);
  expect(
    told.map(({ lineId, productId, productGroupId, quantity, originalLinePrice, paid }) => ({
      ...{ lineId, productId, productGroupId, quantity, originalLinePrice, paid },
    })),
  ).toEqual(
    answer.lines.map(({ lineId, productId, productGroupId, quantity, originalLinePrice, orderLinePrice: paid }) => ({
      ...{ lineId, productId, productGroupId, quantity, originalLinePrice, paid },
    })),
  );
  const units = (group: string) =>
    told
      .filter(({ productGroupId }) => productGroupId === group)
      .reduce((sum, { quantity }) => sum + Number(quantity), 0);
  // Nobody names pastry in a benefit, and a consumer may count it all the same.
  expect([units('coffee'), units('pastry')]).toEqual([3, 1]);
  expect([total, told.reduce((sum, { paid }) => sum + paid, 0)]).toEqual([answer.totals.total, answer.totals.total]);
  for (const line of told) {
    const off = line.discounts.reduce((sum, { amount }) => sum + amount, 0);
    expect(line.paid).toBe(line.originalLinePrice - line.existingLineDiscountAmount - off);
  }
  for (const { benefitId, saved } of benefits) {
    const parts = told.flatMap(({ discounts }) => discounts).filter((discount) => discount.benefitId === benefitId);
    expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(saved);
  }

  const kept = basketOf(lines, { loyaltyId: 'stamps' });
  await stage.caller.basket(kept);
  await stage.caller.sale(saleOf(kept.calculationId, 'unchanged'));
  const asSent = (await eventOf(kept.calculationId)).lines ?? [];
  expect(asSent.map(({ quantity, paid }) => [quantity, paid])).toEqual([
    [3, 12_000],
    [1, 2_500],
  ]);
});

test('where and when the till asked, and by which configuration, stands in every event of a calculation', async () => {
  const basket = basketOf([{}], { loyaltyId: 'stamps' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId));
  await stage.caller.sale(saleOf(basket.calculationId, 'cancelled'));
  const events = await readToldEvents(stage.redis.client, basket.calculationId);
  expect(events.map(({ result }) => result)).toEqual(['recorded', 'conflict']);
  const { venueId, baxId, cashRegisterId, channel } = basket.context;
  const [{ answeredAt, requestedAt, configuration }] = events as unknown as [Record<string, string>];
  expect(Date.parse(requestedAt!)).toBe(Date.parse(basket.requestedAt));
  for (const event of events) {
    expect(event).toMatchObject({ venueId, baxId, cashRegisterId, channel, answeredAt, requestedAt, configuration });
  }
  expect(configuration).toMatch(/^[0-9a-f]+$/);
});

test('a setting leaves the lines out', async () => {
  await stage.service.configure({ ...configuration, events: { lines: false } });
  const basket = basketOf([{}], { loyaltyId: 'stamps' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId));
  expect(await eventOf(basket.calculationId)).not.toHaveProperty('lines');
});
