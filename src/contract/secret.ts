/**
 * A shared secret's text, as the operator hands it over: hex when it has the form of hex, else base64 or base64url with or
 * without padding. Returns its bytes, however few; undefined when it is neither. Node's decoders skip what they do not
 * know, so the alphabet is checked first.
 */
export function decodeSecret(text: string): Uint8Array | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
