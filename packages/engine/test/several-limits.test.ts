import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** Several limits of one benefit, of which the smallest counts; the basket is of 2026-11-21, in NOK. */

const daily = { quantity: 2, period: 'day', counts: 'baskets' } as const;
const items = { quantity: 5, period: 'month', counts: 'items' } as const;
const money = { quantity: 20_000, period: 'lifetime', counts: 'money' } as const;
const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, limit: [daily, items, money] };
const lines = [buildLine({ lineId: 'a', quantity: 3, unitPrice: 4_000 }), buildLine({ lineId: 'b', unitPrice: 8_000 })];

function look(benefits: readonly BenefitDefinition[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { ...more, trace: true });
  const traced = decision.trace!.benefits.map(
    ({ left, reason, change }) => left ?? [reason, change].filter(Boolean).join(),
  );
  if (decision.status !== 'applied') return [0, [], traced];
  expectApplied(basket, decision);
  const uses = decision.uses.map(({ usageKey, units, limit }) => `${usageKey}=${units}/${limit}`);
  return [20_000 - decision.totals.total, uses, traced];
}

describe('several limits of one benefit', () => {
  it('are all spent', () => {
    expect(look([half])).toEqual([
      10_000,
      ['half:2026-11-21=1/2', 'half#items:2026-11=4/5', 'half$NOK:*=10000/20000'],
      ['1 left today, 1 left this month, 100.00 left'],
    ]);
  });

  it('close the benefit where one of them is used up, and say which', () => {
    const none = [0, []];
    expect(look([half], { left: { half: 0, 'half#items': 5 } })).toEqual([...none, ['limit_used_up,tomorrow']]);
    expect(look([half], { left: { half: 2, 'half#items': 0 } })).toEqual([...none, ['limit_used_up,next month']]);
    expect(look([half], { left: { half$NOK: 0 } })).toEqual([...none, ['limit_used_up']]);
  });

  it('that are shared say which of them others took, in whatever order they are written', () => {
    const one = { ...daily, period: 'week', quantity: 5, limitId: 'one' };
    const two = { ...daily, quantity: 1, limitId: 'two' };
    const tab = { ...items, quantity: 9, limitId: 'tab' };
    const of = (productId: string, benefitId: string, limit: object) =>
      ({ ...half, benefitId, appliesTo: { productIds: [productId] }, limit }) as BenefitDefinition;
    const whyNot = (first: object, second: object) => {
      const both = lines.map((line, at) => ({ ...line, productId: ['tea', 'cake'][at]! }));
      const benefits = [of('tea', 'x', first), of('cake', 'y', second)];
      return priceFully(buildBasket(both), benefits, { trace: true }).trace!.benefits[1];
    };
    const tomorrow = { reason: 'limit_used_up', change: 'tomorrow', instead: ['x'] };
    for (const limits of [
      [one, two],
      [two, one],
      [tab, two],
      [two, tab],
      [one, two, tab],
    ]) {
      expect(whyNot(limits, limits)).toMatchObject(tomorrow);
    }
    // Of two that are taken the later one counts: of the day, and of nine items in a month the three of the first line.
    const few = [two, { ...tab, quantity: 3 }];
    expect(whyNot(few, few)).toMatchObject({ ...tomorrow, change: 'next month' });
    expect(whyNot([one], [one])).toMatchObject({ applied: true });
  });
});

describe('a limit over all members', () => {
  const common = { quantity: 1_000, period: 'lifetime', counts: 'baskets', of: 'programme' } as const;

  it('has a counter with a name of its own beside the member’s', () => {
    const [, uses] = look([{ ...half, limit: [common, { ...common, of: 'venue', period: 'day' }, daily] }]);
    expect(uses).toEqual(['half~programme:*=1/1000', 'half~venue:2026-11-21=1/1000', 'half:2026-11-21=1/2']);
  });

  it('shows what is left of how much', () => {
    expect(look([{ ...half, limit: common }], { left: { 'half~programme': 313 } })[2]).toEqual(['312 of 1,000 left']);
    const budget = { ...money, quantity: 5_000_000, of: 'programme' } as const;
    expect(look([{ ...half, limit: budget }])[2]).toEqual(['49,900.00 of 50,000.00 left']);
  });

  it('says that the budget of the campaign is used up', () => {
    const spent = { left: { 'half~programme': 0, 'half~venue': 0 } };
    expect(look([{ ...half, limit: [daily, common] }], spent)[2]).toEqual([
      "limit_used_up,the campaign's budget is used up",
    ]);
    expect(look([{ ...half, limit: { ...common, of: 'venue', period: 'day' } }], spent)[2]).toEqual([
      "limit_used_up,the campaign's budget is used up; it begins anew tomorrow",
    ]);
  });
});
