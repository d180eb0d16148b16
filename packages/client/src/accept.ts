import type { BasketResponse } from '@loyalty/contract/basket-response';
import type { BasketRequest } from './basket.ts';
import type { Settings } from './options.ts';
import { type AppliedBasket, type AppliedOutcome, failed, type LoyaltyOutcome } from './outcome.ts';

/** The outcome of a call whose answer passed every check of the interface; the till has the last look at a new basket. */
export function accept(basket: BasketRequest, answer: BasketResponse, review: Settings['review']): LoyaltyOutcome {
  const { calculationId } = basket;
  if (answer.status === 'member_not_found') {
    return { calculationId, status: 'member_not_found', basket, isSaleEventDue: true };
  }
  const label = answer.memberLabel !== undefined && { memberLabel: answer.memberLabel };
  if (answer.status === 'unchanged') {
    const { reason } = answer;
    return { calculationId, status: 'unchanged', basket, reason, ...label, isSaleEventDue: true };
  }
  const { lines, orderDiscounts, totals, receiptFooterText } = answer;
  const outcome: AppliedOutcome = {
    calculationId,
    status: 'applied',
    basket: { lines, orderDiscounts, totals },
    ...label,
    ...(receiptFooterText !== undefined && { receiptFooterText }),
    isSaleEventDue: true,
  };
  return refuse(basket, outcome.basket, review) ?? outcome;
}

function refuse(basket: BasketRequest, applied: AppliedBasket, review: Settings['review']): LoyaltyOutcome | undefined {
  let reason: unknown;
  try {
    reason = review?.(applied, basket);
  } catch (error) {
    return failed(basket, 'pos_error', `the till's review threw: ${(error as Error)?.message}`);
  }
  if (reason === undefined || reason === null) return undefined;
  // The till waits: whatever is not a reason, a promise above all, must not be taken for consent.
  if (typeof reason !== 'string') return failed(basket, 'pos_error', `the till's review returned ${typeof reason}`);
  return failed(basket, 'invalid_response', `refused by the till: ${reason}`);
}
