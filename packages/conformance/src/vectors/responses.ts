import type { BasketRequest } from '@loyalty/contract/basket-request';
import { answerHonestly } from '../double/honest.ts';
import { GIFT } from '../double/spoil.ts';
import { MISBEHAVIOURS } from '../double/table.ts';
import { vectorUuid } from './identifiers.ts';
import { basket } from './requests.ts';

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

/**
 * Answers to one basket, good and bad, for a caller's own validation (interface, section 4.7): the double's misbehaviours inside a
 * body, each played on the one request, after the honest answer. Each says why it is right or wrong, and what the caller must do.
 */
export function responseVectors() {
  const request = REQUEST as unknown as BasketRequest;
  const right = { name: 'right', callerMust: 'replace its basket', isValid: true, what: 'the right answer' };
  const played = Object.entries(MISBEHAVIOURS).flatMap(([name, { act, what, callerMust, right }]) => {
    if (act.kind !== 'body' || typeof right === 'string') return [];
    const isValid = right.some(({ status }) => status !== 'failed');
    return [{ name, what, callerMust, isValid, response: act.spoil(request) }];
  });
  // The caller re-prices added lines from its own list: this one, in minor units.
  const priceList: Record<string, number> = Object.fromEntries([
    ...request.lines.map(({ productId, unitPrice }) => [productId, unitPrice] as const),
    [GIFT.productId, GIFT.unitPrice],
  ]);
  return {
    request: REQUEST,
    priceList,
    vectors: [{ ...right, response: answerHonestly(request) as unknown }, ...played],
  };
}
