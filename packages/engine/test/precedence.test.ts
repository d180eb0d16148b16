/** Groups that take by priority (`take: priority`). */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

const policies: Partial<ProgrammeDefinition> = { groups: { one: { atMost: 2, take: 'priority' } } };
const of = (priority: number) => ({ group: 'one', priority });
const first = percent('first', 10, of(5));
const half = percent('half', 50, of(1));
const lines = [line('a', 1, 1_000), line('c', 1, 2_000)];

function priced(benefits: readonly BenefitDefinition[], more: Circumstances = {}, own = lines) {
  const { trace } = priceFully(buildBasket(own), benefits, { policies, ...more, trace: true });
  return Object.fromEntries(
    trace!.benefits.map(({ benefitId, applied, saved, reason }) => [benefitId, applied ? saved : reason]),
  );
}

describe('a group that takes by priority', () => {
  it('names the winner', () => {
    const { trace } = priceFully(buildBasket(lines), [first, half], { policies, trace: true });
    expect(trace!.benefits[1]).toEqual({
      benefitId: 'half',
      applied: false,
      saved: 0,
      reason: 'lower_priority',
      instead: ['first'],
      explanation: 'The group `one` takes the highest priority: first has 5, this has 1.',
    });
  });

  it.each<[string, object, Circumstances?]>([
    ['is disabled', { enabled: false }],
    ['is closed to the tier', { when: { tiers: ['gold'] } }],
    ['is not granted', { audience: 'granted' }],
    ['has used up its limit', { limit: { quantity: 1, period: 'day', counts: 'baskets' } }, { left: { first: 0 } }],
    ['names no line', on('x')],
    ['asks for a larger basket', { minimumSpend: 3_001 }],
    ['requires goods that are not there', { requires: on('x') }],
  ])('leaves the place where the one with the highest priority %s', (_, change, more) => {
    const result = priced([{ ...first, ...change } as BenefitDefinition, half], more);
    expect(result['half']).toBe(1_500);
  });

  it('leaves the place where its lines may not be discounted, and keeps it where they save nothing', () => {
    const own = [{ ...line('a', 1, 1_000), noDiscount: true }, line('c', 1, 2_000)];
    const onA = { ...first, ...on('a') } as BenefitDefinition;
    expect(priced([onA, half], {}, own)).toEqual({ first: 'lines_protected', half: 1_000 });
    const dear = { benefitId: 'first', kind: 'unit_price', unitPrice: 9_000, ...of(5) } as BenefitDefinition;
    expect(priced([dear, half])).toEqual({ first: 'nothing_to_save', half: 'lower_priority' });
    expect(priceFully(buildBasket(lines), [dear, half], { policies })).toMatchObject({ reason: 'all_lines_excluded' });
  });

  it('closes a gift, a set and a discount on the order alike', () => {
    const products = [{ productId: 'p', name: 'P', unitPrice: 300, noDiscount: false, noPercentageDiscount: false }];
    const kinds = [
      { kind: 'free_product', productId: 'p' },
      { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } },
      { kind: 'bundle_price', items: [{ quantity: 2 }], bundlePrice: 1 },
      { kind: 'order_amount', amount: 2_000 },
    ];
    const low = kinds.map((own, at) => ({ benefitId: `k${at}`, ...own, ...of(0) })) as BenefitDefinition[];
    const closed = Object.fromEntries(low.map(({ benefitId }) => [benefitId, 'lower_priority']));
    expect(priced([first, ...low], { products })).toEqual({ first: 300, ...closed });
    const gift = { ...low[0]!, ...of(9) };
    expect(priced([first, gift], { products })).toEqual({ first: 'lower_priority', k0: 300 });
  });
});
