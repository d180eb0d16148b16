/**
 * Baskets and programmes as shops have them, beside what the engine before the present chooser saved on them. `choice-table.ts` plays
 * all and prints a table.
 */
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { DRAWN, SAVED_BEFORE, savedOn } from './support/drawn.ts';
import { expectApplied, priceFully } from './support/price.ts';

const CASES: Readonly<Record<string, number>> = { shapes: 100, maximums: 30, crowds: 25, meals: 20 };
const LEAST_OF_SUM = 0.997;

it.each(Object.entries(CASES))('saves as much as the engine before: %s', { timeout: 300_000 }, (name, count) => {
  const { from, draw } = DRAWN[name]!;
  const before = SAVED_BEFORE[name]!;
  const cases = Math.min(before.length, timesCases(count));
  let [saved, savedBefore] = [0, 0];
  for (let at = 0; at < cases; at++) {
    const drawn = draw(from + at);
    const decision = priceFully(drawn.basket, drawn.benefits, drawn.policies ? { policies: drawn.policies } : {});
    if (decision.status === 'applied') expectApplied(drawn.basket, decision);
    // The engine before counted percentages of `stack` from the price without the staff's discount, which is another rule.
    if (drawn.policies?.existingLineDiscounts === 'stack') continue;
    saved += savedOn(drawn);
    savedBefore += before[at]!;
  }
  expect(saved).toBeGreaterThanOrEqual(savedBefore * LEAST_OF_SUM);
});
