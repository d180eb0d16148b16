/** Benefits of lines that take the cheapest units (`pick: cheapest`). */
import type { BasketLine } from '@loyalty/contract/basket-request';
import { expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { expectApplied, priceFully } from './support/price.ts';

const half = (maximumUnits: number, more: object = {}) =>
  ({ benefitId: 'b', kind: 'line_percent', percent: 50, maximumUnits, pick: 'cheapest', ...more }) as BenefitDefinition;

/** What each line costs. */
function costs(benefits: BenefitDefinition[], lines: BasketLine[]) {
  const basket = buildBasket(lines);
  const found: Record<string, number> = {};
  const decision = expectApplied(basket, priceFully(basket, benefits));
  for (const { lineId, splitFromLineId, orderLinePrice } of decision.lines) {
    const id = splitFromLineId ?? lineId;
    found[id] = (found[id] ?? 0) + orderLinePrice;
  }
  return found;
}

const lines = [line('a', 1, 5_000), line('c', 2, 1_000), line('d', 1, 3_000)];

it('takes the cheapest units, as many as it may', () => {
  expect(costs([half(1)], lines)).toEqual({ a: 5_000, c: 1_500, d: 3_000 });
  expect(costs([half(3)], lines)).toEqual({ a: 5_000, c: 1_000, d: 1_500 });
  expect(costs([half(9)], lines)).toEqual({ a: 2_500, c: 1_000, d: 1_500 });
  expect(costs([half(1, { pick: 'best' })], lines)).toEqual({ a: 2_500, c: 2_000, d: 3_000 });
});

it('takes of equal ones the earlier, and before it that which saves more', () => {
  expect(costs([half(1)], [line('a', 1, 1_000), line('c', 1, 1_000)])).toEqual({ a: 500, c: 1_000 });
  expect(costs([half(1)], [line('a', 1, 1_000, staff(100)), line('c', 1, 1_000)])).toEqual({ a: 900, c: 500 });
});

it('passes over what it may not make cheaper', () => {
  const own = [{ ...line('a', 1, 500), noDiscount: true }, line('c', 1, 600, staff(400)), line('d', 1, 1_000)];
  expect(costs([half(1)], own)).toEqual({ a: 500, c: 200, d: 500 });
  const price = { kind: 'unit_price', percent: undefined, unitPrice: 800 };
  expect(costs([half(1, price)], [line('a', 1, 700), line('c', 1, 900)])).toEqual({ a: 700, c: 800 });
});

it('takes all of them or none, beside another benefit on the same units', () => {
  const appliesTo = { productIds: ['c'] };
  const other = { benefitId: 'o', kind: 'line_percent', percent: 60, appliesTo } as BenefitDefinition;
  expect(costs([half(1), other], lines)).toEqual({ a: 5_000, c: 800, d: 3_000 });
  expect(costs([half(3), other], lines)).toEqual({ a: 5_000, c: 1_000, d: 1_500 });
});
