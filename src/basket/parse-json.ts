import { isAscii, isUtf8 } from 'node:buffer';
import { type InBytes, sealed, toByteText } from '../contract/byte-text.ts';
import { type Refusal, refuse } from '../contract/errors.ts';

/** The result of reading a body: the value or a refusal. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

const BACKSLASH = 0x5c;
const UNICODE_ESCAPE = '\\u';
/** Any escape of JSON, so that a backslash that is escaped itself begins none. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|[\s\S])/gi;
const ASCII_END = 0x80;

/** Parses bytes as strict UTF-8 and strict JSON. Refuses with 400 (interface, section 7). */
export function parseJson(body: Uint8Array): Parsed<unknown> {
  // Most bodies are plain ASCII, which equals Latin-1, and a Latin-1 copy costs a fraction of UTF-8 decoding.
  return parse(body, (bytes) => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'));
}

/** The same into byte texts. */
export function parseInBytes(body: Uint8Array): Parsed<InBytes<unknown>> {
  const parsed = parse(body, toByteSource);
  return parsed.ok ? { ok: true, value: sealed(parsed.value) } : parsed;
}

/** JSON whose strings are byte texts. An escape such as `\u00d8` names a character, which becomes its bytes. */
function toByteSource(bytes: Buffer): string {
  if (!bytes.includes(BACKSLASH) || !bytes.includes(UNICODE_ESCAPE)) return bytes.toString('latin1');
  const spelt = bytes.toString('utf8').replace(ESCAPE, (whole, hex: string | undefined) => {
    const code = hex === undefined ? 0 : Number.parseInt(hex, 16);
    return code < ASCII_END ? whole : String.fromCharCode(code);
  });
  return toByteText(spelt);
}

function parse(body: Uint8Array, toSource: (bytes: Buffer) => string): Parsed<unknown> {
  if (!isUtf8(body)) return notValid('The body is not UTF-8.', 'UTF-8');
  try {
    // Neither reading removes a byte order mark, which JSON.parse refuses (RFC 8259, 8.1).
    return { ok: true, value: JSON.parse(toSource(Buffer.from(body.buffer, body.byteOffset, body.byteLength))) };
  } catch {
    // The parser's own message is dropped: it quotes the body, which may contain a loyalty ID.
    return notValid('The body is not JSON.', 'JSON');
  }
}

function notValid(message: string, expected: string): Parsed<never> {
  return { ok: false, refusal: refuse('invalid_request', { message, details: { field: '', expected } }) };
}
