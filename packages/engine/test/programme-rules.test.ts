import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** Rules that restrict benefits of any kind, each with the explanation of a benefit that it keeps away. */

const basket = buildBasket([buildLine({ lineId: 'a' })]);
const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const twenty: BenefitDefinition = { benefitId: 'twenty', kind: 'line_percent', percent: 20 };

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

  it('is named in its place, also for a member who is not active', () => {
    const paused = priceFully(basket, [off, ten, { ...ten, benefitId: 'z' }], {
      member: { status: 'paused' },
      trace: true,
    });
    expect(paused.trace!.benefits.map(({ benefitId, reason }) => [benefitId, reason])).toEqual([
      ['ten', 'member_inactive'],
      ['twenty', 'disabled'],
      ['z', 'member_inactive'],
    ]);
  });

  it('leaves no reason but that there is none', () => {
    expect(priceFully(basket, [off])).toMatchObject({ status: 'unchanged', reason: 'no_applicable_benefits' });
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

  it('loses only the windows that go by the clock when the clock is off', () => {
    const off = { isClockOff: true };
    expect(reasonOf([fridays, { channels: ['pos'] }], off)).toBe('applied');
    expect(reasonOf([fridays, gold], off)).toEqual(['clock_off', 'by a till whose clock is right']);
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
    const coffee: BenefitDefinition = { ...twenty, appliesTo: { productGroupIds: ['coffee'] } };
    const { trace } = priceFully(lines, [coffee], { policies, trace: true });
    expect(trace!.benefits[0]).toEqual({
      benefitId: 'twenty',
      applied: false,
      saved: 0,
      reason: 'lines_excluded',
      explanation: 'The programme excludes every line that qualifies.',
    });
    const tea: BenefitDefinition = { ...twenty, appliesTo: { productGroupIds: ['tea'] } };
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

  it('hold for every kind that names an amount', () => {
    const kinds = [
      { kind: 'line_amount', amount: { SEK: 100 }, per: 'unit' },
      { kind: 'unit_price', unitPrice: { SEK: 900 } },
      { kind: 'bundle_price', items: [{ quantity: 1 }], bundlePrice: { SEK: 900 } },
      { kind: 'line_percent', percent: 50, maximumDiscount: { SEK: 100 } },
    ] as unknown as BenefitDefinition[];
    for (const kind of kinds) {
      expect(pay({ ...kind, benefitId: 'b' }, 'SEK')).toBe(100);
      expect(pay({ ...kind, benefitId: 'b' }, 'NOK')).toEqual(['other_currency', 'in SEK']);
    }
  });

  it('leave one counter to a limit, whatever the currency', () => {
    const limited: BenefitDefinition = { ...voucher, limit: { quantity: 1, period: 'day', counts: 'baskets' } };
    const uses = ['NOK', 'SEK'].map((currency) => priceFully({ ...basket, currency }, [limited]));
    expect(uses[0]).toMatchObject({ uses: [{ usageKey: 'voucher:2026-11-21', units: 1 }] });
    expect(uses[1]).toMatchObject({ uses: [{ usageKey: 'voucher:2026-11-21', units: 1 }] });
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
