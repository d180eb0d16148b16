import { MIN_SECRET_BYTES } from './limits.ts';

const HEX = /^[0-9a-f]+$/i;
/** Letters before a secret that are signs of base64 themselves: with them it would be another key. */
const PREFIX = /^(?:0x(?=[0-9a-f]+$)|whsec_)/i;

/**
 * Decodes a shared secret's text: hex if it looks like hex, otherwise base64 or base64url with or without padding.
 * Returns its bytes, however few; undefined when it is neither, or lacks a part of its last byte. The alphabet is checked
 * first, because Node's decoders skip unknown characters.
 */
export function decodeSecret(text: string): Uint8Array | undefined {
  // Hex digits are signs of base64 too: one digit more or less must not become another key.
  if (HEX.test(text)) return text.length % 2 === 0 ? Buffer.from(text, 'hex') : undefined;
  if (PREFIX.test(text)) return undefined;
  const [, signs, padding = ''] = /^([A-Za-z0-9+/_-]+)(={0,2})$/.exec(text) ?? [];
  if (signs === undefined) return undefined;
  const isWhole = padding === '' ? signs.length % 4 !== 1 : text.length % 4 === 0;
  return isWhole ? Buffer.from(text, 'base64') : undefined;
}

/** Says what is wrong with a text that is no secret. Never quotes it. */
export function secretFlaw(text: string): string {
  if (HEX.test(text)) return `has ${text.length} hex digits, an odd number`;
  const [prefix] = PREFIX.exec(text) ?? [];
  return prefix === undefined ? 'is neither hex nor base64' : `begins with ${prefix}, which is no part of it`;
}

/**
 * True for a secret whose bytes are themselves the text of one, as that of a Kubernetes secret whose value was encoded once
 * more. It is a valid key, but hardly that of the other side.
 */
export function isEncodedTwice(secret: Uint8Array): boolean {
  const inner = decodeSecret(Buffer.from(secret).toString('latin1').trim());
  return inner !== undefined && inner.length >= MIN_SECRET_BYTES;
}
