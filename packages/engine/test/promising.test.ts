/** Which offers a walk looks at where there are more of them than it can, and what the others might save. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { mostPromising } from '../src/choose/promising.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import type { UnitOffer } from '../src/offers/offers.ts';
import { Work } from '../src/work.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line, posedBy, staff } from './support/choices.ts';

const MANY_STEPS = 1_000_000;

function promising(
  own: BasketLine[],
  benefits: object[],
  steps = MANY_STEPS,
  policies: Partial<ProgrammeDefinition> = {},
) {
  const { problem, offers } = posedBy(buildBasket(own), benefits as BenefitDefinition[], policies);
  const component = { lines: problem.lists.eligible(offers[0]!, 0), offers: offers as UnitOffer[] };
  const found = mostPromising(component, { ...problem, work: new Work(steps) });
  return { ...found, kept: found.offers.map(({ benefit }) => benefit.benefitId) };
}

const goods = (count: number, more: Partial<BasketLine> = {}) =>
  Array.from({ length: count }, (_, at) => line(`p${at}`, 1, 1_000, more));
const idOf = (prefix: string, at: number) => `${prefix}${String(at).padStart(3, '0')}`;
/** Of so many amounts off those that come last promise most: the one at 7 promises 7 of each unit, up to so many units or so much. */
const amounts = (prefix: string, count: number, limit: object) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ benefitId: idOf(prefix, at), kind: 'line_amount', amount: 1 + at, per: 'unit', ...limit },
  }));
const ids = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => idOf(prefix, from + at));
const CAPPED = { maximumDiscount: 100_000 };
const OF_TWO = { maximumUnits: 2 };

test('thirty-two offers are all looked at; of more, those that promise most, in the order of their IDs', () => {
  expect(promising(goods(3), amounts('a', 32, CAPPED))).toMatchObject({ kept: ids('a', 0, 32), leftAside: 0 });
  // Of three units the first promises 1, 2 and 3.
  expect(promising(goods(3), amounts('a', 35, CAPPED))).toMatchObject({ kept: ids('a', 3, 35), leftAside: 3 + 6 + 9 });
});

test('on more lines fewer are, and four at least', () => {
  expect(promising(goods(100), amounts('a', 20, CAPPED)).kept).toEqual(ids('a', 4, 20));
  expect(promising(goods(800), amounts('a', 6, CAPPED)).kept).toEqual(ids('a', 2, 6));
});

test('no more is left aside than the lines cost', () => {
  const sets = Array.from({ length: 60 }, (_, at) => ({
    ...{ benefitId: idOf('s', at), kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } },
  }));
  expect(promising(goods(3), sets).leftAside).toBe(3_000);
});

test('a hundred coupons for some units stand beside the others; of more, those that promise most', () => {
  const others = amounts('o', 32, CAPPED);
  expect(promising(goods(3), [...amounts('c', 100, OF_TWO), ...others]).leftAside).toBe(0);
  const found = promising(goods(3), [...amounts('c', 102, OF_TWO), ...others]);
  expect(found.kept).toEqual([...ids('c', 2, 102), ...ids('o', 0, 32)]);
  expect(found.leftAside).toBe(2 * 1 + 2 * 2);
  // A coupon up to a maximum is none of them.
  expect(promising(goods(3), amounts('c', 40, { ...OF_TWO, ...CAPPED })).kept).toEqual(ids('c', 8, 40));
});

test('few steps are for few coupons: to know what they do takes a quarter of the steps at most', () => {
  const keptOf = (steps: number, own: BasketLine[], policies?: Partial<ProgrammeDefinition>): number =>
    promising(own, amounts('c', 100, OF_TWO), steps, policies).kept.length;
  const plain = goods(20);
  // On each of 20 lines 0.5 steps to find its role, and 0.25 and 0.15 to make a way.
  expect(keptOf(1_200, plain)).toBe(16);
  expect(keptOf(2_400, plain)).toBe(33);
  expect(keptOf(100, plain)).toBe(8);
  // 1.2 to make a way where a line has something to share out.
  const below = goods(20).flatMap((own) => [own, line(`${own.lineId}+`, 1, 100, { parentLineId: own.lineId })]);
  expect(keptOf(2_400, goods(20, staff(10)))).toBe(25);
  expect(keptOf(2_400, goods(20, allocated(10)))).toBe(25);
  expect(keptOf(2_400, below, { modifiers: 'together' })).toBe(25);
  // One such line among twenty is not what takes most.
  expect(keptOf(2_400, [...goods(19), line('own', 1, 1_000, staff(10))])).toBe(33);
});
