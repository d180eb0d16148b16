/**
 * What an integer programme finds to be the most that a guest can save, beside what the engine chooses, on baskets and programmes
 * as shops have them. `CASES=20 npm test -- packages/engine/test/integer-programme.long.test.ts` prints them as a
 * table.
 */
import load from 'highs';
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { integerProgrammeOf } from './support/integer-programme.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { drawShape, SHAPES } from './support/shapes.ts';

interface Row {
  baskets: number;
  /** Baskets for which the solver proved its answer in its time. */
  proven: number;
  saved: number;
  most: number;
  /** The least part of what can be saved that any basket saves. */
  least: number;
}

const CASES = 25;
const SECONDS = 1;
/** Each line is rounded to a minor unit by the engine, and an order's discount once more. */
const SLACK_PER_LINE = 3;
const LEAST_OF_SUM = 0.997;
const LEAST_OF_BASKET = 0.97;
const MANY_CASES = 400;

it('saves what can be saved, and never more', async () => {
  // The types say CommonJS, where the module is an ES module.
  const highs = await (load as unknown as typeof load.default)();
  const rows = new Map<string, Row>();
  const cases = timesCases(CASES);
  for (let seed = 1; seed <= cases; seed++) {
    const { shape, basket, benefits } = drawShape(seed);
    const decision = priceFully(basket, [...benefits]);
    if (decision.status === 'applied') expectApplied(basket, decision);
    const saved = basket.totals.total - netCostOf(basket, decision);
    const solved = highs.solve(integerProgrammeOf(basket, benefits), { time_limit: SECONDS });
    const row = rows.get(shape) ?? { baskets: 0, proven: 0, saved: 0, most: 0, least: 1 };
    rows.set(shape, row);
    row.baskets += 1;
    if (solved.Status !== 'Optimal') continue;
    const most = solved.ObjectiveValue;
    const slack = SLACK_PER_LINE * basket.lines.length;
    expect(saved, `seed ${seed} saves more than is permitted`).toBeLessThanOrEqual(most + slack);
    row.proven += 1;
    row.saved += saved;
    row.most += Math.max(saved, most);
    if (most > 0) row.least = Math.min(row.least, saved / most);
  }
  for (const shape of SHAPES) {
    const { proven, saved, most, least } = rows.get(shape)!;
    expect(proven, shape).toBeGreaterThan(0);
    expect(saved / most, shape).toBeGreaterThan(LEAST_OF_SUM);
    expect(least, shape).toBeGreaterThan(LEAST_OF_BASKET);
  }
  if (cases > MANY_CASES) console.table(Object.fromEntries(rows));
}, 1_200_000);
