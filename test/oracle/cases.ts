/**
 * Small random cases for the oracle: a programme as its configuration file would say it, and a basket whose identities
 * hold. They are small enough to enumerate and crowded enough that benefits compete for the same units all the time.
 */

import type { BenefitDefinition } from '@loyalty/engine/definition';
import { priceOf, shareOf } from '../../packages/conformance/src/kit/judge/decimal.ts';
import { buildBasket } from '../../packages/engine/test/support/basket.ts';
import type { Random } from '../../packages/simulator/src/random.ts';
import type { LineBody, OrderDiscountBody } from '../support/wire.ts';
import { randomBenefit } from './benefit-cases.ts';
import { limitOf } from './limit.ts';
import type { OracleCase, OracleProduct } from './types.ts';

/** What the venue sells; free products are taken from here too. */
const PRODUCTS: readonly OracleProduct[] = [
  { productId: 'a', productGroupId: 'g', name: 'A', unitPrice: 39, noDiscount: false, noPercentageDiscount: false },
  { productId: 'b', productGroupId: 'g', name: 'B', unitPrice: 45, noDiscount: false, noPercentageDiscount: false },
  { productId: 'c', productGroupId: 'h', name: 'C', unitPrice: 20, noDiscount: false, noPercentageDiscount: true },
  { productId: 'd', productGroupId: 'h', name: 'D', unitPrice: 105, noDiscount: false, noPercentageDiscount: false },
];

const MOST_LINES = 4;
const MOST_UNITS = 6;
const MOST_BENEFITS = 4;

/** The case of a seed; the same seed always gives the same case. */
export function randomCase(random: Random): OracleCase {
  const lines = randomLines(random);
  const staff = random.pick([[], [], [], [], ['staff-1'], ['staff-1', 'staff-2']]);
  const orderDiscounts = staff.map((orderDiscountId) => allocate(random, orderDiscountId, lines));
  const count = random.pick([1, 2, 3, 3, MOST_BENEFITS, MOST_BENEFITS, MOST_BENEFITS]);
  const benefits = Array.from({ length: count }, (_, index) => randomBenefit(random, `b${index}`));
  const available: Record<string, number> = {};
  for (const benefit of benefits) {
    const [{ benefitId }, limit] = [benefit, limitOf(benefit)];
    if (limit) available[benefitId] = random.chance(0.05) ? 0 : random.between(1, limit.quantity as number);
  }
  return {
    programme: {
      programmeId: 'club',
      existingLineDiscounts: random.pick(['replace_if_larger', 'replace_if_larger', 'stack', 'stack', 'keep']),
      existingOrderDiscounts: random.pick(['keep', 'replace_if_larger']),
      benefits: benefits as BenefitDefinition[],
    },
    products: PRODUCTS,
    grants: benefits.filter(() => random.chance(0.7)).map(({ benefitId }) => benefitId),
    basket: buildBasket(lines, { orderDiscounts }),
    available,
  };
}

function randomLines(random: Random): LineBody[] {
  const lines: LineBody[] = [];
  let units = 0;
  const count = random.pick([1, 2, 2, 3, 3, MOST_LINES]);
  for (let index = 0; index < count && units < MOST_UNITS; index++) {
    const isWeighed = random.chance(0.08);
    const quantity = isWeighed
      ? random.pick([0.345, 0.5, 1.25])
      : random.between(1, Math.min(random.pick([1, 2, 3, 4]), MOST_UNITS - units));
    units += Math.ceil(quantity);
    lines.push(randomLine(random, `l${index + 1}`, quantity, lines));
  }
  return lines;
}

function randomLine(random: Random, lineId: string, quantity: number, before: readonly LineBody[]): LineBody {
  const product = random.pick(PRODUCTS);
  // Some lines are sold at another price than the list's, a few for nothing.
  const unitPrice = random.chance(0.5) ? product.unitPrice : random.chance(0.1) ? 0 : random.between(1, 120);
  const originalLinePrice = Number(priceOf(quantity, unitPrice));
  const parent = before.length > 0 && random.chance(0.12) ? random.pick(before) : undefined;
  const type = random.chance(0.25) ? random.pick(['amount', 'percent'] as const) : 'none';
  const percent = random.pick([5, 10, 25, 50]);
  const amount =
    type === 'none'
      ? 0
      : type === 'percent'
        ? Number(shareOf(originalLinePrice, percent))
        : random.between(0, Math.min(originalLinePrice, 40));
  return {
    lineId,
    productId: product.productId,
    ...(product.productGroupId !== undefined && { productGroupId: product.productGroupId }),
    name: product.name,
    quantity,
    unitPrice,
    originalLinePrice,
    ...(parent && { parentLineId: parent.lineId }),
    noDiscount: random.chance(0.06),
    noPercentageDiscount: random.chance(0.08),
    existingLineDiscountType: type,
    existingLineDiscountAmount: amount,
    ...(type === 'percent' && { existingLineDiscountPercent: percent }),
    orderDiscountAllocation: [],
    orderLinePrice: originalLinePrice - amount,
  };
}

/** Lets the staff give an order discount, shared over the lines in an arbitrary way that their prices can bear. */
function allocate(random: Random, orderDiscountId: string, lines: readonly LineBody[]): OrderDiscountBody {
  let amount = 0;
  for (const line of lines) {
    if (random.chance(0.3)) continue;
    const share = random.between(0, Math.min(line.orderLinePrice, 25));
    line.orderDiscountAllocation.push({ orderDiscountId, orderDiscountAllocationAmount: share });
    line.orderLinePrice -= share;
    amount += share;
  }
  return { orderDiscountId, type: 'amount', amount };
}
