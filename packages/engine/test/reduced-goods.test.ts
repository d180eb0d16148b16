/** Selectors that leave out lines with an existing discount (`excludeDiscounted`). */
import { expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { priceFully } from './support/price.ts';
import { told } from './support/told.ts';

const fullPrice = { excludeDiscounted: true };
const benefitOf = (more: object) => ({ benefitId: 'b', ...more }) as BenefitDefinition;
const lines = [line('a', 2, 1_000), line('r', 2, 2_000, staff(400))];

it('say that the lines are reduced where no other line qualifies', () => {
  const benefit = benefitOf({ kind: 'order_percent', percent: 10, appliesTo: { productIds: ['r'], ...fullPrice } });
  expect(told([benefit], {}, lines)).toEqual({ reason: 'lines_discounted' });
  expect(told([benefit], {}, lines.slice(0, 1))).toEqual({
    reason: 'no_matching_line',
    change: '1 more of r without a staff discount',
  });
  expect(priceFully(buildBasket(lines), [benefit])).toMatchObject({ reason: 'no_applicable_benefits' });
});
