import { isAscii } from 'node:buffer';
import { type Refusal, refuse } from '../contract/errors.ts';

/** What reading a body comes to: the value, or why it is refused. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

// `ignoreBOM: true` keeps a byte order mark in the text, where JSON.parse refuses it (RFC 8259, 8.1).
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads bytes as UTF-8 JSON, both to the letter. Refuses with 400 (interface, section 7). */
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
    // The parser's own message quotes the body, and with it perhaps a loyalty ID.
    return notValid('The body is not JSON.', 'JSON');
  }
}

/** Most bodies are plain ASCII, for which UTF-8 is Latin-1: telling that and copying costs a fraction of decoding. */
function decode(body: Uint8Array): string {
  if (!isAscii(body)) return decoder.decode(body);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
}

function notValid(message: string, expected: string): Parsed<never> {
  return { ok: false, refusal: refuse('invalid_request', { message, details: { field: '', expected } }) };
}
