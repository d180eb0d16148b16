import { readBasketInBytes } from '../basket/basket-in-bytes.ts';
import { readBasketRequest } from '../basket/basket-request.ts';
import type { BasketRequest } from '../contract/basket-request.ts';
import { toText, unsealed } from '../contract/byte-text.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import type { PricedBasket } from '../pricing/price.ts';
import type { Venue } from '../pricing/types.ts';
import type { Environment } from '../programme/environment.ts';
import { findRefusal } from './situation.ts';

/**
 * Reads the body of a basket call. The usual body is read into byte texts, which nothing decodes on its way to the answer. Any
 * other one, and any one that is to be refused, is read the ordinary way into texts; both ways lead to the same bytes. From
 * here on a call knows a basket by its head, whose few texts are decoded, and by its form.
 */

/** The parts of a basket that a call names in Redis and in the log, as texts. */
export type BasketHead = Pick<
  BasketRequest,
  'calculationId' | 'supersedesCalculationId' | 'loyaltyId' | 'currency' | 'requestedAt'
> & { readonly venueId: string; readonly baxId: string };

/** A basket without a fault. */
export interface ReadCall {
  readonly body: Uint8Array;
  readonly head: BasketHead;
  readonly venue: Venue;
  readonly priced: PricedBasket;
}

export interface RefusedCall {
  readonly refusal: Refusal;
  /** The venue, where it is known. */
  readonly venue: Venue | undefined;
}

/** Reads and judges a body up to its price: JSON, schema, key, venue, currency and identities, in this order. */
export function readCall(environment: Environment, body: Uint8Array, calculationId: string): ReadCall | RefusedCall {
  return readUsual(environment, body, calculationId) ?? readOrdinary(environment, body, calculationId);
}

/** Undefined where the ordinary way has to read the body or to word its refusal. */
function readUsual(environment: Environment, body: Uint8Array, calculationId: string): ReadCall | undefined {
  const basket = readBasketInBytes(body, calculationId);
  if (!basket) return undefined;
  const head = headOf(unsealed(basket), toText);
  const venue = environment.findVenue(head.venueId, head.baxId);
  if (!venue?.currencies.includes(head.currency)) return undefined;
  return { body, head, venue, priced: { isInBytes: true, basket, venue: environment.venueInBytes(venue) } };
}

export function readOrdinary(
  environment: Environment,
  body: Uint8Array,
  calculationId: string,
): ReadCall | RefusedCall {
  const read = readBasketRequest(body, calculationId);
  if (!read.ok) return { refusal: read.refusal, venue: undefined };
  const basket = read.value;
  const head = headOf(basket, (text) => text);
  const venue = environment.findVenue(head.venueId, head.baxId);
  const refusal = findRefusal(basket, venue, read.addsUp);
  if (refusal || !venue) return { refusal: refusal ?? refuse('venue_not_configured'), venue };
  return { body, head, venue, priced: { isInBytes: false, basket, venue } };
}

/** `decode` is left out for IDs, currency and time, which are ASCII by the schema. */
function headOf(basket: BasketRequest, decode: (text: string) => string): BasketHead {
  const { calculationId, supersedesCalculationId, loyaltyId, currency, requestedAt, context } = basket;
  return {
    calculationId,
    ...(supersedesCalculationId !== undefined && { supersedesCalculationId }),
    loyaltyId: decode(loyaltyId),
    currency,
    requestedAt,
    venueId: decode(context.venueId),
    baxId: decode(context.baxId),
  };
}
