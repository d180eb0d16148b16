import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type Refusal, type RefusalDetails, refuse } from '@loyalty/contract/errors';
import type { Venue } from '@loyalty/engine/types';
import type { Environment } from '../programme/environment.ts';

/** A basket whose schema and references are right. */
export interface AskedBasket {
  readonly basket: BasketRequest;
  /** Its first violated identity. */
  readonly mismatch: RefusalDetails | undefined;
}

/** A basket without a fault. */
export interface ReadCall {
  readonly kind: 'read';
  readonly body: Uint8Array;
  readonly basket: BasketRequest;
  readonly venue: Venue;
}

export interface RefusedCall {
  readonly kind: 'refused';
  readonly refusal: Refusal;
  /** The venue, where it is known. */
  readonly venue: Venue | undefined;
}

/** Reads and judges a body up to its price: JSON, schema, key, venue, currency and identities, in this order. */
export function readCall(environment: Environment, body: Uint8Array, calculationId: string): ReadCall | RefusedCall {
  const read = readAsked(body, calculationId);
  if (read.kind === 'refused') return read;
  const judged = judgeAgainstVenue(environment, read.asked);
  if (judged.kind === 'refused') return judged;
  return { kind: 'read', body, basket: read.asked.basket, venue: judged.venue };
}

/** The part of it that needs no environment. A dry run has no key. */
export function readAsked(
  body: Uint8Array,
  calculationId: string | undefined,
): { readonly kind: 'asked'; readonly asked: AskedBasket } | RefusedCall {
  const read = readBasketRequest(body, calculationId);
  if (!read.ok) return { kind: 'refused', refusal: read.refusal, venue: undefined };
  return { kind: 'asked', asked: { basket: read.value, mismatch: read.mismatch } };
}

/** Checks venue, currency and identities, the last checks before pricing, in this order (interface, section 4). */
export function judgeAgainstVenue(
  environment: Environment,
  asked: AskedBasket,
): { readonly kind: 'accepted'; readonly venue: Venue } | RefusedCall {
  const { venueId, baxId } = asked.basket.context;
  const venue = environment.findVenue(venueId, baxId);
  if (!venue) {
    const details = { field: '/context/venueId', expected: 'a venue and terminal setup mapped here together' };
    return { kind: 'refused', refusal: refuse('venue_not_configured', { details }), venue };
  }
  const refusal = findRefusal(asked, venue);
  return refusal ? { kind: 'refused', refusal, venue } : { kind: 'accepted', venue };
}

function findRefusal({ basket: { currency }, mismatch }: AskedBasket, venue: Venue): Refusal | undefined {
  if (!venue.currencies.includes(currency)) {
    const details = { field: '/currency', expected: venue.currencies.join(', '), received: currency };
    return refuse('unknown_currency', { details });
  }
  if (!mismatch) return undefined;
  const message = `${mismatch.field}: expected ${mismatch.expected}, received ${mismatch.received}.`;
  return refuse('arithmetic_mismatch', { message, details: mismatch });
}
