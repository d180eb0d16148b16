import { createHmac, timingSafeEqual } from 'node:crypto';
import { CLOCK_WINDOW_SECONDS, MAX_SIGNATURE_HEADER_CHARACTERS, MAX_SIGNATURES_PER_HEADER } from './limits.ts';
import { trimBlanks } from './trim-blanks.ts';

/**
 * The request signature (interface, section 5), signed and verified here: `POS-Signature: t=<unix seconds>,v1=<hex>`.
 * Time is always an argument.
 */
export interface SignatureHeader {
  /** The text of `t` in the header, which was signed. */
  readonly timestamp: string;
  /** Every well-formed `v1`, 32 bytes each. */
  readonly digests: readonly Uint8Array[];
}

export type SignatureOutcome = 'verified' | 'invalid_signature' | 'stale_timestamp';

/**
 * Plain decimal without sign or leading zero. 15 digits still cover a stamp in milliseconds, which is answered as
 * stale.
 */
const TIMESTAMP = /^(?:0|[1-9][0-9]{0,14})$/;
/** The form is checked because Node's hex decoder stops silently at the first unknown character. */
const DIGEST = /^[0-9a-f]{64}$/i;

/**
 * Step 1: parses the header's comma-separated `key=value` items. Unknown keys are ignored, and several `v1` are allowed
 * for a caller that rotates its secret. Undefined unless there is exactly one `t` and at least one well-formed `v1`, and
 * for a header that is longer than it may be: a stranger's header is not worth reading in full.
 */
export function parseSignatureHeader(header: string): SignatureHeader | undefined {
  if (header.length > MAX_SIGNATURE_HEADER_CHARACTERS) return undefined;
  let timestamp: string | undefined;
  let signatures = 0;
  const digests: Uint8Array[] = [];
  for (const item of header.split(',')) {
    const text = trimBlanks(item);
    const equals = text.indexOf('=');
    const key = text.slice(0, Math.max(0, equals));
    const value = text.slice(equals + 1);
    if (key === 't') {
      if (timestamp !== undefined || !TIMESTAMP.test(value)) return undefined;
      timestamp = value;
    } else if (key === 'v1') {
      signatures += 1;
      if (signatures > MAX_SIGNATURES_PER_HEADER) return undefined;
      if (DIGEST.test(value)) digests.push(Buffer.from(value, 'hex'));
    }
  }
  return timestamp === undefined || digests.length === 0 ? undefined : { timestamp, digests };
}

/** Step 2: true when `t` lies within ±300 seconds of the server's clock, the bounds included. */
export function isWithinClockWindow(timestamp: string, nowSeconds: number): boolean {
  return Math.abs(Number(timestamp) - nowSeconds) <= CLOCK_WINDOW_SECONDS;
}

/** `HMAC_SHA256(secret, t + "." + raw body bytes)`, 32 bytes. */
export function signPayload(secret: Uint8Array, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** Builds the header value for a body. `nowSeconds` is Unix time in whole seconds. */
export function signatureHeader(secret: Uint8Array, nowSeconds: number, body: Uint8Array): string {
  const timestamp = String(nowSeconds);
  return `t=${timestamp},v1=${signPayload(secret, timestamp, body).toString('hex')}`;
}

/**
 * Verifies a signature in the interface's three steps. Every active secret is tried against every digest in constant
 * time and without an early exit, so that the time taken does not reveal the matching secret.
 */
export function verifySignature(
  header: string,
  body: Uint8Array,
  secrets: readonly Uint8Array[],
  nowSeconds: number,
): SignatureOutcome {
  const parsed = parseSignatureHeader(header);
  if (!parsed) return 'invalid_signature';
  if (!isWithinClockWindow(parsed.timestamp, nowSeconds)) return 'stale_timestamp';
  let matches = 0;
  for (const secret of secrets) {
    const expected = signPayload(secret, parsed.timestamp, body);
    for (const digest of parsed.digests) matches |= Number(timingSafeEqual(expected, digest));
  }
  return matches === 0 ? 'invalid_signature' : 'verified';
}
