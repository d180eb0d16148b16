/** A shop has many campaigns that give the cheapest, one for each kind of goods. Each of them applies where it saves more than what else there is. */
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { netCostOf, priceFully } from './support/price.ts';

type Line = ReturnType<typeof buildLine>;

const line = (random: Random, at: number, group: number): Line =>
  buildLine({
    lineId: `${at}`,
    productId: `p${at}`,
    productGroupId: `g${group}`,
    quantity: random.chance(0.7) ? 1 : random.between(2, 4),
    unitPrice: 500 + 100 * random.below(90),
  });

/** For so many bought, one more of the goods at a part of its price. */
const campaign = (random: Random, group: number) => {
  const appliesTo = { productGroupIds: [`g${group}`] };
  return {
    benefitId: `cheapest-${group}`,
    kind: 'buy_x_get_y',
    pick: 'cheapest',
    buy: { quantity: random.between(1, 3), appliesTo },
    get: { quantity: 1, appliesTo, percent: random.pick([50, 100]) },
  } as BenefitDefinition;
};

const percent = (value: number): BenefitDefinition => ({ benefitId: 'percent', kind: 'line_percent', percent: value });

it.each([4, 6, 9])('%i campaigns for goods of their own save as much as each kind of goods alone', (groups) => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const random = new Random(seed);
    const perGroup = Array.from({ length: groups }, (_, group) =>
      Array.from({ length: random.between(2, 4) }, (_own, at) => line(random, 10 * group + at, group)),
    );
    const benefits = [...perGroup.map((_, group) => campaign(random, group)), percent(random.pick([20, 30]))];
    const cost = (lines: readonly Line[]): number => {
      const basket = buildBasket([...lines]);
      return netCostOf(basket, priceFully(basket, benefits));
    };
    const alone = perGroup.reduce((sum, lines) => sum + cost(lines), 0);
    expect(cost(perGroup.flat()), `seed ${seed}`).toBe(alone);
  }
});

it('a coupon for other goods has what such a set leaves of a limit that they share', () => {
  const shared = { limit: { quantity: 2, period: 'day', counts: 'items', limitId: 'both' } };
  const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
  const benefits = [
    { benefitId: 'half', kind: 'line_percent', percent: 50, ...on('cake'), ...shared },
    {
      benefitId: 'set',
      kind: 'buy_x_get_y',
      pick: 'cheapest',
      ...shared,
      buy: { quantity: 1, ...on('coffee') },
      get: { quantity: 1, ...on('coffee') },
    },
  ] as unknown as BenefitDefinition[];
  const own = (productId: string, quantity: number, unitPrice: number) =>
    buildLine({ lineId: productId, productId, quantity, unitPrice });
  const basket = buildBasket([own('coffee', 2, 1_000), own('cake', 3, 600), own('tea', 1, 500)]);
  const found = priceFully(basket, benefits, { trace: true });
  expect(basket.totals.total - netCostOf(basket, found)).toBe(1_000 + 300);
});

it('coupons on many lines have what such a set leaves of a limit that they share', () => {
  const shared = { limit: { quantity: 8, period: 'day', counts: 'items', limitId: 'all' } };
  const benefits = [
    { benefitId: 'half', kind: 'line_percent', percent: 50, appliesTo: { productGroupIds: ['cake'] }, ...shared },
    {
      benefitId: 'set',
      kind: 'buy_x_get_y',
      pick: 'cheapest',
      ...shared,
      buy: { quantity: 1, appliesTo: { productGroupIds: ['coffee'] } },
      get: { quantity: 1, appliesTo: { productGroupIds: ['coffee'] } },
    },
  ] as unknown as BenefitDefinition[];
  const cakes = Array.from({ length: 6 }, (_, at) =>
    buildLine({ lineId: `cake-${at}`, productGroupId: 'cake', quantity: 3, unitPrice: 400 + 20 * at }),
  );
  const coffees = buildLine({ lineId: 'coffees', productGroupId: 'coffee', quantity: 12, unitPrice: 1_000 });
  const basket = buildBasket([coffees, ...cakes]);
  const found = priceFully(basket, benefits, { trace: true });
  expect(basket.totals.total - netCostOf(basket, found)).toBe(6 * 1_000 + 2 * 250);
});
