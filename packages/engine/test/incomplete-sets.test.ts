/** Sets of which the last gives what is there (`get.complete`), however their units are picked. */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { priceFully } from './support/price.ts';
import { on, told } from './support/told.ts';

const set = (buy: object, get: object, more: object = {}) =>
  ({ benefitId: 'b', kind: 'buy_x_get_y', buy: { quantity: 1, ...buy }, get, ...more }) as BenefitDefinition;
/** A machine, three coffees free. */
const machine = (get: object = {}, more: object = {}) =>
  set(on('machine'), { quantity: 3, ...on('coffee'), ...get }, more);
const MACHINE = line('machine', 1, 100_000);
const coffees = (units: number) => [MACHINE, line('coffee', units, 4_000)];

describe('the explanation', () => {
  it('of an incomplete set says what it would give too', () => {
    const explanation = 'Applied; its last set gives 2 of 3 units: 1 more of coffee would be given too.';
    expect(told([machine()], {}, coffees(2))).toEqual({ saved: 8_000, explanation });
    expect(told([machine()], {}, coffees(3))).toEqual({ saved: 12_000 });
    expect(told([machine({}, { maximumUnits: 2 })], {}, coffees(2))).toEqual({ saved: 8_000 });
    const limit = { quantity: 2, period: 'day', counts: 'items' };
    expect(told([machine({}, { limit })], {}, coffees(2))).toMatchObject({
      explanation: 'Applied; used up by this sale.',
    });
    const ofAll = { ...limit, quantity: 3, of: 'programme' };
    const left = { 'b#items~programme': 2 };
    expect(told([machine({}, { limit: ofAll })], { left }, coffees(2))).toEqual({
      saved: 8_000,
      left: '0 of 3 left today',
    });
  });

  it('of one that has to be complete says what it lacks', () => {
    const refused = { reason: 'too_few_units', change: '1 more of coffee', explanation: 'Missing: 1 coffee.' };
    expect(told([machine({ complete: true })], {}, coffees(2))).toEqual(refused);
    expect(told([machine()], {}, [MACHINE])).toEqual(refused);
    const four = set({ quantity: 2 }, { quantity: 2 });
    expect(told([four], {}, [line('a', 2, 1_000)])).toMatchObject({ change: '1 more of any product' });
    const unchanged = priceFully(buildBasket(coffees(2)), [machine({ complete: true })]);
    expect(unchanged).toMatchObject({ status: 'unchanged', reason: 'basket_too_small' });
  });
});
