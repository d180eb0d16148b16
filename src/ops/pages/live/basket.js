import { linePriceOf } from './money.js';

/** Builds a basket of the contract from the few facts that a person enters. */

/** @typedef {import('../../../contract/basket-request.ts').BasketRequest} BasketRequest */

/**
 * @typedef {object} LineWords
 * @property {string} productId
 * @property {string} name
 * @property {string} [productGroupId]
 * @property {number} quantity
 * @property {number} unitPrice minor units
 * @property {number} [staffDiscount] minor units off the line, given at the till
 * @property {boolean} [noDiscount]
 * @property {boolean} [noPercentageDiscount]
 */

/**
 * @typedef {object} BasketWords
 * @property {string} venueId
 * @property {string} baxId
 * @property {'pos' | 'mpos'} channel
 * @property {string} currency
 * @property {string} loyaltyId
 * @property {string} requestedAt RFC 3339
 * @property {readonly LineWords[]} lines
 */

/**
 * @param {BasketWords} words
 * @returns {BasketRequest}
 */
export function composeBasket({ venueId, baxId, channel, currency, loyaltyId, requestedAt, lines }) {
  const composed = lines.map(composeLine);
  const sumOf = (/** @type {(line: BasketRequest['lines'][number]) => number} */ read) =>
    composed.reduce((sum, line) => sum + read(line), 0);
  return {
    calculationId: newUuid(),
    loyaltyId,
    currency,
    requestedAt,
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

/**
 * @param {LineWords} words
 * @param {number} index
 * @returns {BasketRequest['lines'][number]}
 */
function composeLine({ staffDiscount = 0, quantity, unitPrice, ...words }, index) {
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

/**
 * The wall-clock time of a zone, in the form of an input of type datetime-local.
 * @param {number} atMs
 * @param {string} timeZone
 */
export function wallClockOf(atMs, timeZone) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(atMs).replace(' ', 'T');
}

/**
 * The instant of a wall-clock time in a zone, as RFC 3339 with the zone's offset.
 * @param {string} wallClock `2026-11-21T14:30`
 * @param {string} timeZone
 */
export function instantOf(wallClock, timeZone) {
  const asUtcMs = Date.parse(`${wallClock}Z`);
  const offsetAt = (/** @type {number} */ atMs) =>
    Date.parse(`${wallClockOf(atMs, timeZone)}Z`) - Math.floor(atMs / 60_000) * 60_000;
  // The offset belongs to the unknown instant itself; a second estimate corrects the hours around a clock change.
  const offsetMs = offsetAt(asUtcMs - offsetAt(asUtcMs));
  const minutes = Math.abs(offsetMs) / 60_000;
  const pad = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, '0');
  return `${wallClock}:00${offsetMs < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}
