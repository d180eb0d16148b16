/** Goods that a basket has to hold (`requires`), and a minimum of units of the whole basket. */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { line } from './support/choices.ts';
import { on, percent, told } from './support/told.ts';

const machine = { requires: on('m') };
const order = (more: object) => ({ benefitId: 'b', kind: 'order_percent', percent: 20, ...more }) as BenefitDefinition;

describe('required goods', () => {
  it('count where they may not be discounted, and not where they cost nothing or the programme leaves them out', () => {
    const protectedMachine = { ...line('m', 1, 5_000), noDiscount: true };
    expect(told([order(machine)], {}, [protectedMachine, line('a', 1, 1_000)])).toEqual({ saved: 200 });
    const refused = { reason: 'goods_missing', change: '1 more of m' };
    expect(told([order(machine)], {}, [line('m', 1, 0), line('a', 1, 1_000)])).toMatchObject(refused);
    const exclude = { productIds: ['m'] };
    const lines = [line('m', 1, 5_000), line('a', 1, 1_000)];
    expect(told([order(machine)], { policies: { exclude } }, lines)).toMatchObject(refused);
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
});
