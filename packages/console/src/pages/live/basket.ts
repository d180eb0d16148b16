import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { decimalsOfCurrency } from './format.ts';

/** Builds a basket of the contract from the few facts that a person enters. */

/** `staffDiscount`: minor units off the line, given at the till. */
export type LineWords = Pick<BasketLine, 'productId' | 'name' | 'quantity' | 'unitPrice'> &
  Partial<Pick<BasketLine, 'productGroupId' | 'noDiscount' | 'noPercentageDiscount'>> & { staffDiscount?: number };

type BasketWords = Pick<BasketRequest, 'currency' | 'loyaltyId' | 'requestedAt'> &
  Pick<BasketRequest['context'], 'venueId' | 'baxId' | 'channel'> & { lines: readonly LineWords[] };

export function composeBasket({ venueId, baxId, channel, lines, ...words }: BasketWords): BasketRequest {
  const composed = lines.map(composeLine);
  const sumOf = (read: (line: BasketLine) => number) => composed.reduce((sum, line) => sum + read(line), 0);
  return {
    calculationId: newUuid(),
    ...words,
    context: { venueId, cashRegisterId: 'playground', baxId, channel },
    lines: composed,
    orderDiscounts: [],
    totals: {
      originalTotal: sumOf((line) => line.originalLinePrice),
      existingDiscountTotal: sumOf((line) => line.existingLineDiscountAmount),
      orderDiscountTotal: 0,
      loyaltyDiscountTotal: 0,
      total: sumOf((line) => line.orderLinePrice),
    },
  };
}

function composeLine({ staffDiscount = 0, quantity, unitPrice, ...words }: LineWords, index: number): BasketLine {
  const originalLinePrice = linePriceOf(quantity, unitPrice);
  return {
    lineId: `line-${index + 1}`,
    productId: words.productId,
    ...(words.productGroupId && { productGroupId: words.productGroupId }),
    name: words.name,
    quantity,
    unitPrice,
    originalLinePrice,
    noDiscount: words.noDiscount ?? false,
    noPercentageDiscount: words.noPercentageDiscount ?? false,
    existingLineDiscountType: staffDiscount > 0 ? 'amount' : 'none',
    existingLineDiscountAmount: staffDiscount,
    ...(staffDiscount > 0 && { existingLineDiscountText: 'Staff discount' }),
    orderDiscountAllocation: [],
    orderLinePrice: originalLinePrice - staffDiscount,
  };
}

/** Makes a random UUID. Browsers offer `crypto.randomUUID` only over HTTPS or on this machine. */
function newUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The wall-clock time of a zone, in the form of an input of type datetime-local. */
export function wallClockOf(atMs: number, timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(atMs).replace(' ', 'T');
}

/** The instant of a wall-clock time (`2026-11-21T14:30`) in a zone, as RFC 3339 with the zone’s offset. */
export function instantOf(wallClock: string, timeZone: string) {
  const asUtcMs = Date.parse(`${wallClock}Z`);
  const offsetAt = (atMs: number) => Date.parse(`${wallClockOf(atMs, timeZone)}Z`) - Math.floor(atMs / 60_000) * 60_000;
  // The offset belongs to the unknown instant itself; a second estimate corrects the hours around a clock change.
  const offsetMs = offsetAt(asUtcMs - offsetAt(asUtcMs));
  const minutes = Math.abs(offsetMs) / 60_000;
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${wallClock}:00${offsetMs < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}

// The till's arithmetic, exact, on decimal text. The service checks the result like any till's.

/** Parses a typed amount into minor units: `39`, `39.5`, `39,50`. Undefined when it is no amount of the currency. */
export function parseAmount(text: string, currency: string): number | undefined {
  const decimals = decimalsOfCurrency(currency);
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim());
  if (!match || (match[2]?.length ?? 0) > decimals) return undefined;
  return Number(match[1]) * 10 ** decimals + Number((match[2] ?? '').padEnd(decimals, '0') || 0);
}

/** Parses a typed quantity: `2`, `0.345`, `0,345`. Undefined when it is malformed or 0. */
export function parseQuantity(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  return /^\d{1,6}(\.\d{1,6})?$/.test(plain) && Number(plain) > 0 ? Number(plain) : undefined;
}

/**
 * Computes `quantity × unitPrice` in minor units, rounded half up (interface, section 2): 0.345 × 1999 = 689.655 → 690. The
 * quantity has at most six decimals.
 */
export function linePriceOf(quantity: number, unitPrice: number): number {
  const [whole = '0', fraction = ''] = quantity.toFixed(6).split('.');
  const scale = 10n ** BigInt(fraction.length);
  const product = BigInt(whole + fraction) * BigInt(unitPrice);
  return Number((product * 2n + scale) / (scale * 2n));
}
