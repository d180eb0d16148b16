import { toText } from '../../contract/byte-text.ts';
import type { ByteWriter } from './bytes.ts';

/** Most identifiers are numbers, which take fewer bytes as such. */
const MAX_NUMERIC_DIGITS = 15;
const [ZERO, NINE] = [0x30, 0x39];

/** The number that a text of digits alone, without a leading zero, stands for; 0 for any other text. */
export function numberOf(text: string): number {
  if (text.length > MAX_NUMERIC_DIGITS || text.charCodeAt(0) === ZERO) return 0;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return 0;
    value = value * 10 + (code - ZERO);
  }
  return value;
}

/** Byte texts. Those that were written already are written as their number. */
export class KnownTexts {
  readonly #writer: ByteWriter;
  readonly #numbers = new Map<string, number>();

  constructor(writer: ByteWriter) {
    this.#writer = writer;
  }

  write(text: string): void {
    const value = numberOf(text);
    if (value > 0) return this.#writer.integer(value * 2 + 1);
    const number = this.#numbers.get(text);
    this.#writer.integer(2 * (number ?? this.#numbers.size));
    if (number !== undefined) return;
    this.#numbers.set(text, this.#numbers.size);
    this.#writer.text(toText(text));
  }
}
