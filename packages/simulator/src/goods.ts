import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import type { Random } from './random.ts';

/**
 * The articles of the simulated shop, and the till's basket of them. Prices in minor units. The till adds up with its
 * own code, as a caller would, and shares none with the builders of tests and kit.
 */

export interface Article {
  readonly productId: string;
  readonly name: string;
  readonly unitPrice: number;
  readonly productGroupId?: string;
  readonly noDiscount?: boolean;
  /** Sold by weight: quantities have three decimals. */
  readonly isWeighed?: boolean;
}

export const ARTICLES: readonly Article[] = [
  { productId: '4711', name: 'Filter coffee', unitPrice: 3900, productGroupId: 'coffee' },
  { productId: '4712', name: 'Cinnamon bun', unitPrice: 4500, productGroupId: 'pastry' },
  { productId: '4713', name: 'Cappuccino', unitPrice: 5200, productGroupId: 'coffee' },
  { productId: '4720', name: 'Carrot cake', unitPrice: 6900, productGroupId: 'cake' },
  { productId: '4801', name: 'Blueberry juice', unitPrice: 4200 },
  { productId: '5100', name: 'Salad by weight', unitPrice: 19_900, isWeighed: true },
  { productId: '9000', name: 'Bottle deposit', unitPrice: 300, noDiscount: true },
];

/** The place of a till. */
export interface TillPlace {
  readonly venueId: string;
  readonly cashRegisterId: string;
  readonly baxId: string;
  readonly currency: string;
}

export interface Item {
  readonly article: Article;
  readonly quantity: number;
}

/** One to three pieces of an article, or 50 to 900 grams of one that is sold by weight. */
export function pickItem(random: Random): Item {
  const article = random.pick(ARTICLES);
  return { article, quantity: article.isWeighed ? random.between(50, 900) / 1000 : random.between(1, 3) };
}

/** Builds a full basket of the articles with exact amounts. `requestedAt` is RFC 3339. */
export function basketOf(
  items: readonly Item[],
  call: {
    readonly calculationId: string;
    readonly loyaltyId: string;
    readonly requestedAt: string;
    readonly place: TillPlace;
    readonly supersedes?: string | undefined;
  },
): BasketRequest {
  const lines = items.map(lineOf);
  const total = lines.reduce((sum, { orderLinePrice }) => sum + orderLinePrice, 0);
  const { currency, ...till } = call.place;
  return {
    calculationId: call.calculationId,
    ...(call.supersedes !== undefined && { supersedesCalculationId: call.supersedes }),
    loyaltyId: call.loyaltyId,
    currency,
    requestedAt: call.requestedAt,
    context: { ...till, channel: 'pos' },
    lines,
    orderDiscounts: [],
    totals: { originalTotal: total, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0, total },
  };
}

function lineOf({ article, quantity }: Item, index: number): BasketLine {
  const { productId, name, unitPrice, productGroupId, noDiscount = false } = article;
  const price = Number(multiplyQuantity(quantity, unitPrice));
  return {
    lineId: String(index + 1),
    productId,
    ...(productGroupId !== undefined && { productGroupId }),
    name,
    quantity,
    unitPrice,
    originalLinePrice: price,
    noDiscount,
    noPercentageDiscount: false,
    existingLineDiscountType: 'none',
    existingLineDiscountAmount: 0,
    orderDiscountAllocation: [],
    orderLinePrice: price,
  };
}
