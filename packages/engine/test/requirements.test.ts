/** Goods that a basket has to hold (`requires`), and a minimum of units of the whole basket. */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';
import { on, percent, told } from './support/told.ts';

const machine = { requires: on('m') };
const order = (more: object) => ({ benefitId: 'b', kind: 'order_percent', percent: 20, ...more }) as BenefitDefinition;

describe('required goods', () => {
  it('open a benefit of every family, and are discounted by it where it names them', () => {
    const lines = [line('m', 1, 5_000), line('a', 2, 1_000)];
    const kinds: [object, number][] = [
      [{ kind: 'order_percent', percent: 20 }, 1_400],
      [{ kind: 'line_percent', percent: 20, ...on('a') }, 400],
      [{ kind: 'bundle_price', items: [{ quantity: 2, ...on('a') }], bundlePrice: 500 }, 1_500],
      [{ kind: 'buy_x_get_y', buy: { quantity: 1, ...on('a') }, get: { quantity: 1, ...on('a') } }, 1_000],
    ];
    for (const [kind, saved] of kinds) {
      const benefit = { benefitId: 'b', ...machine, ...kind } as unknown as BenefitDefinition;
      const basket = buildBasket(lines);
      expect(expectApplied(basket, priceFully(basket, [benefit])).totals.total).toBe(7_000 - saved);
      const without = priceFully(buildBasket(lines.slice(1)), [benefit]);
      expect(without).toMatchObject({ status: 'unchanged', reason: 'basket_too_small' });
    }
  });

  it('count where they may not be discounted, and not where they cost nothing or the programme leaves them out', () => {
    const protectedMachine = { ...line('m', 1, 5_000), noDiscount: true };
    expect(told([order(machine)], {}, [protectedMachine, line('a', 1, 1_000)])).toEqual({ saved: 200 });
    const refused = { reason: 'goods_missing', change: '1 more of m' };
    expect(told([order(machine)], {}, [line('m', 1, 0), line('a', 1, 1_000)])).toMatchObject(refused);
    const exclude = { productIds: ['m'] };
    const lines = [line('m', 1, 5_000), line('a', 1, 1_000)];
    expect(told([order(machine)], { policies: { exclude } }, lines)).toMatchObject(refused);
  });

  it('are counted in units, and in what they cost as they came', () => {
    const lines = [line('m', 2, 1_000, staff(300)), line('a', 1, 1_000)];
    const both = (quantity: number, spend: number) =>
      told([order({ requires: { ...on('m'), quantity, spend } })], {}, lines);
    expect(both(2, 1_700)).toEqual({ saved: 540 });
    const explanation = 'It requires 17.01 of m in the basket.';
    expect(both(2, 1_701)).toEqual({ reason: 'goods_missing', change: '0.01 more of m', explanation });
    expect(both(3, 1_700)).toMatchObject({ change: '1 more of m' });
  });

  it('are all required where there are several, and each says what it lacks', () => {
    const requires = [on('m'), { ...on('x', 'y'), quantity: 2 }, { spend: 90_000 }];
    expect(told([order({ requires })], {}, [line('m', 1, 5_000), line('x', 1, 1_000)])).toEqual({
      reason: 'goods_missing',
      change: '1 more of x or y, 840.00 more of any product',
      explanation: 'It requires 1 of m and 2 of x or y and 900.00 of any product in the basket.',
    });
  });

  it('do not make an offer of a benefit that has nothing to discount', () => {
    expect(told([percent('b', 10, { ...on('a'), ...machine })], {}, [line('m', 1, 5_000)])).toEqual({
      reason: 'no_matching_line',
      change: '1 more of a',
    });
  });

  it('are priced in the currency of the basket', () => {
    const benefit = order({ requires: { ...on('m'), spend: { NOK: 100, SEK: 9_000 } } });
    const lines = [line('m', 1, 1_000)];
    expect(told([benefit], {}, lines)).toEqual({ saved: 200 });
    expect(told([benefit], {}, lines, { currency: 'SEK' })).toMatchObject({ reason: 'goods_missing' });
    expect(told([benefit], {}, lines, { currency: 'DKK' })).toMatchObject({ reason: 'other_currency' });
  });

  it('see a line with those below it as one for a benefit of lines, and each alone for one of the order', () => {
    const lines = [line('m', 1, 1_000), { ...line('x', 1, 100), parentLineId: 'm' }];
    const requires = { quantity: 2 };
    const policies: Circumstances['policies'] = { modifiers: 'together' };
    expect(told([percent('b', 10, { requires })], { policies }, lines)).toMatchObject({
      change: '1 more of any product',
    });
    expect(told([order({ requires })], { policies }, lines)).toEqual({ saved: 220 });
    expect(told([percent('b', 10, { requires: { spend: 1_100 } })], { policies }, lines)).toEqual({ saved: 110 });
  });
});

describe('a minimum of units of the whole basket', () => {
  const three = { minimumQuantity: 3, minimumQuantityOn: 'basket' };

  it('counts protected lines and those that the programme leaves out', () => {
    const lines = [line('a', 1, 1_000), { ...line('n', 1, 500), noDiscount: true }, line('x', 1, 500)];
    const policies = { exclude: { productIds: ['x'] } };
    const benefit = percent('b', 10, { ...on('a'), ...three });
    expect(told([benefit], { policies }, lines)).toEqual({ saved: 100 });
    expect(told([benefit], {}, lines.slice(0, 2))).toEqual({
      reason: 'below_minimum_quantity',
      change: '1 more of any product',
    });
  });
});
