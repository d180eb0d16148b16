/** The work of a choice grows with the benefits that may all be best on what is left of a line. */
import { expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

const FEW = 10;
const MANY = 140;
const STEPS = 10_000_000;

/** Under two discounts of the order on different lines every choice on a few lines is looked at. */
function stepsWith(count: number): number {
  const line = (lineId: string, group: string) =>
    buildLine({ lineId, productId: `p-${lineId}`, productGroupId: group, quantity: 6, unitPrice: 4_990 });
  const on = (group: string) => ({ productGroupIds: [group] });
  const item = (group: string) => ({ quantity: 1, appliesTo: on(group) });
  const bundles = [1, 2, 3].map((n) => ({
    ...{ benefitId: `bundle-${n}`, kind: 'bundle_price', items: [item('a'), item('b')], bundlePrice: 9_000 - n },
  }));
  const orders = ['a', 'b'].map((group) => ({
    ...{ benefitId: `order-${group}`, kind: 'order_percent', percent: 7.3, appliesTo: on(group) },
  }));
  const amounts = Array.from({ length: count }, (_, n) => ({
    ...{ benefitId: `amount-${n}`, kind: 'line_amount', amount: 100 + n, per: 'unit' },
  }));
  const benefits = [...bundles, ...orders, ...amounts] as unknown as BenefitDefinition[];
  const circumstances = { trace: true, maximumSteps: STEPS };
  return priceFully(buildBasket([line('1', 'a'), line('2', 'b')]), benefits, circumstances).trace!.steps;
}

it('fourteen times the benefits take several times the steps', () => {
  expect(stepsWith(MANY)).toBeGreaterThan(3 * stepsWith(FEW));
});
