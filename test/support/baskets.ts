/**
 * Baskets of the tests' own venues, on the kit's lines: a test names only the fields it is about, and the rest is right
 * to the unit.
 */
import { randomUUID } from 'node:crypto';
import type { SaleStatus } from '@loyalty/contract/sale';
import {
  saleOf as eventOf,
  type LineWords,
  lineOf,
  orderDiscountsOf,
  totalsOf,
} from '../../packages/conformance/src/kit/baskets.ts';
import { priceOf } from '../../packages/conformance/src/kit/judge/decimal.ts';
import type { Random } from '../../packages/simulator/src/random.ts';
import type { BasketBody, ContextBody, SaleBody } from './wire.ts';

export { type LineWords, totalsOf };

export const OSLO: ContextBody = { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' };
export const BERGEN: ContextBody = {
  venueId: 'bergen-quay',
  cashRegisterId: 'till-7',
  baxId: '600200',
  channel: 'mpos',
};

/** A correct basket. By default it has one line, of 100.00, and the member who always gets 20 %. */
export function basketOf(words: readonly LineWords[] = [{}], more: Partial<BasketBody> = {}): BasketBody {
  const lines = words.map((line, index) => lineOf(line, index + 1));
  return {
    calculationId: randomUUID(),
    loyaltyId: 'member-twenty',
    currency: 'NOK',
    requestedAt: '2026-11-20T12:00:00+01:00',
    context: OSLO,
    lines,
    orderDiscounts: orderDiscountsOf(lines),
    totals: totalsOf(lines),
    ...more,
  };
}

/** The event that ends a calculation; its status may be one that does not exist. */
export function saleOf(calculationId: string, status = 'applied', more: Partial<SaleBody> = {}): SaleBody {
  return { ...eventOf(calculationId, status as SaleStatus), ...more };
}

const NAMES = ['Filter coffee', 'Kanelbolle', 'Blåbær, løs vekt', 'Øl 0,5 l', 'Crème brûlée', '抹茶ラテ', 'Tip 🎁'];

/** A correct basket of `count` lines with weighed goods, staff discounts, order discounts, options and protected lines. */
export function randomBasket(random: Random, count: number, more: Partial<BasketBody> = {}): BasketBody {
  const staffIds = ['staff-1', 'staff-2'].slice(0, random.between(0, 2));
  const words = Array.from({ length: count }, (_, index): LineWords => {
    const quantity = random.chance(0.3) ? random.between(1, 5_000) / 1_000 : random.between(1, 6);
    const unitPrice = random.chance(0.05) ? random.between(0, 3) : random.between(100, 99_999);
    let rest = Number(priceOf(quantity, unitPrice));
    const take = (share: number): number => {
      const amount = Math.floor(rest * share * random.next());
      rest -= amount;
      return amount;
    };
    const existing = random.chance(0.3) ? { existing: take(0.6) } : {};
    const shares: Record<string, number> = {};
    for (const id of staffIds) if (random.chance(0.6)) shares[id] = take(0.5);
    return {
      quantity,
      unitPrice,
      ...existing,
      shares,
      name: random.pick(NAMES),
      noDiscount: random.chance(0.1),
      noPercentageDiscount: random.chance(0.1),
      ...(random.chance(0.5) && { productGroupId: random.pick(['coffee', 'bakery', 'tobacco']) }),
      ...(random.chance(0.3) && { productMasterId: `master-${random.between(1, 50)}` }),
      ...(random.chance(0.3) && { ean: String(random.between(1e12, 9e12)) }),
      ...(index > 0 && random.chance(0.2) && { parentLineId: `line-${random.between(1, index)}` }),
    };
  });
  return basketOf(words, more);
}
