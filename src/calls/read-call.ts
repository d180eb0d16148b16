import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type Refusal, type RefusalDetails, refuse } from '@loyalty/contract/errors';
import type { Venue } from '@loyalty/engine/types';
import type { Environment } from '../programme/environment.ts';

/** The parts of a basket that a call names in Redis and in the log. */
export type BasketHead = Pick<
  BasketRequest,
  'calculationId' | 'supersedesCalculationId' | 'loyaltyId' | 'currency' | 'requestedAt'
> & { readonly venueId: string; readonly baxId: string };

/** A basket whose schema and references are right. */
export interface AskedBasket {
  readonly head: BasketHead;
  readonly basket: BasketRequest;
  /** Its first violated identity. */
  readonly mismatch: RefusalDetails | undefined;
}

/** A basket without a fault. */
export interface ReadCall extends Pick<AskedBasket, 'head' | 'basket'> {
  readonly body: Uint8Array;
  readonly venue: Venue;
}

export interface RefusedCall {
  readonly refusal: Refusal;
  /** The venue, where it is known. */
  readonly venue: Venue | undefined;
}

/** Reads and judges a body up to its price: JSON, schema, key, venue, currency and identities, in this order. */
export function readCall(environment: Environment, body: Uint8Array, calculationId: string): ReadCall | RefusedCall {
  const asked = readAsked(body, calculationId);
  if ('refusal' in asked) return { refusal: asked.refusal, venue: undefined };
  const place = findPlace(environment, asked);
  if ('refusal' in place) return place;
  const { head, basket } = asked;
  return { body, head, basket, venue: place.venue };
}

/** The part of it that needs no environment. A dry run has no key. */
export function readAsked(body: Uint8Array, calculationId: string | undefined): AskedBasket | { refusal: Refusal } {
  const read = readBasketRequest(body, calculationId);
  if (!read.ok) return { refusal: read.refusal };
  return { head: headOf(read.value), basket: read.value, mismatch: read.mismatch };
}

/** Checks venue, currency and identities, the last checks before pricing, in this order (interface, section 4). */
export function findPlace(environment: Environment, asked: AskedBasket): { readonly venue: Venue } | RefusedCall {
  const venue = environment.findVenue(asked.head.venueId, asked.head.baxId);
  if (!venue) {
    const details = { field: '/context/venueId', expected: 'a venue and terminal setup mapped here together' };
    return { refusal: refuse('venue_not_configured', { details }), venue };
  }
  const refusal = findRefusal(asked, venue);
  return refusal ? { refusal, venue } : { venue };
}

function findRefusal({ head, mismatch }: AskedBasket, venue: Venue): Refusal | undefined {
  if (!venue.currencies.includes(head.currency)) {
    const details = { field: '/currency', expected: venue.currencies.join(', '), received: head.currency };
    return refuse('unknown_currency', { details });
  }
  if (!mismatch) return undefined;
  const message = `${mismatch.field}: expected ${mismatch.expected}, received ${mismatch.received}.`;
  return refuse('arithmetic_mismatch', { message, details: mismatch });
}

export function headOf(basket: BasketRequest): BasketHead {
  const { calculationId, supersedesCalculationId, loyaltyId, currency, requestedAt, context } = basket;
  return {
    calculationId,
    ...(supersedesCalculationId !== undefined && { supersedesCalculationId }),
    loyaltyId,
    currency,
    requestedAt,
    venueId: context.venueId,
    baxId: context.baxId,
  };
}
