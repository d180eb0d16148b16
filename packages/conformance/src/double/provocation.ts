import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type ConnectionAct, type Misbehaviour, Needs } from './misbehaviour.ts';
import { LOYALTY_ID_PREFIX } from './table.ts';

/** How a misbehaviour is brought about, in words that a tester can follow. */

/**
 * Control paths alongside those of the interface: the table, the misbehaviour of the next request, what reached the double,
 * and the verdict on it.
 */
export const CONTROL = {
  table: '/double/misbehaviours',
  next: '/double/next',
  seen: '/double/seen',
  verdict: '/double/verdict',
} as const;

/** A basket in which nothing can be spoiled: a misbehaviour that needs more says so. */
const BARE: BasketRequest = {
  calculationId: '00000000-0000-4000-8000-000000000000',
  loyaltyId: 'member',
  currency: 'NOK',
  requestedAt: '2026-01-01T00:00:00Z',
  context: { venueId: 'venue', cashRegisterId: 'till', baxId: 'bax', channel: 'pos' },
  lines: [
    {
      ...{ lineId: '1', productId: '1', name: 'Free bag', quantity: 1, unitPrice: 0, originalLinePrice: 0 },
      ...{ noDiscount: true, noPercentageDiscount: true, orderDiscountAllocation: [], orderLinePrice: 0 },
      ...{ existingLineDiscountType: 'none', existingLineDiscountAmount: 0 },
    },
  ],
  orderDiscounts: [],
  totals: { originalTotal: 0, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0, total: 0 },
};

/** One sentence: the step that provokes the misbehaviour, and what the basket must have for it. */
export function provocationOf(code: string, { act, endpoint }: Misbehaviour): string {
  const basket = `a basket with the loyalty ID ${LOYALTY_ID_PREFIX}${code}`;
  if (act.kind === 'connection')
    return `before the call: curl -d ${code} <base URL>${CONTROL.next}; then send ${basket}${addressFor(act)}`;
  if (endpoint === 'sale') return `report the sale of ${basket}`;
  const needs = act.kind === 'body' ? needsOf(act.spoil) : undefined;
  return `send ${basket}${needs === undefined ? '' : `; it needs ${needs}`}`;
}

function addressFor({ how }: ConnectionAct): string {
  return how === 'cut-handshake' || how === 'untrusted'
    ? ' to the https address of the same port, and report its sale by http'
    : '';
}

function needsOf(spoil: (request: BasketRequest) => unknown): string | undefined {
  try {
    spoil(structuredClone(BARE));
    return undefined;
  } catch (error) {
    if (error instanceof Needs) return error.message;
    throw error;
  }
}
