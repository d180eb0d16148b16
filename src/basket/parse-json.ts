import { isAscii } from 'node:buffer';
import { type Refusal, refuse } from '../contract/errors.ts';

/** The result of reading a body: the value or a refusal. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

// `ignoreBOM: true` keeps a byte order mark in the text, where JSON.parse refuses it (RFC 8259, 8.1).
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses bytes as strict UTF-8 and strict JSON. Refuses with 400 (interface, section 7). */
export function parseJson(body: Uint8Array): Parsed<unknown> {
  let text: string;
  try {
    text = decode(body);
  } catch {
    return notValid('The body is not UTF-8.', 'UTF-8');
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // The parser's own message is dropped: it quotes the body, which may contain a loyalty ID.
    return notValid('The body is not JSON.', 'JSON');
  }
}

/**
 * Most bodies are plain ASCII, which equals Latin-1; the check and a Latin-1 copy cost a fraction of UTF-8 decoding.
 */
function decode(body: Uint8Array): string {
  if (!isAscii(body)) return decoder.decode(body);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
}

function notValid(message: string, expected: string): Parsed<never> {
  return { ok: false, refusal: refuse('invalid_request', { message, details: { field: '', expected } }) };
}
