import { decimalsOfCurrency } from './format.ts';

/**
 * The till's arithmetic for baskets built on this page: exact, on decimal text. The service checks the result like any
 * till's.
 */

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
