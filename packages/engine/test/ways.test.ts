/** What a way to use the units of a line says that it saves, and the bounds on what any of them gains at some prices. */
import { expect, test } from 'vitest';
import { Random } from '../../simulator/src/random.ts';
import { listWays, pricedGain } from '../src/choose/listing.ts';
import { MostOnLine } from '../src/choose/most-on-line.ts';
import type { Place } from '../src/choose/place.ts';
import type { Way } from '../src/choose/way.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { line } from './support/choices.ts';
import { modelsOf, type Posed } from './support/models.ts';
import { drawMeals, drawSeason, drawTrifles, type Season } from './support/seasons.ts';

const SEEDS = 20;
/** Minor units that computing in fractions may be off. */
const NEARLY = 1e-6;

/** The models of drawn baskets of which each line has so few units in so few roles that every way is looked at. */
function* posedModels(draw: (seed: number) => Season): Generator<Posed & { readonly random: Random }> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { basket, benefits, policies } = draw(seed);
    for (const posed of modelsOf(basket, benefits, policies)) yield { ...posed, random: new Random(seed) };
  }
}

const MOST_COUNTS = 200;

/** Every number of units for every role, also such as are not permitted; undefined where these are too many. */
function allCounts({ roles }: Place): number[][] | undefined {
  let all: number[][] = [[]];
  for (const { most } of roles) {
    const tries = Array.from({ length: most + 1 }, (_, units) => units);
    all = all.flatMap((counts) => tries.map((units) => [...counts, units]));
    if (all.length > MOST_COUNTS) return undefined;
  }
  return all;
}

/** What a way saves where sums of money pay for what they have; undefined where two benefits of it share one. */
function saidBy({ saving, cut }: Way, capacities: readonly number[]): number | undefined {
  const slots = cut.flatMap(({ sums }) => sums);
  if (new Set(slots).size < slots.length) return undefined;
  const paid = ({ sums, effect, worth }: Way['cut'][number]): number =>
    worth * Math.min(effect, ...sums.map((slot) => capacities[slot]!));
  return cut.reduce((sum, own) => sum + paid(own), saving);
}

/** What the staff took off the goods of a unit with modifiers. */
function existingOf({ line: { unit } }: Place): number {
  return unit?.lines.reduce((sum, { line }) => sum + line.existing, 0) ?? 0;
}

test.each([
  ['plain goods', drawSeason],
  ['goods with modifiers', drawMeals],
  ['trifles', drawTrifles],
])('the judge takes off a line what its way says, on %s', (_, draw) => {
  let compared = 0;
  for (const { model, savedBy } of posedModels(draw)) {
    const { places, couplings, slack, isBundleCut } = model;
    if (isBundleCut) continue;
    for (const [at, place] of places.entries())
      for (const counts of allCounts(place) ?? [])
        for (const way of place.ways(counts)) {
          const ordinals = way.takes.taken.map(({ offer }) => offer.benefit.ordinal);
          expect(ordinals, 'each benefit once, in order').toEqual([...new Set(ordinals)].sort((a, b) => a - b));
          if (!place.line.isSplittable) {
            const takers = new Set([
              ...way.takes.taken.map(({ offer }) => offer),
              ...(way.takes.rest ? [way.takes.rest] : []),
            ]);
            expect(takers.size, 'what cannot be split has one benefit').toBeLessThan(2);
          }
          const said = saidBy(way, couplings.capacities);
          const saved = savedBy(places.map((_own, other) => (other === at ? way : undefined)));
          const isAlone = way.sets.length + way.bundles.length + way.cut.length === 0;
          if (isAlone) expect(saved, 'benefits of a line ask for nothing of others').toBeDefined();
          if (said === undefined || saved === undefined) continue;
          compared++;
          // Where a sum of money ends, other goods of a meal may keep what the staff took off.
          const kept = way.cut.length > 0 ? existingOf(place) : 0;
          const name = `${place.line.line.lineId} ${counts}`;
          expect(saved, name).toBeLessThanOrEqual(said + slack + NEARLY);
          expect(saved, name).toBeGreaterThanOrEqual(said - slack - kept - NEARLY);
        }
  }
  expect(compared).toBeGreaterThan(100);
});

/** Prices of what lines share: of limits never below 0, of bundles and sets of any sign. */
function drawPrices({ couplings: { capacities, limits, sums } }: Posed['model'], random: Random): number[] {
  const prices = capacities.map(() => (random.chance(0.3) ? 0 : random.between(-2_000, 2_000)));
  for (const slot of limits) prices[slot] = Math.abs(prices[slot]!);
  for (const slot of sums) prices[slot] = Math.abs(prices[slot]!) / 2_000;
  return prices;
}

/** A season whose sets share what they buy, and give so few units that some of a line's are left. */
function drawFewSets(seed: number): Season {
  const season = drawSeason(seed);
  const benefits = season.benefits.map((own) =>
    own.kind === 'buy_x_get_y' && !own.spread
      ? { ...own, buy: { ...own.buy, combinable: true }, maximumUnits: 1 }
      : own,
  );
  return { ...season, benefits };
}

test.each([
  ['plain goods', drawSeason],
  ['plain goods, with sets of few units', drawFewSets],
  ['goods with modifiers', drawMeals],
])(
  'no way of a line gains more than the bound of the line, and those that gain enough are listed, on %s',
  (_, draw) => {
    const mostOnLine = new MostOnLine();
    let [compared, equal] = [0, 0];
    for (const { model, work, random } of posedModels(draw))
      for (const place of model.places) {
        const ways = allCounts(place)?.flatMap((counts) => place.ways(counts));
        if (!ways) continue;
        const prices = drawPrices(model, random);
        const gains = ways.map((way) => pricedGain(way, prices)).sort((a, b) => b - a);
        mostOnLine.find(place, prices);
        expect(mostOnLine.most).toBeGreaterThanOrEqual(gains[0]! - NEARLY);
        compared++;
        if (mostOnLine.most <= gains[0]! + 1) equal++;
        const least = gains[Math.min(2, gains.length - 1)]!;
        const listed = listWays(place, prices, least - NEARLY, mostOnLine.most, 10_000, work);
        expect(listed.mostLeftOut).toBe(Number.NEGATIVE_INFINITY);
        expect(listed.ways.map(({ gain }) => gain)).toEqual(gains.filter((gain) => gain >= least - NEARLY));
      }
    expect(equal).toBeGreaterThan(0.8 * compared);
  },
);

test('what a way saves is worth as much as what is saved on its line', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { basket, benefits, policies } = drawSeason(seed);
    const priced = benefits.map((own) => (own.kind === 'bundle_price' ? { ...own, percent: undefined, ...OFF } : own));
    const halves = modelsOf(basket, priced as BenefitDefinition[], policies, 0.5);
    for (const [n, { model }] of modelsOf(basket, priced as BenefitDefinition[], policies).entries())
      for (const [at, place] of model.places.entries())
        for (const counts of allCounts(place) ?? []) {
          const worths = (ways: readonly Way[]): number[] =>
            ways.map(({ saving, cut }) => cut.reduce((sum, { effect, worth }) => sum + effect * worth, saving));
          const half = worths(halves[n]!.model.places[at]!.ways(counts));
          expect(half).toEqual(worths(place.ways(counts)).map((own) => own / 2));
        }
  }
});
const OFF = { amount: 700 };

test('what a line gives to two parts of a bundle is one take of it', () => {
  const of = (...productIds: string[]) => ({ quantity: 1, appliesTo: { productIds } });
  const bundle = { benefitId: 'two', kind: 'bundle_price', items: [of('1'), of('1', '2')], amount: 300 };
  const lines = ['1', '2'].map((id) => buildLine({ lineId: id, productId: id, quantity: 3 }));
  const [posed] = modelsOf(buildBasket(lines), [bundle as unknown as BenefitDefinition]);
  const place = posed!.model.places[0]!;
  expect(place.roles.map(({ item }) => item)).toEqual([0, 1]);
  const ways = place.ways([1, 1]);
  expect(ways.map(({ takes: { taken } }) => taken.map(({ units }) => units))).toEqual([[2]]);
});

const WEEKLY = { limit: { quantity: 3, period: 'week', counts: 'baskets' } };

/** Both take 3.00 off each thing at 10.00. */
test.each<[string, object, object, string]>([
  ['the one without a limit', WEEKLY, {}, 'percent'],
  ['the one without a limit, also before the other', {}, WEEKLY, 'amount'],
  ['of two with a limit the one of higher priority', WEEKLY, { ...WEEKLY, priority: 1 }, 'percent'],
  ['the one of higher priority, also before the other', { priority: 1 }, {}, 'amount'],
  ['of two alike the first by its ID', WEEKLY, WEEKLY, 'amount'],
])('of benefits that save the same on what is left of a line: %s', (_, amount, percent, best) => {
  const benefits = [
    { benefitId: 'amount', kind: 'line_amount', amount: 300, per: 'unit', ...amount },
    { benefitId: 'coupon', kind: 'line_percent', percent: 50, maximumUnits: 1 },
    { benefitId: 'percent', kind: 'line_percent', percent: 30, ...percent },
  ] as BenefitDefinition[];
  const [posed] = modelsOf(buildBasket([line('1', 3, 1_000)]), benefits);
  const ways = posed!.model.places[0]!.ways([1]);
  expect(ways.map(({ saving, takes }) => [saving, takes.rest?.benefit.benefitId])).toEqual([[500 + 2 * 300, best]]);
});
