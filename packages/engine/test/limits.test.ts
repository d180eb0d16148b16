/** Several limits of one benefit, of which the smallest counts; limits that benefits share, and limits in money. The basket is of 2026-11-21. */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

const daily = { quantity: 2, period: 'day', counts: 'baskets' } as const;
const items = { quantity: 5, period: 'month', counts: 'items' } as const;
const money = { quantity: 10_000, period: 'month', counts: 'money' } as const;
const half = (limit: object, more: object = {}) => percent('half', 50, { limit, ...more });

/** What is saved, the counters with what is taken of them, and what is told of each benefit: what is left, or why it does not apply. */
function look(
  benefits: readonly BenefitDefinition[],
  more: Circumstances & { readonly lines?: ReturnType<typeof line>[]; readonly currency?: string } = {},
) {
  const { lines = [line('a', 3, 4_000), line('b', 1, 8_000)], currency = 'NOK', ...circumstances } = more;
  const basket = buildBasket(lines, { currency });
  const decision = priceFully(basket, benefits, { ...circumstances, trace: true });
  const told = decision.trace!.benefits.map(
    ({ left, reason, change }) => left ?? [reason, change].filter(Boolean).join(),
  );
  if (decision.status !== 'applied') return { saved: 0, uses: [], told };
  const { totals, uses } = expectApplied(basket, decision);
  const counters = uses.map(({ usageKey, units, limit }) => `${usageKey}=${units}/${limit}`);
  return { saved: basket.totals.total - totals.total, uses: counters, told };
}

describe('several limits of one benefit', () => {
  it('are all spent', () => {
    expect(look([half([daily, items, { ...money, quantity: 20_000, period: 'lifetime' }])])).toEqual({
      saved: 10_000,
      uses: ['half:2026-11-21=1/2', 'half#items:2026-11=4/5', 'half$NOK:*=10000/20000'],
      told: ['1 left today, 1 left this month, 100.00 left'],
    });
  });

  it('that are shared say which of them others took, in whatever order they are written', () => {
    const one = { ...daily, period: 'week', quantity: 5, limitId: 'one' };
    const two = { ...daily, quantity: 1, limitId: 'two' };
    const tab = { ...items, quantity: 9, limitId: 'tab' };
    const whyNot = (limit: object[]) => {
      const benefits = [percent('x', 50, { ...on('a'), limit }), percent('y', 50, { ...on('b'), limit })];
      const lines = [line('a', 3, 4_000), line('b', 1, 8_000)];
      return priceFully(buildBasket(lines), benefits, { trace: true }).trace!.benefits[1];
    };
    const tomorrow = { reason: 'limit_used_up', change: 'tomorrow', instead: ['x'] };
    for (const limits of [
      [one, two],
      [tab, two],
      [one, two, tab],
    ]) {
      expect([whyNot(limits), whyNot(limits.toReversed())]).toMatchObject([tomorrow, tomorrow]);
    }
    // Of two that are taken the later one counts: of the day, and of nine items in a month the three of the first line.
    expect(whyNot([two, { ...tab, quantity: 3 }])).toMatchObject({ ...tomorrow, change: 'next month' });
    expect(whyNot([one])).toMatchObject({ applied: true });
  });
});

describe('a limit over all members', () => {
  const common = { quantity: 1_000, period: 'lifetime', counts: 'baskets', of: 'programme' } as const;

  it('has a counter with a name of its own beside the member’s', () => {
    const { uses } = look([half([common, { ...common, of: 'venue', period: 'day' }, daily])]);
    expect(uses).toEqual(['half~programme:*=1/1000', 'half~venue:2026-11-21=1/1000', 'half:2026-11-21=1/2']);
  });

  it('shows what is left of how much', () => {
    expect(look([half(common)], { left: { 'half~programme': 313 } }).told).toEqual(['312 of 1,000 left']);
    const budget = { ...money, period: 'lifetime', quantity: 5_000_000, of: 'programme' };
    expect(look([half(budget)]).told).toEqual(['49,900.00 of 50,000.00 left']);
  });
});

describe('a limit that benefits share', () => {
  const lines = [line('coffee', 3, 4_000), line('bun', 2, 3_000), line('cake', 1, 9_000)];
  const limit = { quantity: 3, period: 'week', counts: 'items', limitId: 'treats' };
  const [coffee, bun] = [
    percent('coffee', 50, { ...on('coffee'), limit }),
    percent('bun', 100, { ...on('bun'), limit }),
  ];

  it('is spent where it saves most, and counted once', () => {
    // Two buns at 30.00 each, and one coffee at half of 40.00.
    expect(look([coffee, bun], { lines })).toEqual({
      saved: 8_000,
      uses: ['@treats#items:2026-W47=3/3'],
      told: ['0 left this week', '0 left this week'],
    });
    expect(look([coffee, bun], { lines, left: { '@treats#items': 2 } })).toMatchObject({
      saved: 6_000,
      uses: ['@treats#items:2026-W47=2/3'],
    });
    expect(look([coffee, bun], { lines, left: { '@treats#items': 0 } })).toMatchObject({ saved: 0, uses: [] });
  });

  it('is drawn on by one after the other of those that take the cheapest units', () => {
    const cheapest = [
      { ...coffee, pick: 'cheapest' },
      { ...bun, pick: 'cheapest', priority: 1 },
    ] as BenefitDefinition[];
    expect(look(cheapest, { lines })).toMatchObject({ saved: 8_000, uses: ['@treats#items:2026-W47=3/3'] });
  });

  it('in money shows as an amount what another discount on the order has cut', () => {
    const purse = { ...money, quantity: 4_000, limitId: 'purse' };
    const tenths = ['a', 'b'].map((benefitId) => ({ benefitId, kind: 'order_percent', percent: 10, limit: purse }));
    const basket = buildBasket(lines);
    // 27.00 of 270.00, and of the purse of 40.00 the rest.
    const { orderDiscounts } = expectApplied(basket, priceFully(basket, tenths as BenefitDefinition[]));
    expect(orderDiscounts).toMatchObject([
      { type: 'percent', percent: 10, amount: 2_700 },
      { type: 'amount', amount: 1_300 },
    ]);
  });
});

describe('a limit that counts money', () => {
  const lines = [line('a', 3, 4_000), line('b', 1, 9_000)];

  it('is spent by what is saved', () => {
    expect(look([percent('half', 10, { limit: money })], { lines })).toEqual({
      saved: 2_100,
      uses: ['half$NOK:2026-11=2100/10000'],
      told: ['79.00 left this month'],
    });
  });

  it('is a cap of the basket, with no counter, where its period is the basket', () => {
    const ofBasket = half({ ...money, period: 'basket' });
    expect(look([ofBasket], { lines })).toEqual({ saved: 10_000, uses: [], told: [''] });
  });

  it.each([
    [{ kind: 'line_amount', amount: 5_000, per: 'line' }, 10_000],
    [{ kind: 'unit_price', unitPrice: 0 }, 10_000],
    [{ kind: 'order_percent', percent: 50 }, 10_000],
    [{ kind: 'order_amount', amount: 30_000 }, 10_000],
    [{ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } }, 8_000],
    [{ kind: 'bundle_price', items: [{ quantity: 4 }], bundlePrice: 0 }, 10_000],
  ])('cuts %j', (words, saved) => {
    const benefit = { benefitId: 'half', limit: money, ...words } as BenefitDefinition;
    expect(look([benefit], { lines })).toMatchObject({ saved, uses: [`half$NOK:2026-11=${saved}/10000`] });
    expect(look([benefit], { lines, left: { half$NOK: 777 } }).saved).toBe(777);
  });

  it('is in the currency of the basket, with a counter for each', () => {
    const both = half({ ...money, quantity: { NOK: 10_000, SEK: 5_000 } });
    expect(look([both], { lines, currency: 'SEK' })).toEqual({
      saved: 5_000,
      uses: ['half$SEK:2026-11=5000/5000'],
      told: ['0.00 left this month'],
    });
    expect(look([both], { lines, left: { half$SEK: 0 } }).saved).toBe(10_000);
    const swedish = half({ ...money, quantity: { SEK: 5_000 } });
    expect(look([swedish], { lines })).toEqual({ saved: 0, uses: [], told: ['other_currency,in SEK'] });
  });
});
