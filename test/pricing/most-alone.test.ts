/** The bound of what a benefit saves alone, which decides whether it is tried alone: never below what it saves, and close to it. */
import { expect, test } from 'vitest';
import type { BasketRequest } from '../../src/contract/basket-request.ts';
import { localTime } from '../../src/pricing/compile/calendar.ts';
import { mostOf } from '../../src/pricing/decide/alone.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import { readLines } from '../../src/pricing/lines/lines.ts';
import { findOffers } from '../../src/pricing/offers/offers.ts';
import { limitedUses } from '../../src/pricing/price.ts';
import { Work } from '../../src/pricing/work.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { netCostOf, priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';
import { drawShape } from './support/shapes.ts';

/** 0 where the benefit is not open. */
function boundOf(basket: BasketRequest, benefit: BenefitDefinition): number {
  const venue = buildVenue([benefit]);
  const member = buildMember();
  const time = localTime(basket.requestedAt, venue.timeZone);
  const available = new Map(
    limitedUses(venue, basket.requestedAt, member).map(({ usageKey, limit }) => [usageKey, limit]),
  );
  const [offer] = findOffers({ basket, member, venue, time, isClockOff: false }, available, new Work(1_000_000));
  return offer === undefined
    ? 0
    : mostOf(offer, readLines(basket.lines, venue.programme.existingLineDiscounts, undefined));
}

const savedBy = (basket: BasketRequest, benefit: BenefitDefinition): number =>
  basket.totals.total - netCostOf(basket, priceFully(basket, [benefit]));

test('no benefit saves more alone, in baskets and programmes like those of shops', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { basket, benefits } = drawShape(seed);
    for (const benefit of benefits)
      expect(boundOf(basket, benefit), `${seed} ${benefit.benefitId}`).toBeGreaterThanOrEqual(savedBy(basket, benefit));
  }
});

const LINES = [9000, 8000, 7000, 6000, 5000, 4000].map((unitPrice, n) =>
  buildLine({ lineId: `l${n}`, productId: n < 2 ? 'wine' : 'cake', unitPrice }),
);
const cake = { appliesTo: { productIds: ['cake'] } };

test.each<[string, object, number]>([
  ['of three units the cheapest', { kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 } }, 7000 + 4000],
  [
    'of cakes, for which wine is bought first',
    { kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { ...cake, quantity: 1 } },
    7000 + 4000,
  ],
  [
    'a bundle, whose units pay for each other',
    { kind: 'bundle_price', items: [{ quantity: 2 }], bundlePrice: 14_000 },
    3000,
  ],
  ['two for each that is bought', { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 2 } }, 24_000],
  ['a coupon for two units', { kind: 'line_percent', percent: 50, maximumUnits: 2 }, 4500 + 4000],
])('what may be saved is close to what is: %s', (_, fields, saved) => {
  const basket = buildBasket(LINES);
  const benefit = { benefitId: 'own', text: 'Own', ...fields } as unknown as BenefitDefinition;
  expect(savedBy(basket, benefit)).toBe(saved);
  const bound = boundOf(basket, benefit);
  expect(bound).toBeGreaterThanOrEqual(saved);
  expect(bound - saved).toBeLessThanOrEqual(1);
});
