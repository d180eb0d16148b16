import { isUtf8 } from 'node:buffer';
import type { BasketRequest } from '../contract/basket-request.ts';
import { type InBytes, sealed } from '../contract/byte-text.ts';
import { isFlawlessRequest } from './flawless-request.ts';

const BACKSLASH = 0x5c;
const UNICODE_ESCAPE = '\\u';

/**
 * Parses a body into byte texts. Undefined for one that is not UTF-8 or not JSON, and for one with a `\u` escape: such an
 * escape names a character and not a byte. The ordinary way (parse-json.ts) reads or refuses all of these.
 */
export function parseInBytes(body: Uint8Array): InBytes<unknown> | undefined {
  if (!isUtf8(body)) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.includes(BACKSLASH) && bytes.includes(UNICODE_ESCAPE)) return undefined;
  try {
    return sealed(JSON.parse(bytes.toString('latin1')));
  } catch {
    return undefined;
  }
}

/**
 * Reads a flawless basket request into byte texts. Undefined for any other body, which the ordinary way
 * (basket-request.ts) reads or refuses; lengths are judged in bytes here, which is stricter.
 */
export function readBasketInBytes(body: Uint8Array, calculationId: string): InBytes<BasketRequest> | undefined {
  const value: unknown = parseInBytes(body);
  if (!isFlawlessRequest(value) || value.calculationId !== calculationId) return undefined;
  return sealed(value);
}
