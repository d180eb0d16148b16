import { isAscii, isUtf8 } from 'node:buffer';
import { type Refusal, refuse } from '../contract/errors.ts';

/** The result of reading a body: the value or a refusal. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Parses bytes as strict UTF-8 and strict JSON. Refuses with 400 (interface, section 7). */
export function parseJson(body: Uint8Array): Parsed<unknown> {
  if (!isUtf8(body)) return notValid('The body is not UTF-8.', 'UTF-8');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // Most bodies are plain ASCII, which equals Latin-1, and a Latin-1 copy costs a fraction of UTF-8 decoding.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  try {
    // Neither reading removes a byte order mark, which JSON.parse refuses (RFC 8259, 8.1).
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // The parser's own message is dropped: it quotes the body, which may contain a loyalty ID.
    return notValid('The body is not JSON.', 'JSON');
  }
}

function notValid(message: string, expected: string): Parsed<never> {
  return { ok: false, refusal: refuse('invalid_request', { message, details: { field: '', expected } }) };
}
