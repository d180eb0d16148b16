/** What a decision says beside the answer, and what its work is bounded by. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { type BasketToPrice, decideBasket } from '../src/price.ts';
import { OverBudget } from '../src/work.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';
import { on, percent } from './support/told.ts';

const item = (productId: string) => ({ quantity: 1, ...on(productId) });
const menu: BenefitDefinition = {
  benefitId: 'menu',
  kind: 'bundle_price',
  percent: 10,
  items: [item('a'), item('drink')],
};

function inputOf(lines: BasketLine[], benefits: BenefitDefinition[], more: Partial<BasketToPrice> = {}): BasketToPrice {
  const basket = buildBasket(lines);
  return { basket, venue: buildVenue(benefits), member: buildMember(), available: new Map(), ...more };
}

describe('a basket that stays as it is', () => {
  it.each([
    ['of a member who is not active', buildMember({ status: 'paused' })],
    ['of a member without any benefit', buildMember()],
  ])('%s gives nothing, spends no limit and misses nothing', (_about, member) => {
    const decided = decideBasket(inputOf([line('b', 1, 1_000)], [menu], { member }));
    expect(decided).toMatchObject({ content: { status: 'unchanged' }, uses: [], gap: 0, ownDiscounts: 0 });
    expect(decided.given()).toEqual([]);
  });

  const lines = Array.from({ length: 40 }, (_, at) => line(at === 0 ? 'a' : `${at}`, 1, 1_000));

  it('has its reason looked for in a quarter of all steps, if none is left', () => {
    // To count the units of two items on 40 lines takes four steps.
    const reasonWithin = (maximumSteps: number) => priceFully(buildBasket(lines), [menu], { maximumSteps });
    expect(reasonWithin(16)).toMatchObject({ reason: 'basket_too_small' });
    expect(reasonWithin(15)).toMatchObject({ reason: 'all_lines_excluded' });
  });

  it('is given up where other calls wait if only its reason takes too long', () => {
    const input = inputOf(lines, [menu], { trace: true });
    const { steps } = decideBasket(input).trace!;
    expect(() => decideBasket({ ...input, budget: steps + 2 })).toThrow(OverBudget);
    expect(decideBasket({ ...input, budget: steps + 4 })).toMatchObject({ content: { reason: 'basket_too_small' } });
  });
});

it('a fault in a basket is told where other calls wait, and is not taken for one that takes long', () => {
  const basket = { ...buildBasket([line('a', 1, 1_000)]), requestedAt: 'today' };
  expect(() => decideBasket({ ...inputOf([], [menu]), basket, budget: 400 })).toThrow(
    'requestedAt is an RFC 3339 time',
  );
});

describe('what each benefit gives', () => {
  const products = ['bun', 'tea'].map((productId) => ({
    productId,
    name: productId,
    unitPrice: 250,
    noDiscount: false,
    noPercentageDiscount: false,
  }));
  const givenOf = (lines: BasketLine[], benefits: BenefitDefinition[]) =>
    decideBasket(inputOf(lines, benefits, { venue: buildVenue(benefits, {}, products) })).given();

  it('is summed over lines, the order and products, in the order of the benefitId', () => {
    const benefits: BenefitDefinition[] = [
      percent('c', 10, on('a', 'b')),
      { benefitId: 'b', kind: 'order_amount', amount: 30, ...on('a') },
      { benefitId: 'a', kind: 'free_product', productId: 'bun', quantity: 2 },
      { benefitId: 'd', kind: 'line_amount', amount: 5, per: 'unit', ...on('c') },
    ];
    expect(givenOf([line('c', 1, 100), line('a', 2, 1_000), line('b', 1, 500), line('x', 1, 1)], benefits)).toEqual([
      { benefitId: 'a', units: 2, saved: 500 },
      { benefitId: 'b', units: 1, saved: 30 },
      { benefitId: 'c', units: 3, saved: 250 },
      { benefitId: 'd', units: 1, saved: 5 },
    ]);
  });

  it('counts products that were rung up with those that are added', () => {
    const tea: BenefitDefinition = {
      benefitId: 'tea',
      kind: 'free_product',
      productId: 'tea',
      quantity: 3,
      inBasketFirst: true,
    };
    expect(givenOf([line('tea', 1, 250)], [tea])).toEqual([{ benefitId: 'tea', units: 3, saved: 750 }]);
  });

  it('is no unit of a bundle that is too cheap for a part of it', () => {
    const items = [item('a'), item('b')];
    const pair: BenefitDefinition = { benefitId: 'pair', kind: 'bundle_price', percent: 10, items };
    expect(givenOf([line('a', 1, 1_000), line('b', 1, 1)], [pair])).toEqual([
      { benefitId: 'pair', units: 1, saved: 100 },
    ]);
  });
});

describe('of exclusive benefits that save the same', () => {
  const tenth = (benefitId: string, more: object = {}) => percent(benefitId, 10, { exclusive: true, ...more });
  const limit = { quantity: 9, period: 'day', counts: 'items' } as const;
  const inMoney = { quantity: 900, period: 'day', counts: 'money' } as const;

  it.each([
    ['spends no limit', [tenth('a', { limit }), tenth('b')], 'b'],
    ['spends fewer units', [tenth('a', { limit }), tenth('b', { limit: { ...limit, counts: 'baskets' } })], 'b'],
    ['spends a limit of money once', [tenth('a', { limit }), tenth('b', { limit: inMoney })], 'b'],
    ['spends no limit, whatever the priority', [tenth('a', { limit, priority: 5 }), tenth('b')], 'b'],
    ['has the higher priority', [tenth('a', { priority: 1 }), tenth('b', { priority: 2 }), tenth('c')], 'b'],
    ['has the lower benefitId', [tenth('b'), tenth('a'), tenth('c')], 'a'],
  ])('the one that %s applies', (_about, benefits, benefitId) => {
    const { trace } = priceFully(buildBasket([line('a', 3, 1_000)]), benefits, { trace: true });
    expect(trace!.benefits.filter(({ applied }) => applied)).toMatchObject([{ benefitId }]);
  });
});
