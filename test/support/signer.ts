/** The caller's half of the signature (interface, section 5), apart from the service's own. */
import { createHmac, randomBytes } from 'node:crypto';

/** A secret as the operator hands it over: 32 random bytes in hex. */
export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

export function unixSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** v1 = hex(HMAC-SHA256(secret, t + "." + body)); `t` is signed as the text that is sent. */
export function digestOf(secret: string, t: number | string, body: Uint8Array): string {
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(secret);
  const key = Buffer.from(secret, isHex ? 'hex' : 'base64');
  return createHmac('sha256', key).update(`${t}.`, 'latin1').update(body).digest('hex');
}

/** The value of the POS-Signature header. */
export function signatureOf(secret: string, body: Uint8Array, t: number | string = unixSeconds()): string {
  return `t=${t},v1=${digestOf(secret, t, body)}`;
}
