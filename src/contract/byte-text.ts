/**
 * Byte texts: texts of one character per byte of their UTF-8. A body read as Latin-1 is such a text; the strings that
 * `JSON.parse` makes of it are too, and written back as Latin-1 they are the same bytes, so that nothing is decoded on the
 * way from a request to its answer. A byte text equals its text exactly where both are ASCII. Every basket that is priced is in
 * this form, also in tests and explanations: `InBytes` keeps it apart from ordinary texts. Neither is assignable to the other,
 * and only `unsealed` opens it.
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

const ASCII = /^[\x00-\x7f]*$/;
/** Characters that are neither ASCII nor a lone surrogate. */
const OTHERS = /[^\x00-\x7f\ud800-\udfff]+/gu;
const BYTES = /[\x80-\xff]+/g;

/** The byte text of a text. A lone surrogate, which UTF-8 cannot hold, stays as it is; JSON writes it as an escape. */
export function toByteText(text: string): string {
  return ASCII.test(text) ? text : text.replace(OTHERS, (others) => Buffer.from(others, 'utf8').toString('latin1'));
}

/** The text of a byte text. */
export function toText(byteText: string): string {
  return ASCII.test(byteText)
    ? byteText
    : byteText.replace(BYTES, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

/** A copy in byte texts. The value is one that JSON can hold. */
export function encoded<T>(value: T): InBytes<T> {
  return sealed(JSON.parse(toByteText(JSON.stringify(value))) as T);
}

/** A copy with ordinary texts. The value is one that JSON can hold. */
export function decoded<T>(value: InBytes<T>): T {
  return JSON.parse(toText(JSON.stringify(value))) as T;
}
