/** The bound of what a benefit saves alone, which decides whether it is tried alone: never below what it saves, and close to it. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { Random } from '../../simulator/src/random.ts';
import { localTime } from '../src/compile/calendar.ts';
import { mostOf } from '../src/decide/alone.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { readLines } from '../src/lines/lines.ts';
import { joinUnits } from '../src/offers/modified-line.ts';
import { findOffers } from '../src/offers/offers.ts';
import { limitedUses } from '../src/price.ts';
import { Work } from '../src/work.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { netCostOf, priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';
import { drawShape } from './support/shapes.ts';

/** 0 where the benefit is not open. */
function boundOf(
  basket: BasketRequest,
  benefit: BenefitDefinition,
  policies: Partial<ProgrammeDefinition> = {},
): number {
  const venue = buildVenue([benefit], policies);
  const member = buildMember();
  const time = localTime(basket.requestedAt, venue.timeZone);
  const available = new Map(
    limitedUses(venue, basket.requestedAt, member).map(({ usageKey, limit }) => [usageKey, limit]),
  );
  const [offer] = findOffers({ basket, member, venue, time, isClockOff: false }, available, new Work(1_000_000));
  if (offer === undefined) return 0;
  const { existingLineDiscounts } = venue.programme;
  const lines = readLines(basket.lines, existingLineDiscounts, undefined);
  return mostOf(offer, lines, joinUnits(lines, offer.matches.modified, existingLineDiscounts));
}

const savedBy = (
  basket: BasketRequest,
  benefit: BenefitDefinition,
  policies: Partial<ProgrammeDefinition> = {},
): number => basket.totals.total - netCostOf(basket, priceFully(basket, [benefit], { policies }));

test('no benefit saves more alone, in baskets and programmes like those of shops', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { basket, benefits } = drawShape(seed);
    for (const benefit of benefits)
      expect(boundOf(basket, benefit), `${seed} ${benefit.benefitId}`).toBeGreaterThanOrEqual(savedBy(basket, benefit));
  }
});

test.each(['replace_if_larger', 'stack', 'keep'] as const)(
  'no benefit saves more alone on goods with modifiers, where the policy is %s',
  (existingLineDiscounts) => {
    const policies = { modifiers: 'together', existingLineDiscounts } as const;
    for (let seed = 1; seed <= 15; seed++) {
      const { basket: plain, benefits } = drawShape(seed);
      const random = new Random(seed);
      const basket = buildBasket(
        plain.lines.map(({ orderLinePrice: _price, ...line }, at) => {
          const parent = at > 0 && random.chance(0.4) && { parentLineId: random.pick(plain.lines.slice(0, at)).lineId };
          const given = random.chance(0.2) && { existingLineDiscountAmount: random.between(1, 500) };
          return buildLine({ ...line, ...given, ...parent, noDiscount: random.chance(0.1) });
        }),
      );
      for (const benefit of benefits) {
        const saved = savedBy(basket, benefit, policies);
        expect(boundOf(basket, benefit, policies), `${seed} ${benefit.benefitId}`).toBeGreaterThanOrEqual(saved);
      }
    }
  },
);

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

test('a dear burger whose sauce keeps its price is bought, and the burger without any is given', () => {
  const policies = { modifiers: 'together' } as const;
  const benefit = { benefitId: 'own', kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } } as const;
  const basket = buildBasket([
    buildLine({ lineId: 'small', unitPrice: 5_000 }),
    buildLine({ lineId: 'sauce', unitPrice: 6_000, parentLineId: 'small', noDiscount: true }),
    buildLine({ lineId: 'large', unitPrice: 9_000 }),
  ]);
  expect(savedBy(basket, benefit, policies)).toBe(9_000);
  expect(boundOf(basket, benefit, policies)).toBeGreaterThanOrEqual(9_000);
});
