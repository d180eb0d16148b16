/** Why a basket stays as it is although benefits name lines of it (interface, section 2). */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { localTime } from '../src/compile/calendar.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { readLines } from '../src/lines/lines.ts';
import { findOffers } from '../src/offers/offers.ts';
import { reasonForUnchanged } from '../src/trace/reason.ts';
import { Work } from '../src/work.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const item = (productId: string) => ({ quantity: 1, appliesTo: { productIds: [productId] } });
const menu: BenefitDefinition = {
  benefitId: 'menu',
  kind: 'bundle_price',
  percent: 10,
  items: [item('a'), item('drink')],
};
const dear: BenefitDefinition = { benefitId: 'dear', kind: 'unit_price', unitPrice: 9_000 };
const spend: BenefitDefinition = { benefitId: 'spend', kind: 'line_percent', percent: 10, minimumSpend: 5_000 };

function reasonOf(benefits: BenefitDefinition[], lines: BasketLine[], more: Circumstances = {}) {
  const decision = priceFully(buildBasket(lines), benefits, more);
  return decision.status === 'unchanged' ? decision.reason : decision.status;
}

describe('a basket is too small', () => {
  it('where one of its benefits lacks units or a minimum, whatever the others lack', () => {
    const lines = [line('a', 1, 1_000)];
    expect(reasonOf([dear], lines)).toBe('all_lines_excluded');
    expect(reasonOf([dear, menu], lines)).toBe('basket_too_small');
    expect(reasonOf([dear, spend], lines)).toBe('basket_too_small');
  });

  it('where benefits may replace what the staff gave, and not where all that they gave is kept', () => {
    const policies = { existingDiscountScope: 'basket', existingLineDiscounts: 'replace_if_larger' } as const;
    const lines = [line('a', 1, 1_000, staff(10))];
    const of = (existingOrderDiscounts: 'keep' | 'replace_if_larger') =>
      reasonOf([menu], lines, { policies: { ...policies, existingOrderDiscounts } });
    expect(of('replace_if_larger')).toBe('basket_too_small');
    expect(of('keep')).toBe('all_lines_excluded');
  });

  it('where there are steps enough to count its units', () => {
    const basket = buildBasket(Array.from({ length: 40 }, (_, at) => line(at === 0 ? 'a' : `${at}`, 1, 1_000)));
    const venue = buildVenue([menu]);
    const time = localTime(basket.requestedAt, venue.timeZone);
    const offers = findOffers(
      { basket, member: buildMember(), venue, time, isClockOff: false },
      new Map(),
      new Work(100),
    );
    const lines = readLines(basket.lines, 'replace_if_larger', undefined);
    const within = (steps: number) =>
      reasonForUnchanged(offers, lines, { basket, lines, venue, work: new Work(steps) });
    // 40 lines, two items, and a twentieth of a step to count one line.
    expect(within(4)).toBe('basket_too_small');
    expect(within(3.9)).toBe('all_lines_excluded');
  });
});
