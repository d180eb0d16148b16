/**
 * Decodes a shared secret's text: hex if it looks like hex, otherwise base64 or base64url with or without padding.
 * Returns its bytes, however few; undefined when it is neither. The alphabet is checked first, because Node's decoders
 * skip unknown characters.
 */
export function decodeSecret(text: string): Uint8Array | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
