import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AddedProduct, AppliedContent } from '../answer/content.ts';
import { renderAnswer } from '../answer/render.ts';
import type { Decided } from '../price.ts';
import type { GivenBenefit } from '../types.ts';

/** A product that a benefit gave. */
export interface GivenProduct extends AddedProduct {
  readonly benefitId: string;
}

/** A basket priced by the programme, the member, the limits and the time of the sale. */
export interface Priced {
  readonly total: number;
  readonly given: readonly GivenBenefit[];
  /** Products that the service adds. */
  readonly gifts: readonly GivenProduct[];
}

export type PriceAsThen = (basket: BasketRequest) => Priced;

/** The basket at the prices of the till. */
export function pricedAsSent(basket: BasketRequest): Priced {
  return { total: basket.totals.total, given: [], gifts: [] };
}

/** The basket as it was decided. */
export function pricedAsDecided(basket: BasketRequest, { content, given }: Pick<Decided, 'content' | 'given'>): Priced {
  if (content.status !== 'applied') return pricedAsSent(basket);
  const answer = renderAnswer(basket, content);
  if (answer.status !== 'applied') throw new Error('assertion failed: applied content makes an applied answer');
  return { total: answer.totals.total, given: given(), gifts: productsGiven(content) };
}

export function productsGiven({ gifts, benefits }: AppliedContent): GivenProduct[] {
  return gifts.map((gift) => ({ ...gift, benefitId: benefits[gift.benefit]!.benefitId }));
}
