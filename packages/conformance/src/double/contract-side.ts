import { createHash } from 'node:crypto';
import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import { readSaleEvent } from '@loyalty/contract/basket/sale-event';
import { removeUnknownFields } from '@loyalty/contract/basket/schema';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type Refusal, refuse, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { isJsonContentType, isUuid } from '@loyalty/contract/headers';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import type { SaleEvent, SaleResult } from '@loyalty/contract/sale';
import { verifySignature } from '@loyalty/contract/signature';
import { BoundedMap } from './bounded-map.ts';
import { answerHonestly } from './honest.ts';

/** The part of the double that keeps the contract: judges requests, remembers calculations, answers honestly. */

const PATHS = { basket: '/v1/pos/basket', sale: '/v1/pos/sale' } as const;

/** A request as the double reads it. Header names are lower-case. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export type Judged =
  | { readonly kind: 'basket'; readonly basket: BasketRequest }
  | { readonly kind: 'sale'; readonly event: SaleEvent }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Where the double says it stands; what is left out is not judged. */
export interface Place {
  readonly venueId?: string;
  readonly baxId?: string;
  readonly currency?: string;
}

/** A calculation that a run remembers. One whose answer was spoiled has none. */
interface Remembered {
  readonly loyaltyId: string;
  readonly answer?: { readonly fingerprint: string; readonly body: Buffer };
}

/** Calculations that a run remembers; the oldest ones make room. */
export const MAX_CALCULATIONS = 20_000;

export class ContractSide {
  readonly #secret: Uint8Array;
  readonly #place: Place;
  readonly #calculations = new BoundedMap<Remembered>(MAX_CALCULATIONS);
  readonly #sales = new BoundedMap<string>(MAX_CALCULATIONS);

  constructor(secret: Uint8Array, place: Place) {
    this.#secret = secret;
    this.#place = place;
  }

  /** Judges a request in the order of the interface. `nowSeconds` is Unix time. */
  judge(received: Received, nowSeconds: number): Judged {
    const { method, path, headers, body } = received;
    if (path !== PATHS.basket && path !== PATHS.sale) return refused('invalid_request', TRANSPORT_STATUS.notFound);
    if (method !== 'POST') return refused('invalid_request', TRANSPORT_STATUS.methodNotAllowed);
    if (body.length > MAX_BODY_BYTES) return refused('invalid_request', TRANSPORT_STATUS.bodyTooLarge);
    const signature = verifySignature(headers['pos-signature'] ?? '', body, [this.#secret], nowSeconds);
    if (signature !== 'verified') return refused(signature);
    const key = headers['idempotency-key'] ?? '';
    if (!isUuid(key) || !isJsonContentType(headers['content-type'] ?? '')) return refused('invalid_request');
    if (path === PATHS.sale) {
      const sale = readSaleEvent(body, key);
      return sale.ok ? { kind: 'sale', event: sale.value } : { kind: 'refused', refusal: sale.refusal };
    }
    if (this.#isConflict(key, body)) return refused('idempotency_conflict');
    const parsed = readBasketRequest(body, key);
    if (!parsed.ok) return { kind: 'refused', refusal: parsed.refusal };
    const basket = removeUnknownFields(parsed.value);
    const { context, currency } = basket;
    const { venueId = context.venueId, baxId = context.baxId } = this.#place;
    if (context.venueId !== venueId || context.baxId !== baxId) return refused('venue_not_configured');
    if (currency !== (this.#place.currency ?? currency)) return refused('unknown_currency');
    const { mismatch: details } = parsed;
    if (details) return { kind: 'refused', refusal: refuse('arithmetic_mismatch', { details }) };
    return { kind: 'basket', basket };
  }

  /** The loyalty ID of a calculation, which its sale event does not name. */
  loyaltyIdOf(calculationId: string): string | undefined {
    return this.#calculations.get(calculationId)?.loyaltyId;
  }

  /** Notes a calculation whose answer will be spoiled, so that its sale event finds it. */
  note({ calculationId, loyaltyId }: BasketRequest): void {
    if (!this.#calculations.has(calculationId)) this.#calculations.set(calculationId, { loyaltyId });
  }

  answerBasket(basket: BasketRequest, sent: Buffer): { readonly body: Buffer; readonly isReplayed: boolean } {
    const { calculationId, loyaltyId } = basket;
    const stored = this.#calculations.get(calculationId)?.answer;
    if (stored) return { body: stored.body, isReplayed: true };
    const body = Buffer.from(JSON.stringify(answerHonestly(basket)));
    this.#calculations.set(calculationId, { loyaltyId, answer: { fingerprint: fingerprintOf(sent), body } });
    return { body, isReplayed: false };
  }

  /** The first event decides; undefined when another outcome was recorded before. */
  settle({ calculationId, status, transactionId, failureReason }: SaleEvent): SaleResult | undefined {
    const outcome = JSON.stringify([status, transactionId, failureReason]);
    const earlier = this.#sales.get(calculationId);
    if (earlier !== undefined && earlier !== outcome) return undefined;
    this.#sales.set(calculationId, outcome);
    if (!this.#calculations.has(calculationId)) return 'unknown_calculation';
    return earlier === undefined ? 'recorded' : 'duplicate';
  }

  #isConflict(key: string, body: Buffer): boolean {
    const stored = this.#calculations.get(key)?.answer;
    return stored !== undefined && stored.fingerprint !== fingerprintOf(body);
  }
}

function refused(code: Parameters<typeof refuse>[0], status?: number): Judged {
  return { kind: 'refused', refusal: refuse(code, status === undefined ? {} : { status }) };
}

function fingerprintOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64');
}
