import type { Random } from '../../../packages/simulator/src/random.ts';

/** Ranges of code points, every plane among them, from which random texts are drawn. */
const RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0x7f, 0xff],
  [0x100, 0x7ff],
  [0x800, 0xd7ff],
  [0xe000, 0xffff],
  [0x1f300, 0x1faff],
  ...Array.from({ length: 16 }, (_, plane) => [(plane + 1) * 0x10000, (plane + 1) * 0x10000 + 0xffff] as const),
];
const SINGULAR = [
  '"',
  '\\',
  '/',
  '\b',
  '\f',
  '\n',
  '\r',
  '\t',
  '\u0000',
  '\u001f',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffd',
  'é',
  '{',
  '}',
];

/** A text of up to so many characters. Without `isAnything` it needs no `\u` escape. */
export function randomText(random: Random, most: number, isAnything: boolean): string {
  const length = random.between(1, most);
  let text = '';
  for (let at = 0; at < length; at += 1) {
    if (random.chance(0.1)) {
      const singular = random.pick(SINGULAR);
      text += !isAnything && /[\u0000\u001f]/.test(singular) ? ' ' : singular;
    } else if (isAnything && random.chance(0.02)) {
      text += String.fromCharCode(random.between(0xd800, 0xdfff));
    } else {
      const [from, to] = random.chance(0.5) ? RANGES[0]! : random.pick(RANGES);
      text += String.fromCodePoint(random.between(from, to));
    }
  }
  return text;
}

export interface SpellingOptions {
  /** Some characters are written as `\u` escapes. */
  readonly hasEscapes: boolean;
  /** Blanks between tokens. */
  readonly isSpaced: boolean;
  /** Some members come in another order, or twice: the last one counts. */
  readonly isShuffled: boolean;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** The JSON of a value in one of its many spellings. */
export function spellJson(value: unknown, random: Random, options: SpellingOptions): string {
  const blank = (): string =>
    options.isSpaced && random.chance(0.3) ? random.pick([' ', '\n', '\t', '\r\n', '  ']) : '';
  const spell = (part: unknown): string => {
    if (typeof part === 'string') return spellText(part, random, options);
    if (typeof part === 'number') return spellNumber(part, random);
    if (Array.isArray(part)) return `[${blank()}${part.map((item) => spell(item) + blank()).join(`,${blank()}`)}]`;
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    let members = Object.entries(part).filter(([, held]) => held !== undefined);
    if (options.isShuffled) members = shuffled(members, random);
    const spelled = members.map(
      ([name, held]) => `${spellText(name, random, options) + blank()}:${blank()}${spell(held)}`,
    );
    if (options.isShuffled && random.chance(0.1) && members.length > 0) {
      const [name] = random.pick(members);
      spelled.unshift(`${spellText(name, random, options)}:${spell(random.pick([0, 'twice', null, 'å', []]))}`);
    }
    return `{${blank()}${spelled.map((text) => text + blank()).join(`,${blank()}`)}}`;
  };
  return blank() + spell(value) + blank();
}

function spellText(text: string, random: Random, { hasEscapes }: SpellingOptions): string {
  let spelled = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at]!;
    const code = text.charCodeAt(at);
    const isLone = isSurrogate(code) && !isPaired(text, at);
    const short = SHORT_ESCAPES[unit];
    if (isLone || (code < 0x20 && !short) || (hasEscapes && random.chance(0.05))) spelled += escapeOf(code, random);
    else if (short) spelled += short;
    else if (unit === '/' && random.chance(0.3)) spelled += '\\/';
    else spelled += unit;
  }
  // An escape of one half of a pair leaves the other half alone in the text; it is escaped as well.
  return `"${
    spelled.isWellFormed()
      ? spelled
      : JSON.stringify(text)
          .slice(1, -1)
          .replace(/[\ud800-\udfff]/g, (half) => escapeOf(half.charCodeAt(0), random))
  }"`;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const other = code < 0xdc00 ? text.charCodeAt(at + 1) : text.charCodeAt(at - 1);
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other < 0xdc00;
}

function escapeOf(code: number, random: Random): string {
  const hex = code.toString(16).padStart(4, '0');
  return `\\u${random.chance(0.5) ? hex : hex.toUpperCase()}`;
}

function spellNumber(value: number, random: Random): string {
  const plain = Object.is(value, -0) ? '-0' : String(value);
  if (!Number.isSafeInteger(value) || random.chance(0.9)) return plain;
  return random.pick([`${plain}.0`, `${plain}e0`, `${plain}.000E+0`, `${plain}0e-1`]);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
