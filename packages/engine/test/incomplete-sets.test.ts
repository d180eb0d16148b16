/** Sets of which the last gives what is there (`get.complete`), however their units are picked. */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';
import { on, percent, told } from './support/told.ts';

const set = (buy: object, get: object, more: object = {}) =>
  ({ benefitId: 'b', kind: 'buy_x_get_y', buy: { quantity: 1, ...buy }, get, ...more }) as BenefitDefinition;
/** A machine, three coffees free. */
const machine = (get: object = {}, more: object = {}) =>
  set(on('machine'), { quantity: 3, ...on('coffee'), ...get }, more);
const MACHINE = line('machine', 1, 100_000);
const coffees = (units: number) => [MACHINE, line('coffee', units, 4_000)];

/** What a basket costs, after the judge has found nothing wrong with it. */
function costOf(lines: Parameters<typeof buildBasket>[0], benefits: BenefitDefinition[], more?: Circumstances): number {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, more);
  return decision.status === 'applied' ? expectApplied(basket, decision).totals.total : basket.totals.total;
}

describe('an incomplete set', () => {
  it('gives what is there, and nothing where sets have to be complete', () => {
    const costs = (units: number) =>
      [machine(), machine({ complete: true })].map((own) => costOf(coffees(units), [own]));
    expect([1, 2, 3, 4].map(costs)).toEqual([
      [100_000, 104_000],
      [100_000, 108_000],
      [100_000, 100_000],
      [104_000, 104_000],
    ]);
  });

  it('comes after the full ones, for as many bought as each of them has', () => {
    const two = set({ quantity: 2, ...on('wine') }, { quantity: 2, ...on('cake') });
    const sold = (wine: number, cake: number) => [line('wine', wine, 10_000), line('cake', cake, 1_000)];
    const given = (wine: number, cake: number) => 10_000 * wine + 1_000 * cake - costOf(sold(wine, cake), [two]);
    expect([given(3, 3), given(4, 3), given(5, 5), given(1, 3)]).toEqual([2_000, 3_000, 4_000, 0]);
  });

  it('is cut from the dearest units on where all goods are bought or given', () => {
    const lines = [9_000, 8_000, 7_000, 6_000, 5_000, 4_000, 3_000].map((price, at) => line(`p${at}`, 1, price));
    const saved = (units: number, own: BenefitDefinition) => {
      const some = lines.slice(0, units);
      return some.reduce((sum, { unitPrice }) => sum + unitPrice, 0) - costOf(some, [own]);
    };
    const [any, whole] = [set({ quantity: 2 }, { quantity: 2 }), set({ quantity: 2 }, { quantity: 2, complete: true })];
    expect([2, 3, 4, 5, 6, 7].map((units) => saved(units, any))).toEqual([0, 7_000, 13_000, 13_000, 13_000, 16_000]);
    expect([2, 3, 4, 5, 6, 7].map((units) => saved(units, whole))).toEqual([0, 0, 13_000, 13_000, 13_000, 13_000]);
  });

  it('gives the cheapest units of all with `pick: cheapest`', () => {
    const lines = [9_000, 8_000, 7_000, 6_000, 5_000].map((price, at) => line(`p${at}`, 1, price));
    const cheapest = (complete: boolean) => set({}, { quantity: 3, complete }, { pick: 'cheapest' });
    expect(costOf(lines.slice(0, 3), [cheapest(false)])).toBe(9_000);
    expect(costOf(lines.slice(0, 3), [cheapest(true)])).toBe(24_000);
    expect(costOf(lines, [cheapest(false)])).toBe(9_000 + 8_000);
  });

  it('gives what a limit leaves', () => {
    const limited = (more: object, get: object = {}) => machine(get, more);
    expect(costOf(coffees(3), [limited({ maximumUnits: 2 })])).toBe(104_000);
    expect(costOf(coffees(3), [limited({ maximumUnits: 2 }, { complete: true })])).toBe(112_000);
    const limit = { quantity: 5, period: 'week', counts: 'items' };
    expect(costOf(coffees(3), [limited({ limit })], { left: { b: 1 } })).toBe(108_000);
    const shared = { ...limit, limitId: 'cups' };
    const other = { ...percent('a', 50, { limit: shared, ...on('tea') }) };
    const lines = [...coffees(3), line('tea', 1, 9_000)];
    expect(costOf(lines, [limited({ limit: shared }), other], { left: { '@cups': 2 } })).toBe(100_000 + 8_000 + 4_500);
  });

  it('leaves units to a benefit that saves more on them', () => {
    const half = set(on('machine'), { quantity: 2, percent: 50, ...on('coffee', 'tea') });
    const coupon = percent('a', 100, { maximumUnits: 1, ...on('tea') });
    const lines = [MACHINE, line('coffee', 1, 4_000), line('tea', 1, 6_000)];
    expect(costOf(lines, [half, coupon])).toBe(102_000);
    const whole = set(on('machine'), { quantity: 2, percent: 50, complete: true, ...on('coffee', 'tea') });
    expect(costOf(lines, [whole, coupon])).toBe(104_000);
  });

  it('shares what it gives over its units with `spread`', () => {
    const basket = buildBasket([line('machine', 1, 9_000), line('coffee', 1, 3_000)]);
    const decision = expectApplied(basket, priceFully(basket, [machine({}, { spread: true })]));
    expect(decision.lines.map(({ orderLinePrice }) => orderLinePrice)).toEqual([6_750, 2_250]);
  });
});

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
