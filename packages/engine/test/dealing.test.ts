/** The first dealing of units: of sets whose number is given, and of benefits limited by items beside them. */
import { expect, test } from 'vitest';
import { Dealing } from '../src/choose/dealing.ts';
import type { Way } from '../src/choose/way.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { Work } from '../src/work.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { modelsOf } from './support/models.ts';

const THREE = { quantity: 3, period: 'week', counts: 'items', limitId: 'treats' } as const;
const of = (...productIds: string[]) => ({ appliesTo: { productIds } });

/** For two coffees a bun at half its price; something may come off the coffees as well. */
const set = (limit?: object): BenefitDefinition =>
  ({
    ...{ benefitId: 'set', kind: 'buy_x_get_y', limit },
    buy: { quantity: 2, ...of('coffee'), combinable: true },
    get: { quantity: 1, ...of('bun'), percent: 50 },
  }) as BenefitDefinition;
const coupon = (more: object): BenefitDefinition => ({
  ...{ benefitId: 'coupon', kind: 'line_percent', percent: 20 },
  ...more,
});
const LINES = [line('coffee', 4, 100), line('bun', 2, 100)];

/** What is dealt where so many sets are formed: of each line the units of each benefit, `~` where others may have them too. */
function dealt(benefits: BenefitDefinition[], sets: number) {
  const [posed] = modelsOf(buildBasket(LINES), benefits);
  const { model, savedBy } = posed!;
  const forming = model.offers.find(({ benefit }) => benefit.benefitId === 'set')!;
  const ways = new Dealing(model, new Work(1_000)).deal(new Map([[forming, sets]]), 1);
  const shown = ways?.map(({ takes: { taken, combinable = [] } }: Way) =>
    [...taken.map(namesOf('')), ...combinable.map(namesOf('~'))].join(' '),
  );
  return { ways: shown?.toSorted(), saved: ways && savedBy(ways) };
}

type Take = Way['takes']['taken'][number];

function namesOf(mark: string): (take: Take) => string {
  return ({ units, offer }) => `${mark}${units} ${offer.benefit.benefitId}`;
}

test('units that are bought for a set and may be combined go to a limited benefit too', () => {
  expect(dealt([set(), coupon({ ...of('coffee'), maximumUnits: 3 })], 2)).toEqual({
    ways: ['2 set', '3 coupon ~4 set'],
    saved: 3 * 20 + 2 * 50,
  });
});

test('a limit that the set shares with the benefit has room for both', () => {
  const benefits = [set(THREE), coupon({ ...of('coffee', 'bun'), limit: THREE })];
  // Two units are given, and bought ones count nothing: one is left of three.
  expect(dealt(benefits, 2)).toEqual({ ways: ['1 coupon ~4 set', '2 set'], saved: 20 + 2 * 50 });
  expect(dealt(benefits, 1)).toMatchObject({ saved: 2 * 20 + 50 });
});

test('the limit of another benefit is its own', () => {
  const other = { ...THREE, limitId: 'others' };
  expect(dealt([set(THREE), coupon({ ...of('coffee'), limit: other })], 2)).toEqual({
    ways: ['2 set', '3 coupon ~4 set'],
    saved: 3 * 20 + 2 * 50,
  });
});

test('sets that cannot be full are not dealt', () => {
  expect(dealt([set(), coupon({ ...of('coffee'), maximumUnits: 3 })], 3).ways).toBeUndefined();
});
