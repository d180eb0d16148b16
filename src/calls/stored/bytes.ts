/**
 * Integers and texts as bytes. An integer is written in groups of seven bits, the lowest first; the high bit of a byte says
 * that more follow. A text is its length and its UTF-8, or its UTF-16 where it has a lone surrogate, which UTF-8 would lose.
 */

const GROUP = 128;
/** The most bytes of an integer up to 2^53 − 1. */
const MAX_INTEGER_BYTES = 8;
const FIRST_CAPACITY = 4096;
const UUID_BYTES = 16;
const UUID_CHARACTERS = 36;
const HYPHEN = 0x2d;
const [DIGIT_0, DIGIT_9, DIGIT_A, DIGIT_F] = [0x30, 0x39, 0x61, 0x66];

/** Writes into one buffer that is kept and grows; `take` copies the bytes out of it and begins anew. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #at = 0;

  /** Writes an integer from 0 to 2^53 − 1. Throws on anything else: it could not be read back. */
  integer(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error('assertion failed: not an integer to be stored');
    this.#provide(MAX_INTEGER_BYTES);
    let left = value;
    while (left >= GROUP) {
      const rest = Math.floor(left / GROUP);
      this.#bytes[this.#at++] = GROUP | (left - rest * GROUP);
      left = rest;
    }
    this.#bytes[this.#at++] = left;
  }

  text(text: string): void {
    this.optionalText(text);
  }

  optionalText(text: string | undefined): void {
    if (text === undefined) return this.integer(0);
    const encoding = text.isWellFormed() ? 'utf8' : 'utf16le';
    const length = Buffer.byteLength(text, encoding);
    this.integer(1 + length * 2 + (encoding === 'utf8' ? 0 : 1));
    this.#provide(length);
    this.#at += this.#bytes.write(text, this.#at, encoding);
  }

  /**
   * Writes a lower-case UUID as 0 and its 16 bytes. Writes nothing and returns false for any other text. Its digits are read one by
   * one: a regular expression and a conversion take 2 µs for each line of a basket.
   */
  uuid(text: string): boolean {
    if (text.length !== UUID_CHARACTERS) return false;
    this.#provide(1 + UUID_BYTES);
    const bytes = this.#bytes;
    let at = this.#at;
    bytes[at++] = 0;
    let high = -1;
    for (let place = 0; place < UUID_CHARACTERS; place += 1) {
      const code = text.charCodeAt(place);
      if (place === 8 || place === 13 || place === 18 || place === 23) {
        if (code !== HYPHEN) return false;
        continue;
      }
      const digit = hexDigit(code);
      if (digit < 0) return false;
      if (high < 0) high = digit;
      else {
        bytes[at++] = high * 16 + digit;
        high = -1;
      }
    }
    this.#at = at;
    return true;
  }

  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  /** Forgets what an encoding that failed has left. */
  reset(): void {
    this.#at = 0;
  }

  #provide(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + count));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. Throws where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, from = 0) {
    this.#bytes = bytes;
    this.#at = from;
  }

  /** Where the next value begins. */
  get at(): number {
    return this.#at;
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
    throw new Error('its bytes end in an integer');
  }

  /** Reads an integer below `end`, such as an index. */
  below(end: number): number {
    const value = this.integer();
    if (value >= end) throw new Error('an index of it is out of range');
    return value;
  }

  /** Reads so many items; each has a byte at least. */
  list<Item>(read: () => Item): Item[] {
    const count = this.below(this.#bytes.length - this.#at);
    const items: Item[] = [];
    for (let index = 0; index < count; index += 1) items.push(read());
    return items;
  }

  uuid(): string {
    const from = this.#at;
    this.#at += UUID_BYTES;
    if (this.#at > this.#bytes.length) throw new Error('its bytes end in a UUID');
    const hex = this.#bytes.toString('hex', from, this.#at);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  text(): string {
    const text = this.optionalText();
    if (text === undefined) throw new Error('a text of it is missing');
    return text;
  }

  optionalText(): string | undefined {
    const head = this.integer() - 1;
    if (head < 0) return undefined;
    const from = this.#at;
    this.#at += Math.floor(head / 2);
    if (this.#at > this.#bytes.length) throw new Error('its bytes end in a text');
    return this.#bytes.toString(head % 2 === 1 ? 'utf16le' : 'utf8', from, this.#at);
  }
}

/** The value of a lower-case hexadecimal digit; −1 for any other character. */
function hexDigit(code: number): number {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  return code >= DIGIT_A && code <= DIGIT_F ? code - DIGIT_A + 10 : -1;
}
