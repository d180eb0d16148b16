/**
 * What the engine chooses on drawn baskets, one row each: the gap and the steps, what each benefit saves, and a print of the whole answer.
 * A guest sees each difference, so `recorded-choices.test.ts` compares the rows with those in the repository.
 */
import { createHash } from 'node:crypto';
import {
  draw,
  drawWithCheapest,
  drawWithCoupons,
  drawWithLists,
  drawWithModifiers,
  drawWithRules,
} from '../../../../test/oracle/draws.ts';
import { priceWithEngine } from '../../../../test/oracle/engine.ts';
import { Random } from '../../../simulator/src/random.ts';
import { priceBasket } from '../../src/price.ts';
import type { Decision } from '../../src/types.ts';
import { drawInput } from '../drawn/input.ts';
import { drawCrowd } from './crowds.ts';
import { drawMaximums } from './maximums.ts';
import { priceFully } from './price.ts';
import { drawMeals, drawSeason, type Season } from './seasons.ts';
import { type Drawn, drawShape, SHAPES } from './shapes.ts';

export const RECORDED = new URL('recorded-choices.txt', import.meta.url);

/** Seeds of each source, and the steps that a basket of up to 200 lines and 500 benefits gets. */
const SHOPS = 50;
const SEASONS = 20;
const MEALS = 12;
/** Changes of the search showed in these, and in none of the others. */
const MORE_SEASONS = [30];
const MORE_MEALS = [36, 40, 54, 62, 64];
const MAXIMUMS = 25;
const CROWDS = 6;
const SMALL = 25;
/** Of the large ones those in which there is much to choose, and little to explain. */
const LARGE = [8, 10, 20, 23, 25, 34, 35, 37, 38];
const STEPS_OF_LARGE = 1_500;

const SMALL_DRAWS = { draw, drawWithCheapest, drawWithRules, drawWithModifiers, drawWithLists, drawWithCoupons };

/** The rows of each source. */
export const SOURCES: Readonly<Record<string, () => string[]>> = {
  ...Object.fromEntries(SHAPES.map((shape) => [shape, () => recordShops(shape)])),
  season: () => [...seeds(SEASONS), ...MORE_SEASONS].map((seed) => recordSeason(`season ${seed}`, drawSeason(seed))),
  meals: () => [...seeds(MEALS), ...MORE_MEALS].map((seed) => recordSeason(`meals ${seed}`, drawMeals(seed))),
  maximums: () => seeds(MAXIMUMS).map(recordMaximums),
  crowds: () => seeds(CROWDS).map(recordCrowd),
  ...Object.fromEntries(
    Object.entries(SMALL_DRAWS).map(([name, drawSmall]) => [
      name,
      () => seeds(SMALL).map((seed) => row(`${name} ${seed}`, priceWithEngine(drawSmall(seed)))),
    ]),
  ),
  large: () => LARGE.flatMap(recordLarge),
};

function recordShops(wanted: Drawn['shape']): string[] {
  const drawn = seeds(SHOPS).map((seed) => ({ seed, ...drawShape(seed) }));
  return drawn
    .filter(({ shape }) => shape === wanted)
    .map(({ seed, basket, benefits }) => row(`${wanted} ${seed}`, priceFully(basket, benefits, { trace: true })));
}

function recordSeason(name: string, { basket, benefits, policies }: Season): string {
  return row(name, priceFully(basket, benefits, { policies, trace: true }));
}

function recordMaximums(seed: number): string {
  const { basket, benefits } = drawMaximums(seed);
  return row(`maximums ${seed}`, priceFully(basket, benefits, { trace: true }));
}

function recordCrowd(seed: number): string {
  const { basket, benefits } = drawCrowd(seed);
  return row(`crowds ${seed}`, priceFully(basket, benefits, { trace: true }));
}

function recordLarge(seed: number): string[] {
  const input = drawInput(new Random(seed));
  return input ? [row(`large ${seed}`, priceBasket({ ...input, trace: true, maximumSteps: STEPS_OF_LARGE }))] : [];
}

function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

function row(name: string, { trace, ...answer }: Decision): string {
  const { gap, steps, benefits } = trace!;
  const applied = benefits.filter((benefit) => benefit.applied).map(({ benefitId, saved }) => `${benefitId}=${saved}`);
  const print = createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 8);
  return [name, `gap ${gap}`, `steps ${Math.round(steps)}`, print, ...applied].join(' ');
}
