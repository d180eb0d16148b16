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

/** Texts that were written already are written as their number. They are compared as they came, and spelt when written. */
export class KnownTexts {
  readonly #writer: ByteWriter;
  readonly #numbers = new Map<string, number>();
  readonly #spell: (text: string) => string;

  constructor(writer: ByteWriter, spell: (text: string) => string) {
    this.#writer = writer;
    this.#spell = spell;
  }

  write(text: string): void {
    const value = numberOf(text);
    if (value > 0) return this.#writer.integer(value * 2 + 1);
    const number = this.#numbers.get(text);
    this.#writer.integer(2 * (number ?? this.#numbers.size));
    if (number !== undefined) return;
    this.#numbers.set(text, this.#numbers.size);
    this.#writer.text(this.#spell(text));
  }
}
