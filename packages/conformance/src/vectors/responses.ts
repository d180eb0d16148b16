import type { BasketRequest } from '@loyalty/contract/basket-request';
import { answerHonestly } from '../double/honest.ts';
import { GIFT } from '../double/spoil.ts';
import { MISBEHAVIOURS } from '../double/table.ts';
import { vectorUuid } from './identifiers.ts';
import { basket } from './requests.ts';

/** Answers to one basket, good and bad, for a caller's own validation (interface, section 4.7). */
export interface ResponseVector {
  readonly name: string;
  /** Why it is right or wrong. */
  readonly what: string;
  /** The caller's duty. */
  readonly callerMust: string;
  readonly isValid: boolean;
  readonly response: unknown;
}

export interface ResponseVectors {
  readonly request: unknown;
  /** The caller re-prices added lines from its own list: this one, in minor units. */
  readonly priceList: Readonly<Record<string, number>>;
  readonly vectors: readonly ResponseVector[];
}

const GROUP = 3;

/** A line for everything that an answer can get wrong: pieces, weight, protection of both kinds, staff discounts, an option. */
const REQUEST = basket(vectorUuid(GROUP, 1), [
  { quantity: 4, unitPrice: 3900, name: 'Filter coffee' },
  { quantity: 0.345, unitPrice: 19_900, name: 'Salad by weight' },
  { unitPrice: 5203, existing: 300, shares: { 'staff-1': 403 }, name: 'Caffè latte' },
  { unitPrice: 500, parentLineId: 'line-3', name: 'Oat milk' },
  { unitPrice: 300, noDiscount: true, name: 'Bottle deposit' },
  { unitPrice: 9900, noPercentageDiscount: true, shares: { 'staff-1': 597 }, name: 'Book' },
]);

/** The double's misbehaviours inside a body, each played on the one request, between the honest answers. */
export function responseVectors(): ResponseVectors {
  const request = REQUEST as unknown as BasketRequest;
  const honest = { callerMust: 'replace its basket', isValid: true, what: 'the right answer' };
  const vectors: ResponseVector[] = [{ name: 'right', ...honest, response: answerHonestly(request) }];
  for (const [name, { act, what, callerMust, right }] of Object.entries(MISBEHAVIOURS)) {
    if (act.kind !== 'body' || typeof right === 'string') continue;
    const isValid = right.some(({ status }) => status !== 'failed');
    vectors.push({ name, what, callerMust, isValid, response: act.spoil(request) });
  }
  const priceList = Object.fromEntries([
    ...request.lines.map(({ productId, unitPrice }) => [productId, unitPrice] as const),
    [GIFT.productId, GIFT.unitPrice],
  ]);
  return { request: REQUEST, priceList, vectors };
}
