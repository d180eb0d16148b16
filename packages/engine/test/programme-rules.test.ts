import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import type { SelectorDefinition } from '../src/lines/selector.ts';
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
      ...{ benefitId: 'twenty', applied: false, saved: 0, reason: 'disabled' },
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
  const takenBy = (appliesTo: SelectorDefinition, policies: Circumstances['policies'] = {}) => {
    const decision = priceFully(lines, [{ ...twenty, appliesTo }], { policies });
    if (decision.status !== 'applied') return decision.reason;
    return decision.lines
      .filter(({ lineDiscountAmount }) => lineDiscountAmount > 0)
      .map(({ lineId }) => lineId)
      .join('');
  };

  it('name products, masters, groups and EANs', () => {
    expect(takenBy({})).toBe('abc');
    expect(takenBy({ excludeProductGroupIds: ['tobacco'] })).toBe('ac');
    expect(takenBy({ excludeProductMasterIds: ['m1'] })).toBe('bc');
    expect(takenBy({ excludeEans: ['1', '2'] })).toBe('c');
    expect(takenBy({ productMasterIds: ['m1', 'm2'], excludeProductGroupIds: ['tobacco'] })).toBe('a');
    expect(takenBy({ productGroupIds: ['tobacco'], excludeEans: ['2'] })).toBe('no_applicable_benefits');
  });

  it('take what stands below a line along where modifiers stand together', () => {
    const modifiers = 'together';
    expect(takenBy({ productGroupIds: ['tobacco'] }, { modifiers })).toBe('bc');
    expect(takenBy({ productGroupIds: ['tobacco'] }, { modifiers: 'apart' })).toBe('b');
    expect(takenBy({ productGroupIds: ['milk'] }, { modifiers })).toBe('no_applicable_benefits');
  });

  it('of the programme hide lines from every benefit', () => {
    const exclude = { productGroupIds: ['tobacco'] };
    expect(takenBy({}, { exclude })).toBe('ac');
    // A line that nobody sees takes nothing along.
    expect(takenBy({}, { exclude, modifiers: 'together' })).toBe('a');
    expect(takenBy({ productGroupIds: ['tobacco'] }, { exclude, modifiers: 'together' })).toBe(
      'no_applicable_benefits',
    );
    expect(takenBy({}, { exclude: { excludeProductGroupIds: ['milk'] } })).toBe('c');
  });

  it('of the programme hide lines from minimums, and explanations say so', () => {
    const policies = { exclude: { productGroupIds: ['coffee'] } };
    const spend: BenefitDefinition = { ...ten, minimumSpend: 2_500 };
    expect(priceFully(lines, [spend], { policies })).toMatchObject({ reason: 'basket_too_small' });
    const coffee: BenefitDefinition = { ...twenty, appliesTo: { productGroupIds: ['coffee'] } };
    const { trace } = priceFully(lines, [coffee], { policies, trace: true });
    expect(trace!.benefits[0]).toEqual({
      ...{ benefitId: 'twenty', applied: false, saved: 0, reason: 'lines_excluded' },
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

describe('a minimum spend', () => {
  const two = buildBasket([
    buildLine({ lineId: 'a', productGroupId: 'cake' }),
    buildLine({ lineId: 'b', unitPrice: 500, noDiscount: true }),
  ]);
  const cake = { appliesTo: { productGroupIds: ['cake'] } };

  it('is measured on the eligible lines, or on all lines of the basket', () => {
    const benefit: BenefitDefinition = { ...twenty, ...cake, minimumSpend: 1_500 };
    expect(priceFully(two, [benefit])).toMatchObject({ reason: 'basket_too_small' });
    expect(priceFully(two, [{ ...benefit, minimumSpendOn: 'eligible' }])).toMatchObject({ reason: 'basket_too_small' });
    expect(priceFully(two, [{ ...benefit, minimumSpendOn: 'basket' }])).toMatchObject({ totals: { total: 1_300 } });
    const more: BenefitDefinition = { ...benefit, minimumSpend: 1_600, minimumSpendOn: 'basket' };
    expect(priceFully(two, [more], { trace: true }).trace!.benefits[0]).toMatchObject({
      reason: 'below_minimum_spend',
      change: '1.00 more',
    });
  });
});

describe('units per basket', () => {
  const three = buildBasket([buildLine({ lineId: 'a', quantity: 3 }), buildLine({ lineId: 'b', unitPrice: 3_000 })]);

  it('are the dearest, and no limit is spent for them', () => {
    for (const more of [{ maximumUnits: 2 }, { limit: { quantity: 2, period: 'basket', counts: 'items' } as const }]) {
      const decision = priceFully(three, [{ ...twenty, ...more }]);
      expect(decision).toMatchObject({ totals: { total: 6_000 - 600 - 200 }, uses: [] });
    }
  });

  it('go together with a limit, whichever is less', () => {
    const limit = { quantity: 5, period: 'day', counts: 'items' } as const;
    const price = (maximumUnits: number, left: number) =>
      priceFully(three, [{ ...twenty, limit, maximumUnits }], { left: { twenty: left } });
    expect(price(1, 5)).toMatchObject({ totals: { total: 5_400 }, uses: [{ units: 1 }] });
    expect(price(3, 2)).toMatchObject({ totals: { total: 5_200 }, uses: [{ units: 2 }] });
    const baskets = { ...limit, counts: 'baskets' } as const;
    expect(priceFully(three, [{ ...twenty, limit: baskets, maximumUnits: 2 }])).toMatchObject({
      totals: { total: 5_200 },
      uses: [{ units: 1 }],
    });
  });

  it('are the given ones of buy_x_get_y, all of a bundle, and those of a gift', () => {
    const six = buildBasket([buildLine({ lineId: 'a', quantity: 6 })]);
    const pair: BenefitDefinition = { benefitId: 'b', kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } };
    expect(priceFully(six, [pair])).toMatchObject({ totals: { total: 3_000 } });
    expect(priceFully(six, [{ ...pair, maximumUnits: 2 }])).toMatchObject({ totals: { total: 4_000 } });
    const bundle: BenefitDefinition = {
      benefitId: 'b',
      kind: 'bundle_price',
      items: [{ quantity: 2 }],
      bundlePrice: 1_500,
    };
    expect(priceFully(six, [{ ...bundle, maximumUnits: 5 }])).toMatchObject({ totals: { total: 5_000 } });
    const gift: BenefitDefinition = {
      benefitId: 'b',
      kind: 'free_product',
      productId: 'p',
      quantity: 3,
      maximumUnits: 2,
    };
    const products = [{ productId: 'p', name: 'P', unitPrice: 100, noDiscount: false, noPercentageDiscount: false }];
    expect(priceFully(six, [gift], { products })).toMatchObject({ totals: { loyaltyDiscountTotal: 200 } });
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

  it('comes once for every full part of what the eligible lines cost as they came', () => {
    expect(spend(1_000)).toBe(100);
    expect(spend(1_999)).toBe(100);
    expect(spend(3_500)).toBe(300);
    expect(spend(3_500, { maximumDiscount: 250 })).toBe(250);
    expect(spend(3_500, { amount: 5_000 })).toBe(3_500);
    const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50 };
    expect(spend(3_500, {}, [half])).toBe(300);
  });

  it('does not come below the first full part, and says what is missing', () => {
    expect(spend(999)).toEqual(['basket_too_small', 'below_minimum_spend', '0.01 more']);
    expect(spend(999, { minimumSpend: 1_200 })).toEqual(['basket_too_small', 'below_minimum_spend', '2.01 more']);
    expect(spend(999, { minimumSpend: 1_200, minimumSpendOn: 'basket' })).toMatchObject({ 2: '0.01 more' });
  });
});

describe('a bundle at a percentage or an amount off', () => {
  const items = [
    { quantity: 1, appliesTo: { productIds: ['a'] } },
    { quantity: 1, appliesTo: { productIds: ['b'] } },
  ];
  const priceOf = (cost: object, more: object = {}) => {
    const lines = [
      buildLine({ lineId: 'a', productId: 'a', quantity: 2, unitPrice: 1_000 }),
      buildLine({ lineId: 'b', productId: 'b', quantity: 3, unitPrice: 333, ...more }),
    ];
    const benefit = { benefitId: 'b', kind: 'bundle_price', items, ...cost } as BenefitDefinition;
    const bundled = buildBasket(lines);
    const decision = priceFully(bundled, [benefit]);
    if (decision.status !== 'applied') return decision.reason;
    expect(faultsOfDecision(bundled, decision)).toEqual([]);
    expect(decision.lines.every(({ lineDiscountType }) => lineDiscountType !== 'percent')).toBe(true);
    return decision.totals.total;
  };

  it('shares it over the units so that they sum exactly', () => {
    // Two bundles of 13.33 cost 26.66; a tenth of it is 2.67.
    expect(priceOf({ percent: 10 })).toBe(2_999 - 267);
    expect(priceOf({ amount: 150 })).toBe(2_999 - 300);
    expect(priceOf({ amount: 5_000 })).toBe(333);
    expect(priceOf({ amount: 150, maximumDiscount: 200 })).toBe(2_999 - 200);
    expect(priceOf({ percent: 100 })).toBe(333);
  });

  it('takes no percentage off a line that may not have one', () => {
    expect(priceOf({ percent: 10 }, { noPercentageDiscount: true })).toBe('basket_too_small');
    expect(priceOf({ amount: 150 }, { noPercentageDiscount: true })).toBe(2_699);
  });
});
