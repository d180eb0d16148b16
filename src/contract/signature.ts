import crypto, { createHmac, timingSafeEqual } from 'node:crypto';
import {
  CLOCK_WINDOW_SECONDS,
  MAX_BODY_BYTES,
  MAX_SIGNATURE_HEADER_CHARACTERS,
  MAX_SIGNATURES_PER_HEADER,
} from './limits.ts';
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
/** The form that nearly every caller sends: one stamp, then one signature, and nothing else. */
const USUAL_HEADER = /^t=(0|[1-9][0-9]{0,14}),v1=([0-9a-fA-F]{64})$/;

/**
 * Step 1: parses the header's comma-separated `key=value` items. Unknown keys are ignored, and several `v1` are allowed
 * for a caller that rotates its secret. Undefined unless there is exactly one `t` and at least one well-formed `v1`, and
 * for a header that is longer than it may be: a stranger's header is not worth reading in full.
 */
export function parseSignatureHeader(header: string): SignatureHeader | undefined {
  if (header.length > MAX_SIGNATURE_HEADER_CHARACTERS) return undefined;
  const usual = USUAL_HEADER.exec(header);
  if (usual) return { timestamp: usual[1]!, digests: [Buffer.from(usual[2]!, 'hex')] };
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
  const message = layOut(parsed.timestamp, body);
  let matches = 0;
  for (let s = 0; s < secrets.length; s++) {
    digestInto(expected, secrets[s]!, message);
    for (const digest of parsed.digests) matches |= Number(timingSafeEqual(expected, digest));
  }
  return matches === 0 ? 'invalid_signature' : 'verified';
}

/** The digest that is compared; one is enough, because nothing waits between its making and its comparison. */
const expected = Buffer.allocUnsafeSlow(32);

/**
 * HMAC-SHA256 (RFC 2104) over a time stamp and a body, by two one-shot hashes. A native Hmac object costs more in making,
 * finalising and collecting than the hash of a small body, so the pads and the message are laid out in one buffer that is
 * kept, and the message is copied into it once for all secrets. Measured with two secrets and 8 KB
 * (docs/measurements/chain.md): 11.1 µs instead of 12.9, and less for the collector. Bodies above the greatest that a caller
 * may send take Node's own way, so that the buffer is bounded. `crypto.hash` is named at its use: the client's package loads
 * this file in a Node that lacks it, and refuses that Node in words.
 */

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
const FIRST_ROOM_BYTES = 16 * 1024;

/** The inner pad and the message. It grows with the largest body seen. */
let message = Buffer.allocUnsafeSlow(FIRST_ROOM_BYTES);
/** The outer pad and the inner digest. */
const outer = Buffer.allocUnsafeSlow(BLOCK_BYTES + DIGEST_BYTES);

/** A message laid out for `digestInto`. */
interface LaidOutMessage {
  readonly timestamp: string;
  readonly body: Uint8Array;
  /** Undefined when the message is too large to be kept. */
  readonly bytes: Buffer | undefined;
}

/** Lays out `timestamp + "." + body`, valid until the next call. `timestamp` is plain decimal digits, at most 15. */
function layOut(timestamp: string, body: Uint8Array): LaidOutMessage {
  if (body.length > MAX_BODY_BYTES) return { timestamp, body, bytes: undefined };
  const needed = BLOCK_BYTES + timestamp.length + 1 + body.length;
  if (needed > message.length) message = Buffer.allocUnsafeSlow(Math.min(2 * needed, 2 * MAX_BODY_BYTES));
  message.write(timestamp, BLOCK_BYTES, 'latin1');
  message[BLOCK_BYTES + timestamp.length] = 0x2e;
  message.set(body, needed - body.length);
  return { timestamp, body, bytes: message.subarray(0, needed) };
}

/** Writes the HMAC of a message into the first 32 bytes of `digest`. */
function digestInto(digest: Buffer, secret: Uint8Array, { bytes, timestamp, body }: LaidOutMessage): void {
  if (!bytes) return digest.set(signPayload(secret, timestamp, body));
  const key = secret.length > BLOCK_BYTES ? crypto.hash('sha256', secret, 'buffer') : secret;
  for (let at = 0; at < BLOCK_BYTES; at++) {
    const byte = at < key.length ? key[at]! : 0;
    bytes[at] = byte ^ INNER_PAD;
    outer[at] = byte ^ OUTER_PAD;
  }
  // Digests cross as one-byte texts of 32 characters: a Buffer made by the hash costs 0.4 µs more.
  outer.write(crypto.hash('sha256', bytes, 'binary'), BLOCK_BYTES, 'latin1');
  digest.write(crypto.hash('sha256', outer, 'binary'), 0, 'latin1');
}
