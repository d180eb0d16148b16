import type { BasketLine, BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { Random } from '../../packages/simulator/src/random.ts';
import { TERMINAL_SETUP, VENUE } from './mix.ts';

/**
 * The sent baskets, of a café and a small shop, with exact amounts. One in ten lines is weighed or carries a staff
 * discount, one basket in four has a staff order discount, and some lines may not be discounted, so that validation and
 * pricing both take their longer paths. They differ from the kit's baskets, because every earlier measurement used
 * these bytes.
 */

/** Both IDs come first in the body and have constant lengths, so that a prepared body can be changed in place. */
export const ID_PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
export const MEMBER_PLACEHOLDER = 'member-000000';

const NAMES = ['Filter coffee', 'Cinnamon bun', 'Blåbær, løs vekt', 'Sandwich, ost og skinke', 'Øl 0,5 l', 'Avis'];
const GROUPS = ['coffee', 'pastry', 'grocery', 'food', 'beer', 'press'];

/** Creates `count` different baskets of `lines` lines each; the same seed gives the same baskets. */
export function createBaskets(count: number, lines: number, seed: number): BasketRequest[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => createBasket(random, lines));
}

function createBasket(random: Random, lineCount: number): BasketRequest {
  const staffDiscount = random.chance(0.25) ? 'staff-order-discount' : undefined;
  const lines = Array.from({ length: lineCount }, (_, index) => createLine(random, index + 1, staffDiscount));
  const allocations = lines.flatMap((line) => line.orderDiscountAllocation);
  const allocated = sum(allocations.map((share) => share.orderDiscountAllocationAmount));
  const orderDiscounts: OrderDiscount[] =
    staffDiscount === undefined
      ? []
      : [{ orderDiscountId: staffDiscount, type: 'amount', amount: allocated, text: 'Staff offer' }];
  return {
    calculationId: ID_PLACEHOLDER,
    loyaltyId: MEMBER_PLACEHOLDER,
    currency: 'NOK',
    requestedAt: '2026-11-20T12:00:00+01:00',
    context: {
      venueId: VENUE,
      cashRegisterId: 'till-1',
      baxId: TERMINAL_SETUP,
      terminalId: 'terminal-1',
      clerkNumber: 17,
      channel: 'pos',
    },
    lines,
    orderDiscounts,
    totals: {
      originalTotal: sum(lines.map((line) => line.originalLinePrice)),
      existingDiscountTotal: sum(lines.map((line) => line.existingLineDiscountAmount)),
      orderDiscountTotal: allocated,
      loyaltyDiscountTotal: 0,
      total: sum(lines.map((line) => line.orderLinePrice)),
    },
  };
}

function createLine(random: Random, position: number, staffDiscount: string | undefined): BasketLine {
  const product = random.below(NAMES.length);
  const quantity = random.chance(0.1) ? random.between(50, 3000) / 1000 : random.between(1, 4);
  const unitPrice = random.between(1500, 19_900);
  const originalLinePrice = multiplyQuantity(quantity, unitPrice) as number;
  const existing = random.chance(0.1) ? Math.floor(originalLinePrice / 10) : 0;
  const share = staffDiscount !== undefined && random.chance(0.5) ? Math.floor(originalLinePrice / 20) : 0;
  return {
    lineId: `line-${position}`,
    productId: String(4700 + product),
    productMasterId: `master-${4700 + product}`,
    productGroupId: GROUPS[product] as string,
    ean: String(7_038_010_000_000 + random.between(0, 999_999)),
    name: NAMES[product] as string,
    quantity,
    unitPrice,
    originalLinePrice,
    noDiscount: random.chance(0.05),
    noPercentageDiscount: random.chance(0.05),
    existingLineDiscountType: existing > 0 ? 'amount' : 'none',
    existingLineDiscountAmount: existing,
    ...(existing > 0 && { existingLineDiscountText: 'Staff price' }),
    orderDiscountAllocation:
      staffDiscount !== undefined && share > 0
        ? [{ orderDiscountId: staffDiscount, orderDiscountAllocationAmount: share }]
        : [],
    orderLinePrice: originalLinePrice - existing - share,
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
