import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { percent } from './support/told.ts';

/** What restricts benefits of any kind, each with the explanation of a benefit that it keeps away. */

const basket = buildBasket([buildLine({ lineId: 'a' })]);
const ten = percent('ten', 10);
const twenty = percent('twenty', 20);

function why(benefitId: string, benefits: readonly BenefitDefinition[], circumstances: Circumstances = {}) {
  const { trace } = priceFully(basket, benefits, { ...circumstances, trace: true });
  return trace!.benefits.find((benefit) => benefit.benefitId === benefitId);
}

describe('a benefit that is switched off', () => {
  const off = { ...twenty, enabled: false };

  it('is not there, and explanations say so', () => {
    expect(priceFully(basket, [ten, off])).toMatchObject({ totals: { total: 900 } });
    expect(why('twenty', [ten, off])).toEqual({
      benefitId: 'twenty',
      applied: false,
      saved: 0,
      reason: 'disabled',
      explanation: 'It is disabled.',
    });
    expect(why('ten', [ten, off])).toMatchObject({ applied: true });
  });
});

describe('a list of windows', () => {
  const happy = { hours: '14:00-16:00' };
  const fridays = { weekdays: ['fri'] } as const;
  const gold = { tiers: ['gold'] };
  /** The basket is of a Saturday at noon. */
  const reasonOf = (when: BenefitDefinition['when'], circumstances: Circumstances = {}) => {
    const traced = why('twenty', [{ ...twenty, when: when! }], circumstances)!;
    return traced.applied ? 'applied' : [traced.reason, traced.change];
  };

  it('opens the benefit in any of them', () => {
    expect(reasonOf([happy, { hours: '11:00-13:00' }])).toBe('applied');
    expect(reasonOf([happy, gold], { member: { tier: 'gold' } })).toBe('applied');
    expect(reasonOf([{ ...happy, ...gold }, { channels: ['pos'] }])).toBe('applied');
  });

  it('is closed by the reason of the window that is nearest to being open, and says when each opens', () => {
    expect(reasonOf([gold, { tiers: ['silver', 'gold'] }])).toEqual(['other_tier', 'tier gold or silver']);
    expect(reasonOf([gold, { channels: ['mpos'] }])).toEqual(['other_channel', 'on mpos']);
    expect(reasonOf([gold, happy, fridays])).toEqual(['not_now', 'from 14:00 or Fridays']);
    expect(reasonOf([happy, { to: '2026-01-31' }])).toEqual(['not_now', 'from 14:00']);
  });
});

describe('selectors that leave lines out', () => {
  const lines = buildBasket([
    buildLine({ lineId: 'a', productGroupId: 'coffee', productMasterId: 'm1', ean: '1' }),
    buildLine({ lineId: 'b', productGroupId: 'tobacco', productMasterId: 'm2', ean: '2' }),
    buildLine({ lineId: 'c', productGroupId: 'milk', parentLineId: 'b' }),
  ]);

  it('of the programme hide lines from minimums, and explanations say so', () => {
    const policies = { exclude: { productGroupIds: ['coffee'] } };
    const spend: BenefitDefinition = { ...ten, minimumSpend: 2_500 };
    expect(priceFully(lines, [spend], { policies })).toMatchObject({ reason: 'basket_too_small' });
    const coffee = percent('twenty', 20, { appliesTo: { productGroupIds: ['coffee'] } });
    const { trace } = priceFully(lines, [coffee], { policies, trace: true });
    expect(trace!.benefits[0]).toEqual({
      benefitId: 'twenty',
      applied: false,
      saved: 0,
      reason: 'lines_excluded',
      explanation: 'The programme excludes every line that qualifies.',
    });
    const tea = percent('twenty', 20, { appliesTo: { productGroupIds: ['tea'] } });
    expect(priceFully(lines, [tea], { policies, trace: true }).trace!.benefits[0]).toMatchObject({
      reason: 'no_matching_line',
    });
  });
});

describe('amounts by currency', () => {
  const voucher: BenefitDefinition = { benefitId: 'voucher', kind: 'order_amount', amount: { NOK: 300, SEK: 400 } };
  const pay = (benefit: BenefitDefinition, currency: string) => {
    const decision = priceFully({ ...basket, currency }, [benefit], { trace: true });
    const traced = decision.trace!.benefits[0]!;
    return traced.applied ? traced.saved : [traced.reason, traced.change];
  };

  it('are those of the basket, and without one the benefit does not apply and says so', () => {
    expect(pay(voucher, 'NOK')).toBe(300);
    expect(pay(voucher, 'SEK')).toBe(400);
    expect(pay(voucher, 'EUR')).toEqual(['other_currency', 'in NOK or SEK']);
    expect(pay({ ...voucher, minimumSpend: { SEK: 1_001, DKK: 1 } }, 'NOK')).toEqual(['other_currency', 'in SEK']);
    expect(pay({ ...voucher, minimumSpend: { SEK: 1_001 } }, 'SEK')).toEqual(['below_minimum_spend', '0.01 more']);
    expect(pay({ ...voucher, maximumDiscount: { NOK: 100 } }, 'NOK')).toBe(100);
  });
});

describe('an amount for every part of the spend', () => {
  const reward: BenefitDefinition = { benefitId: 'b', kind: 'order_amount', amount: 100, perSpend: 1_000 };
  const spend = (unitPrice: number, more: object = {}, others: BenefitDefinition[] = []) => {
    const lines = [buildLine({ lineId: 'a', unitPrice }), buildLine({ lineId: 'b', unitPrice: 900, noDiscount: true })];
    const decision = priceFully(buildBasket(lines), [{ ...reward, ...more } as BenefitDefinition, ...others], {
      trace: true,
    });
    const { saved, reason, change } = decision.trace!.benefits.find(({ benefitId }) => benefitId === 'b')!;
    return reason ? [decision.status === 'unchanged' && decision.reason, reason, change] : saved;
  };

  it('does not come below the first full part, and says what is missing', () => {
    expect(spend(999)).toEqual(['basket_too_small', 'below_minimum_spend', '0.01 more']);
    expect(spend(999, { minimumSpend: 1_200 })).toEqual(['basket_too_small', 'below_minimum_spend', '2.01 more']);
    expect(spend(999, { minimumSpend: 1_200, minimumSpendOn: 'basket' })).toMatchObject({ 2: '0.01 more' });
  });
});

it('counts units for a minimum quantity, weighed goods as one', () => {
  const lines = [buildLine({ lineId: 'a', quantity: 2 }), buildLine({ lineId: 'b', quantity: 0.7 })];
  const status = (minimumQuantity: number) =>
    priceFully(buildBasket(lines), [{ ...twenty, minimumQuantity }] as BenefitDefinition[]);
  expect(status(3).status).toBe('applied');
  expect(status(4)).toMatchObject({ reason: 'basket_too_small' });
});

describe('a clock that is off', () => {
  const limit = { quantity: 1, period: 'day', counts: 'baskets' } as const;
  const isGiven = (more: Partial<BenefitDefinition>, isClockOff: boolean, member = {}): boolean => {
    const benefit = { ...twenty, ...more } as BenefitDefinition;
    return priceFully(basket, [benefit], { isClockOff, member }).status === 'applied';
  };

  it.each<[what: string, more: Partial<BenefitDefinition>]>([
    ['once a day', { limit }],
    ['once in a lifetime', { limit: { ...limit, period: 'lifetime' } }],
    ['from a date on', { when: { from: '2020-01-01' } }],
    ['until a date', { when: { to: '2049-12-31' } }],
    ['on a weekday', { when: { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] } }],
    ['in a happy hour', { when: { hours: '00:00-24:00' } }],
  ])('closes what is given %s', (_, more) => {
    expect(isGiven(more, false)).toBe(true);
    expect(isGiven(more, true)).toBe(false);
  });

  it.each<[what: string, more: Partial<BenefitDefinition>, member?: object]>([
    ['to everybody, always', {}],
    ['to whom it was granted', { audience: 'granted' }, { grants: ['twenty'] }],
    ['to a tier', { when: { tiers: ['gold'] } }, { tier: 'gold' }],
    ['at a venue, on a channel', { when: { venueIds: ['venue'], channels: ['pos'], weekdays: [] } }],
    ['from a minimum on, up to a maximum', { minimumSpend: 1, maximumDiscount: 10 }],
  ])('leaves what is given %s', (_, more, member) => {
    expect(isGiven(more, true, member)).toBe(true);
  });

  it('takes one benefit of two, holds nothing, and says why', () => {
    const basket = buildBasket([buildLine({ lineId: 'a', unitPrice: 10_000 })]);
    const daily = { ...twenty, benefitId: 'daily', percent: 50, limit } as BenefitDefinition;
    const decision = priceFully(basket, [twenty, daily], { isClockOff: true, trace: true });
    expect(decision).toMatchObject({ status: 'applied', totals: { total: 8_000 }, uses: [] });
    expect(decision.trace?.benefits).toEqual([
      {
        benefitId: 'daily',
        applied: false,
        saved: 0,
        reason: 'clock_off',
        explanation: 'It depends on the time, and the time of this basket is too far from our clock.',
        change: 'by a till whose clock is right',
      },
      { benefitId: 'twenty', applied: true, saved: 2_000 },
    ]);
    const alone = priceFully(basket, [daily], { isClockOff: true });
    expect(alone).toMatchObject({ status: 'unchanged', reason: 'no_applicable_benefits' });
  });
});
