/** The event of a sale tells what each benefit gave, so that points and stamps can be counted from the stream; test/corpus has events of every kind. */
import type { EventOf } from '@loyalty/contract/events';
import { expect, test } from 'vitest';
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

const sumOf = (some: readonly { readonly amount: number }[]) => some.reduce((sum, { amount }) => sum + amount, 0);

test('the lines of a sale stand in its event, with what each benefit took off them and what was paid', async () => {
  const lines = [
    { quantity: 3, unitPrice: 4_000, productGroupId: 'coffee' },
    { quantity: 1, unitPrice: 2_500, productGroupId: 'pastry' },
  ];
  const basket = basketOf(lines, { loyaltyId: 'stamps' });
  const answer = (await stage.caller.basket(basket)).json<AppliedBody>();
  await stage.caller.sale(saleOf(basket.calculationId));
  const { lines: told = [], benefits, total } = await eventOf(basket.calculationId);
  for (const [at, { orderLinePrice, ...line }] of answer.lines.entries()) {
    const { lineId, productId, quantity, originalLinePrice } = line;
    expect(told[at]).toMatchObject({ lineId, productId, quantity, originalLinePrice, paid: orderLinePrice });
  }
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
});

test('a line adds up by what stayed of the discounts of the till, which a benefit may have replaced', async () => {
  const shares = { 'staff-1': 101 };
  const lines = [
    { quantity: 3, unitPrice: 3_333, productGroupId: 'coffee', existing: 301, shares },
    { quantity: 1, unitPrice: 10_000, productGroupId: 'pastry', existing: 300, shares },
  ];
  const basket = basketOf(lines, { loyaltyId: 'stamps' });
  const answer = (await stage.caller.basket(basket)).json<AppliedBody>();
  await stage.caller.sale(saleOf(basket.calculationId));
  const { lines: told = [], benefits, total } = await eventOf(basket.calculationId);
  const replaced = told.map((line, at) => {
    const { existingLineDiscountAmount, orderDiscountAllocation } = answer.lines[at]!;
    const ofStaff = orderDiscountAllocation.find(({ orderDiscountId }) => orderDiscountId === 'staff-1');
    const stayed = existingLineDiscountAmount + (ofStaff?.orderDiscountAllocationAmount ?? 0);
    expect(line.originalLinePrice - sumOf(line.discounts) - line.paid).toBe(stayed);
    const { existingOrderDiscountAmount = 0 } = line;
    return line.existingLineDiscountAmount + existingOrderDiscountAmount - stayed;
  });
  // Two of the three coffees lost their part of what the staff took off; the first one, the pastry and the bun lost nothing.
  expect(replaced).toEqual([0, 201, 0, 0]);
  // What the benefits took off is more than what the guest saved by them, by what they replaced and by the bun that came for nothing.
  const saved = sumOf(benefits.map((benefit) => ({ amount: benefit.saved })));
  expect(saved).toBe(sumOf(told.flatMap(({ discounts }) => discounts)));
  expect(saved - 201 - told.at(-1)!.originalLinePrice).toBe(basket.totals.total - total!);
});

test('a setting leaves the lines out', async () => {
  await stage.service.configure({ ...configuration, events: { lines: false } });
  const basket = basketOf([{}], { loyaltyId: 'stamps' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId));
  expect(await eventOf(basket.calculationId)).not.toHaveProperty('lines');
});
