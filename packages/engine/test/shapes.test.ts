/**
 * Baskets and programmes as shops have them, beside what the engine before the present choice saved on them
 * (`support/saved-before.json`, recorded with commit b8bf1e2). `CASES=10` plays all thousand and prints them as a
 * table.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { drawShape, SHAPES } from './support/shapes.ts';

const before = JSON.parse(readFileSync(new URL('support/saved-before.json', import.meta.url), 'utf8')) as number[];

interface Row {
  baskets: number;
  saved: number;
  savedBefore: number;
  cheaper: number;
  dearer: number;
  exact: number;
  /** The least that any basket saves, as a part of what it saved before. */
  least: number;
}

const CASES = 100;
/** A basket in fifty may save less than before, and none less than this part of it. */
const MOST_DEARER = 1 / 50;
const LEAST_OF_BEFORE = 0.96;
/** Of the thousand baskets 924 are proven, of the first hundred 91. */
const LEAST_EXACT = 0.91;

it('saves more than the engine before, and hardly anywhere less', () => {
  const rows = new Map<string, Row>();
  const cases = Math.min(before.length, timesCases(CASES));
  for (let seed = 1; seed <= cases; seed++) {
    const { shape, basket, benefits } = drawShape(seed);
    const decision = priceFully(basket, [...benefits], { trace: true });
    if (decision.status === 'applied') expectApplied(basket, decision);
    const saved = basket.totals.total - netCostOf(basket, decision);
    const savedBefore = before[seed - 1]!;
    const row = rows.get(shape) ?? {
      ...{ baskets: 0, saved: 0, savedBefore: 0, cheaper: 0, dearer: 0, exact: 0, least: Number.POSITIVE_INFINITY },
    };
    row.baskets += 1;
    row.saved += saved;
    row.savedBefore += savedBefore;
    if (saved > savedBefore) row.cheaper += 1;
    if (saved < savedBefore) row.dearer += 1;
    if (decision.trace!.method === 'exact') row.exact += 1;
    if (savedBefore > 0) row.least = Math.min(row.least, saved / savedBefore);
    rows.set(shape, row);
  }
  for (const shape of SHAPES) {
    const { saved, savedBefore, least } = rows.get(shape)!;
    expect(saved, shape).toBeGreaterThanOrEqual(savedBefore);
    expect(least, shape).toBeGreaterThan(LEAST_OF_BEFORE);
  }
  const dearer = [...rows.values()].reduce((sum, row) => sum + row.dearer, 0);
  expect(dearer).toBeLessThanOrEqual(Math.max(1, cases * MOST_DEARER));
  const exact = [...rows.values()].reduce((sum, row) => sum + row.exact, 0);
  // The choice has no clock, so as many are proven on every machine.
  expect(exact).toBeGreaterThanOrEqual(Math.floor(cases * LEAST_EXACT));
  if (cases > CASES) console.table(Object.fromEntries(rows));
}, 300_000);
