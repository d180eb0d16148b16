/** The explanation of `price --explain`, as a person reads it. */
import type { TracedBenefit } from '@loyalty/engine/types';
import { expect, it } from 'vitest';
import { renderExplanation } from '../../packages/tools/src/commands/price-tables.ts';

/** The last row of the explanation of a basket with this benefit alone. */
function rowOf(benefit: Partial<TracedBenefit>): string | undefined {
  const benefits = [{ benefitId: 'kit', applied: false, saved: 0, ...benefit } as TracedBenefit];
  const text = renderExplanation({ steps: 1, gap: 0, changes: [], bought: [], benefits }, 'NOK');
  return text.trimEnd().split('\n').at(-1);
}

it('a sentence that is followed by what is missing has no full stop before the semicolon', () => {
  const explanation = 'It requires 1 of machine in the basket.';
  expect(rowOf({ reason: 'goods_missing', explanation, change: '1 more of machine' })).toMatch(
    / It requires 1 of machine in the basket; 1 more of machine$/,
  );
  expect(rowOf({ reason: 'goods_missing', explanation })).toMatch(/ It requires 1 of machine in the basket\.$/);
});
