/** Which units offers draw that give the cheapest: one offer after the other, as many sets as units and limits allow. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { drawCheapest } from '../src/choose/draws.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import type { BuyGetOffer, DrawingOffer } from '../src/offers/offers.ts';
import { buildBasket } from './support/basket.ts';
import { line, posedBy } from './support/choices.ts';

const cheapest = (benefitId: string, buy: object, get: object, more: object = {}): BenefitDefinition =>
  ({ benefitId, kind: 'buy_x_get_y', pick: 'cheapest', buy, get, ...more }) as BenefitDefinition;
const on = (...productIds: string[]) => ({ appliesTo: { productIds } });

/** Per line what is drawn of it: `a+2` for two units that are given, `a-1` for one that is bought, `a~1` for one that is bought and shared. */
function drawn(own: BasketLine[], ...benefits: BenefitDefinition[]): string[] {
  const { problem, offers, sets } = posedBy(buildBasket(own), benefits);
  const found = drawCheapest(offers as BuyGetOffer[], sets, problem)!;
  const text = (sign: string) => (take: { offer: DrawingOffer; units: number }) =>
    `${take.offer.benefit.benefitId}${sign}${take.units}`;
  return found.map(({ taken, bought, combinable }) =>
    [...taken.map(text('+')), ...bought.map(text('-')), ...combinable.map(text('~'))].join(' '),
  );
}

const SIX = [6_000, 5_000, 4_000, 3_000, 2_000, 1_000].map((price, at) => line(`p${at}`, 1, price));

test('of six the two cheapest are given for the four dearest', () => {
  const set = cheapest('a', { quantity: 2 }, { quantity: 1 });
  expect(drawn(SIX, set)).toEqual(['a-1', 'a-1', 'a-1', 'a-1', 'a+1', 'a+1']);
  expect(drawn(SIX.slice(0, 5), set)).toEqual(['a-1', 'a-1', '', '', 'a+1']);
  expect(drawn([line('p', 7, 1_000)], set)).toEqual(['a+2 a-4']);
  expect(drawn(SIX.slice(0, 2), set)).toEqual(['', '']);
});

test('the last set gives what is there, unless sets have to be complete', () => {
  const set = (complete: boolean) => cheapest('a', { quantity: 3 }, { quantity: 2, complete });
  expect(drawn(SIX, set(false))).toEqual(['a-1', 'a-1', 'a-1', '', 'a+1', 'a+1']);
  expect(drawn(SIX, set(true))).toEqual(['a-1', 'a-1', 'a-1', '', 'a+1', 'a+1']);
  expect(drawn(SIX.slice(0, 4), set(false))).toEqual(['a-1', 'a-1', 'a-1', 'a+1']);
  expect(drawn(SIX.slice(0, 4), set(true))).toEqual(['', '', '', '']);
  expect(drawn([line('p', 9, 1_000)], set(false))).toEqual(['a+3 a-6']);
  expect(drawn([line('p', 9, 1_000)], set(true))).toEqual(['a+2 a-3']);
});

test('goods that are only bought, or only given', () => {
  const set = cheapest('a', { quantity: 2, ...on('wine') }, { quantity: 1, ...on('cake', 'tea') });
  const own = [line('wine', 5, 9_000), line('cake', 1, 2_000), line('tea', 3, 1_000)];
  expect(drawn(own, set)).toEqual(['a-4', '', 'a+2']);
  expect(drawn([line('wine', 3, 9_000), line('tea', 3, 1_000)], set)).toEqual(['a-2', 'a+1']);
  expect(drawn([line('wine', 9, 9_000), line('cake', 1, 2_000), line('tea', 1, 1_000)], set)).toEqual([
    'a-4',
    'a+1',
    'a+1',
  ]);
});

test('where some goods are both, enough of them are left to be bought', () => {
  const set = cheapest('a', { quantity: 2, ...on('tea', 'cake') }, { quantity: 1, ...on('cake', 'bun') });
  // Tea can only be bought, buns only be given.
  expect(drawn([line('tea', 1, 500), line('cake', 2, 1_000)], set)).toEqual(['a-1', 'a+1 a-1']);
  expect(drawn([line('tea', 1, 500), line('cake', 1, 1_000), line('bun', 1, 2_000)], set)).toEqual([
    'a-1',
    'a-1',
    'a+1',
  ]);
  expect(drawn([line('tea', 4, 500), line('cake', 1, 1_000), line('bun', 1, 2_000)], set)).toEqual([
    'a-4',
    'a+1',
    'a+1',
  ]);
});

test('limits by items leave no more sets, its own and one that offers share', () => {
  const sets = (benefitId: string, more: object) => cheapest(benefitId, { quantity: 1 }, { quantity: 1 }, more);
  expect(drawn(SIX, sets('a', { maximumUnits: 2 }))).toEqual(['a-1', 'a-1', '', '', 'a+1', 'a+1']);
  const shared = (quantity: number) => ({ limit: { quantity, period: 'day', counts: 'items', limitId: 'both' } });
  const both = (quantity: number) =>
    drawn(SIX, sets('a', { maximumUnits: 1, ...shared(quantity) }), sets('b', shared(quantity)));
  expect(both(1)).toEqual(['a-1', '', '', '', '', 'a+1']);
  expect(both(2)).toEqual(['a-1', 'b-1', '', '', 'b+1', 'a+1']);
  expect(both(9)).toEqual(['a-1', 'b-1', 'b-1', 'b+1', 'b+1', 'a+1']);
  const two = cheapest('a', { quantity: 1 }, { quantity: 2, complete: true }, { maximumUnits: 3 });
  expect(drawn(SIX, two)).toEqual(['a-1', '', '', '', 'a+1', 'a+1']);
  const three = cheapest('a', { quantity: 1 }, { quantity: 2 }, { maximumUnits: 3 });
  expect(drawn(SIX, three)).toEqual(['a-1', 'a-1', '', 'a+1', 'a+1', 'a+1']);
});

test('what one has drawn another one cannot; bought units are shared where the offer says so', () => {
  const a = cheapest('a', { quantity: 1 }, { quantity: 1 }, { maximumUnits: 1 });
  const b = cheapest('b', { quantity: 2, combinable: true }, { quantity: 1 });
  expect(drawn(SIX, a, b)).toEqual(['a-1', 'b~1', 'b~1', '', 'b+1', 'a+1']);
});
