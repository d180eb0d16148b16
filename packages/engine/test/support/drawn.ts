/**
 * All sources of drawn baskets with what the engine before the present chooser saved on them (`saved-before.json`, recorded with commit
 * 59c7d708), in minor units, by seed.
 */
import { readFileSync } from 'node:fs';
import { drawCrowd } from './crowds.ts';
import { drawMaximums } from './maximums.ts';
import { netCostOf, priceFully } from './price.ts';
import { drawMeals, drawSeason, type Season } from './seasons.ts';
import { drawShape } from './shapes.ts';

export type Drawn = Pick<Season, 'basket' | 'benefits'> & Partial<Pick<Season, 'policies'>>;

/** Seeds from 1001 on were never looked at while the chooser was made. */
export const DRAWN: Readonly<Record<string, { readonly from: number; readonly draw: (seed: number) => Drawn }>> = {
  shapes: { from: 1, draw: drawShape },
  seasons: { from: 1_001, draw: drawSeason },
  maximums: { from: 1_001, draw: drawMaximums },
  crowds: { from: 1, draw: drawCrowd },
  meals: { from: 1_001, draw: drawMeals },
};

export const SAVED_BEFORE = JSON.parse(readFileSync(new URL('saved-before.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly number[]>
>;

export function savedOn({ basket, benefits, policies }: Drawn): number {
  return basket.totals.total - netCostOf(basket, priceFully(basket, benefits, policies ? { policies } : {}));
}

/** A minimum on what lines cost after line-level benefits is no aim of the search, so such baskets are counted apart. */
export function asksForNet({ benefits }: Drawn): boolean {
  return benefits.some((benefit) => 'minimumSpendBasis' in benefit && benefit.minimumSpendBasis === 'net');
}
