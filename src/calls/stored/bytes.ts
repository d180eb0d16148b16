/**
 * Stored bytes, which are written and read by the same calls: a writer writes the value that it is given, and a reader, which is given
 * none, returns the next one. So the order of the bytes is written down once (kinds.ts).
 *
 * An integer is written in groups of seven bits, the lowest first; the high bit of a byte says that more follow. A text is its length and
 * its UTF-8, or its UTF-16 where it has a lone surrogate, which UTF-8 would lose.
 */
export interface Bytes {
  /** From 0 to 2^53 − 1. */
  integer(value: number | undefined): number;
  /** An integer of so many bytes, the lowest first. */
  fixed(length: number, value: number | undefined): number;
  /** Several numbers in one integer. Each has the radix at its place; the last one has none, and no bound. */
  packed(radices: readonly number[], numbers: readonly number[]): readonly number[];
  text(value: string | undefined): string;
  optionalText(value: string | undefined): string | undefined;
  /** A text that may repeat: a number as `2n + 1`, any other as twice its place among those before, with itself where it is new. */
  knownText(value: string | undefined): string;
  /** A lower-case UUID, in 16 bytes. */
  uuid(value: string | undefined): string;
  /** Of a reader; a writer has no end. */
  readonly left: number;
}

export function fail(fault: string): never {
  throw new Error(fault);
}

/** Most identifiers are numbers, which take fewer bytes as such: of digits alone, without a leading zero. */
const NUMBER = /^[1-9][0-9]{0,14}$/;

/** The number that a text writes; undefined of any other text. */
export function writtenNumber(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}

const GROUP = 128;
/** The most bytes of an integer up to 2^53 − 1. */
const MAX_INTEGER_BYTES = 8;
const FIRST_CAPACITY = 4096;
const UUID_BYTES = 16;
const [DIGIT_0, LETTER_A] = [0x30, 0x61];

function hexDigit(code: number): number {
  return code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10;
}

/** Writes into one buffer that is kept and grows. */
export class ByteWriter implements Bytes {
  readonly left = Number.POSITIVE_INFINITY;
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #at = 0;
  readonly #known = new Map<string, number>();

  /** Throws on a value that could not be read back. */
  encode<Value>(write: (bytes: Bytes, value: Value) => unknown, value: Value): Buffer {
    this.#at = 0;
    this.#known.clear();
    write(this, value);
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  integer(value: number): number {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error('assertion failed: not an integer to be stored');
    this.#provide(MAX_INTEGER_BYTES);
    let left = value;
    while (left >= GROUP) {
      const rest = Math.floor(left / GROUP);
      this.#bytes[this.#at++] = GROUP | (left - rest * GROUP);
      left = rest;
    }
    this.#bytes[this.#at++] = left;
    return value;
  }

  fixed(length: number, value: number): number {
    this.#provide(length);
    this.#at = this.#bytes.writeUIntLE(value, this.#at, length);
    return value;
  }

  packed(radices: readonly number[], numbers: readonly number[]): readonly number[] {
    let value = numbers[radices.length]!;
    for (let at = radices.length - 1; at >= 0; at -= 1) value = value * radices[at]! + numbers[at]!;
    this.integer(value);
    return numbers;
  }

  text(value: string): string {
    const encoding = value.isWellFormed() ? 'utf8' : 'utf16le';
    const length = Buffer.byteLength(value, encoding);
    this.integer(1 + length * 2 + (encoding === 'utf8' ? 0 : 1));
    this.#provide(length);
    this.#at += this.#bytes.write(value, this.#at, encoding);
    return value;
  }

  optionalText(value: string | undefined): string | undefined {
    if (value !== undefined) return this.text(value);
    this.integer(0);
    return undefined;
  }

  knownText(value: string): string {
    const number = writtenNumber(value);
    const place = number === undefined ? this.#known.get(value) : undefined;
    this.integer(number === undefined ? 2 * (place ?? this.#known.size) : 2 * number + 1);
    if (number !== undefined || place !== undefined) return value;
    this.#known.set(value, this.#known.size);
    return this.text(value);
  }

  uuid(value: string): string {
    this.#provide(UUID_BYTES);
    // `Buffer.write` of the text without its hyphens takes three times as long.
    for (let at = 0; at < value.length; at += 2) {
      if (value[at] === '-') at += 1;
      this.#bytes[this.#at++] = 16 * hexDigit(value.charCodeAt(at)) + hexDigit(value.charCodeAt(at + 1));
    }
    return value;
  }

  #provide(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + count));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. Throws where the bytes end too early. */
export class ByteReader implements Bytes {
  readonly #bytes: Buffer;
  #at = 0;
  readonly #known: string[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return Math.max(0, this.#bytes.length - this.#at);
  }

  integer(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < MAX_INTEGER_BYTES; count += 1) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value += (byte % GROUP) * scale;
      if (byte < GROUP) return value;
      scale *= GROUP;
    }
    return fail('its bytes end in an integer');
  }

  fixed(length: number): number {
    return this.#bytes.readUIntLE(this.#take(length), length);
  }

  packed(radices: readonly number[]): readonly number[] {
    let left = this.integer();
    const numbers: number[] = [];
    for (const radix of radices) {
      numbers.push(left % radix);
      left = Math.floor(left / radix);
    }
    numbers.push(left);
    return numbers;
  }

  text(): string {
    return this.optionalText() ?? fail('a text of it is missing');
  }

  optionalText(): string | undefined {
    const head = this.integer() - 1;
    return head < 0 ? undefined : this.#textOf(Math.floor(head / 2), head % 2 === 1 ? 'utf16le' : 'utf8');
  }

  knownText(): string {
    const head = this.integer();
    if (head % 2 === 1) return String((head - 1) / 2);
    const place = head / 2;
    if (place === this.#known.length) this.#known.push(this.text());
    return this.#known[place] ?? fail('a text of it is missing');
  }

  uuid(): string {
    const hex = this.#textOf(UUID_BYTES, 'hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  #textOf(length: number, encoding: BufferEncoding): string {
    const from = this.#take(length);
    return this.#bytes.toString(encoding, from, this.#at);
  }

  /** The place of so many bytes, which are read with it. */
  #take(length: number): number {
    if (length > this.left) fail('its bytes end too early');
    this.#at += length;
    return this.#at - length;
  }
}
