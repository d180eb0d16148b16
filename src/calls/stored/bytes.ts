/**
 * The order of stored bytes is written down once, in functions that both write and read: such a function hands each part of a value on,
 * and takes what comes back, which is the part itself or what was read.
 *
 *     function point(bytes: Bytes, it = {} as Point): Point {
 *       it.x = bytes.integer(it.x);
 *       it.y = bytes.integer(it.y);
 *       return it;
 *     }
 *
 * An integer is written in groups of seven bits, the lowest first; the high bit of a byte says that more follow. A text is its length and
 * its UTF-8, or its UTF-16 where it has a lone surrogate, which UTF-8 would lose.
 */
export interface Bytes {
  /** From 0 to 2^53 − 1. */
  integer(value: number): number;
  /** Several numbers in one integer. Each has the radix at its place; the last one has none, and no bound. */
  packed(radices: readonly number[], numbers: readonly number[]): readonly number[];
  text(value: string): string;
  optionalText(value: string | undefined): string | undefined;
  /** A lower-case UUID, in 16 bytes. */
  uuid(value: string): string;
  list<Item>(items: readonly Item[], item: (bytes: Bytes, value: Item | undefined) => Item): readonly Item[];
  /** True where a reader has nothing left. */
  readonly isAtEnd: boolean;
}

export type Changing<Value> = { -readonly [Name in keyof Value]: Value[Name] };

export function integer(bytes: Bytes, value = 0): number {
  return bytes.integer(value);
}

export function optionalInteger(bytes: Bytes, value: number | undefined): number | undefined {
  const stored = bytes.integer(value === undefined ? 0 : value + 1);
  return stored === 0 ? undefined : stored - 1;
}

/** One of some values, as its place among them: append, never insert. */
export function oneOf<const Value>(bytes: Bytes, values: readonly Value[], value: Value): Value {
  return values[bytes.integer(values.indexOf(value))] ?? fail('an index of it is out of range');
}

function fail(fault: string): never {
  throw new Error(fault);
}

const GROUP = 128;
/** The most bytes of an integer up to 2^53 − 1. */
const MAX_INTEGER_BYTES = 8;
const FIRST_CAPACITY = 4096;
const UUID_BYTES = 16;

/** Writes into one buffer that is kept and grows. */
export class ByteWriter implements Bytes {
  readonly isAtEnd = false;
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #at = 0;

  /** Throws on a value that could not be read back. */
  encode<Value>(write: (bytes: Bytes, value: Value) => unknown, value: Value): Buffer {
    this.#at = 0;
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

  uuid(value: string): string {
    this.#provide(UUID_BYTES);
    this.#at += this.#bytes.write(value.replaceAll('-', ''), this.#at, 'hex');
    return value;
  }

  list<Item>(items: readonly Item[], item: (bytes: Bytes, value: Item) => Item): readonly Item[] {
    this.integer(items.length);
    for (const each of items) item(this, each);
    return items;
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
  #at: number;

  constructor(bytes: Buffer, from = 0) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
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
    return head < 0 ? undefined : this.#take(Math.floor(head / 2), head % 2 === 1 ? 'utf16le' : 'utf8');
  }

  uuid(): string {
    const hex = this.#take(UUID_BYTES, 'hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  list<Item>(_: unknown, item: (bytes: Bytes, value: undefined) => Item): readonly Item[] {
    const length = this.integer();
    // Each item has a byte at least.
    if (length > this.#bytes.length - this.#at) return fail('its bytes end in a list');
    const items: Item[] = [];
    for (let place = 0; place < length; place += 1) items.push(item(this, undefined));
    return items;
  }

  #take(length: number, encoding: BufferEncoding): string {
    const from = this.#at;
    this.#at += length;
    return this.#at > this.#bytes.length
      ? fail('its bytes end in a text')
      : this.#bytes.toString(encoding, from, this.#at);
  }
}
