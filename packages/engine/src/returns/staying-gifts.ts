import { addQuantities, subtractQuantities } from '@loyalty/contract/money/portion';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { sum } from '@loyalty/contract/money/sum';
import type { GivenBenefit } from '../types.ts';
import type { GivenProduct, Priced } from './priced.ts';

/** A product that the service had added to the sale, and that stays. */
export interface StayingGift {
  readonly lineId: string;
  readonly product: GivenProduct;
  readonly quantity: number;
}

/** What the given products that stay come to beside those that what stays earns. */
export interface SettledGifts {
  /** Those that are earned: they cost nothing. */
  readonly earned: readonly StayingGift[];
  readonly unearned: readonly StayingGift[];
  /** What each benefit gives without products that are earned and have come back. Nothing stays of a benefit that is missing. */
  readonly kept: readonly GivenBenefit[];
}

/** Compares what stays with what is earned, product by product; each benefit has its own units first. */
export function settleGifts({ given, gifts }: Priced, staying: readonly StayingGift[]): SettledGifts {
  const absent = gifts.map(({ units }) => units);
  const unearned = staying.map(({ quantity }) => quantity);
  const pair = (isPair: (gift: GivenProduct, product: GivenProduct) => boolean): void => {
    for (const [at, gift] of gifts.entries())
      for (const [place, { product }] of staying.entries()) {
        if (!isPair(gift, product)) continue;
        const units = Math.min(absent[at]!, unearned[place]!);
        absent[at] = subtractQuantities(absent[at]!, units);
        unearned[place] = subtractQuantities(unearned[place]!, units);
      }
  };
  pair((gift, product) => gift.productId === product.productId && gift.benefitId === product.benefitId);
  pair((gift, product) => gift.productId === product.productId);
  const gone = gifts.map((gift, at) => ({ ...gift, units: absent[at]! }));
  return {
    earned: parts(staying, (quantity, at) => subtractQuantities(quantity, unearned[at]!)),
    unearned: parts(staying, (_, at) => unearned[at]!),
    kept: given.flatMap((own) => without(own, gone)),
  };
}

/** The price in the list. */
export function listPrice({ product, quantity }: StayingGift): number {
  return Number(multiplyQuantity(quantity, product.unitPrice));
}

function parts(staying: readonly StayingGift[], partOf: (quantity: number, at: number) => number): StayingGift[] {
  return staying
    .map((gift, at) => ({ ...gift, quantity: partOf(gift.quantity, at) }))
    .filter(({ quantity }) => quantity > 0);
}

function without(own: GivenBenefit, gone: readonly GivenProduct[]): GivenBenefit[] {
  const products = gone.filter(({ benefitId }) => benefitId === own.benefitId);
  if (products.length === 0) return [own];
  const units = subtractQuantities(own.units, products.map((product) => product.units).reduce(addQuantities));
  const saved = own.saved - sum(products.map((product) => Number(multiplyQuantity(product.units, product.unitPrice))));
  return units === 0 ? [] : [{ ...own, units, saved }];
}
