/** What is decided by a short search takes few steps, and lines beside it that choose for themselves hardly any. */
import { expect, test } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

const inGroups = (...productGroupIds: string[]) => ({ appliesTo: { productGroupIds } });
const COFFEE = inGroups('coffee');
const OF_LINES: BenefitDefinition[] = [
  { benefitId: 'set', kind: 'buy_x_get_y', buy: { quantity: 2, ...COFFEE }, get: { quantity: 1, ...COFFEE } },
  { benefitId: 'ten', kind: 'line_percent', percent: 10, ...inGroups('coffee', 'cake') },
  { benefitId: 'two', kind: 'line_percent', percent: 25, maximumUnits: 2, ...inGroups('coffee', 'cake') },
];
/** On different lines, so that a saving is not worth the same everywhere. */
const ON_ORDER: BenefitDefinition[] = [
  { benefitId: 'five', kind: 'order_percent', percent: 5, ...inGroups('cake', 'water') },
  { benefitId: 'seven', kind: 'order_percent', percent: 7, ...inGroups('coffee', 'water') },
];

function tracedOn(coffees: number, others: number, benefits: BenefitDefinition[]) {
  const lines = Array.from({ length: coffees + others }, (_, at) =>
    buildLine({
      ...{ lineId: `l${at}`, productId: `p${at}`, productGroupId: at < coffees ? 'coffee' : 'water' },
      ...{ quantity: 1 + (at % 3), unitPrice: 1_000 + 137 * at },
    }),
  );
  return priceFully(buildBasket(lines), benefits, { trace: true }).trace!;
}

test('three lines are proven before prices are sought for long', () => {
  const { method, steps } = tracedOn(3, 0, OF_LINES);
  expect(method).toBe('exact');
  expect(steps).toBeLessThan(90);
});

test('lines beside those that are searched are not judged again with each choice', () => {
  const stepsBeside = (others: number): number => tracedOn(7, others, [...OF_LINES, ...ON_ORDER]).steps;
  expect(stepsBeside(53)).toBeLessThan(500);
  expect(stepsBeside(93) - stepsBeside(53)).toBeLessThan(40 * 4);
});
