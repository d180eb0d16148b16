/**
 * Byte texts: texts of one character per byte of their UTF-8. A body read as Latin-1 is such a text; the strings that
 * `JSON.parse` makes of it are too, and written back as Latin-1 they are the same bytes, so that nothing is decoded on the
 * way from a request to its answer. A byte text equals its text exactly where both are ASCII. `InBytes` keeps a value with
 * such strings apart from the ordinary one: neither is assignable to the other, and only `unsealed` opens it.
 */

declare const inBytes: unique symbol;

/** A value of type `T` whose strings are byte texts. */
export interface InBytes<T> {
  readonly [inBytes]: T;
}

/** Marks a value whose strings are byte texts. */
export function sealed<T>(value: T): InBytes<T> {
  return value as unknown as InBytes<T>;
}

/** Opens a value. Its strings must meet byte texts alone from here on, or what is ASCII in both forms. */
export function unsealed<T>(value: InBytes<T>): T {
  return value as unknown as T;
}

/** The byte text of a text; undefined for one with a lone surrogate, which UTF-8 cannot hold. */
export function toByteText(text: string): string | undefined {
  return text.isWellFormed() ? Buffer.from(text, 'utf8').toString('latin1') : undefined;
}

const ASCII = /^[\x00-\x7f]*$/;

/** The text of a byte text. */
export function toText(byteText: string): string {
  return ASCII.test(byteText) ? byteText : Buffer.from(byteText, 'latin1').toString('utf8');
}

/** A copy with ordinary texts. The value is one that JSON can hold. */
export function decoded<T>(value: InBytes<T>): T {
  return JSON.parse(Buffer.from(JSON.stringify(value), 'latin1').toString('utf8')) as T;
}
