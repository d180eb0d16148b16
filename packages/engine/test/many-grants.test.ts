/** A member with thousands of grants costs work in proportion to them, and that work is counted. */
import { expect, test } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { limitedUses } from '../src/offers/limits.ts';
import { type BasketToPrice, decideBasket } from '../src/price.ts';
import type { Grant } from '../src/types.ts';
import { OverBudget } from '../src/work.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const BENEFITS = 200;
/** Reads of a grant's fields per grant: by the index, the day, what is left of it and the choice among equals. */
const MOST_READS_OF_A_GRANT = 20;
/** A usual basket is priced on the event loop with this budget (src/calls/price-call.ts). */
const BUDGET = 400;

const benefits: BenefitDefinition[] = Array.from({ length: BENEFITS }, (_, i) => ({
  benefitId: `card-${i}`,
  kind: 'line_percent',
  percent: 10,
  audience: 'granted',
}));
const venue = buildVenue(benefits);
const basket = buildBasket([buildLine({ lineId: 'a' }), buildLine({ lineId: 'b' })]);

/** Prices two lines for a member with so many grants. `reads` counts how often a field of any grant was read. */
function memberWith(count: number): { readonly input: BasketToPrice; readonly reads: () => number } {
  let reads = 0;
  const grants = Array.from({ length: count }, (_, i): Grant => {
    const grant = { benefitId: `card-${i % BENEFITS}`, grantId: `g${i}`, quantity: 1, from: '2026-01-01' };
    return new Proxy(grant, {
      get(target, name) {
        reads += 1;
        return target[name as keyof typeof target];
      },
    });
  });
  const member = buildMember({ grants });
  const available = new Map(
    limitedUses(venue, basket.requestedAt, member).map(({ usageKey, limit }) => [usageKey, limit]),
  );
  return { input: { basket, venue, member, available }, reads: () => reads };
}

test.each([200, 3_000, 12_000])(
  '%i grants of 200 benefits are each looked at a few times, not once a benefit',
  (count) => {
    const { input, reads } = memberWith(count);
    const decided = decideBasket(input);
    expect(decided.uses.length).toBeGreaterThan(0);
    expect(reads()).toBeGreaterThanOrEqual(count);
    expect(reads()).toBeLessThanOrEqual(count * MOST_READS_OF_A_GRANT);
  },
);

test('a member with thousands of grants is not priced where other calls wait, one with a few is', () => {
  const one: Partial<BasketToPrice> = { venue: buildVenue(benefits.slice(0, 3)) };
  const many = { ...memberWith(3_000).input, ...one } as BasketToPrice;
  expect(() => decideBasket({ ...many, budget: BUDGET })).toThrow(OverBudget);
  const few = { ...memberWith(30).input, ...one } as BasketToPrice;
  expect(decideBasket({ ...few, budget: BUDGET }).uses).toEqual(decideBasket(few).uses);
});
