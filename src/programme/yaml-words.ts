import type { LineCounter, YAMLError } from 'yaml';
import { oneLine } from './configuration-error.ts';

/** The faults of YAML itself in words: what the reader of the file sees on the line, and what to write instead. */

export interface YamlWords {
  readonly found: string;
  readonly allowed: string;
  /** Offset in the text. */
  readonly offset: number;
}

const CLOSED_TEXT =
  "one pair of quotes around the whole text; a quote within it is written twice: 'it''s', or as \\\" between \"";

/** A blank of a web page or a text program where YAML needs its own: before a name, or behind a colon. */
const STRANGE_BLANK = /(?:^[ -]*|:)[\u00a0\u2000-\u200b\u202f\u3000]/;

const SECOND_COLON = 'a second colon with a blank after it on one line';
const QUOTED_COLON = 'quotes around a text with a colon, text: "Happy hour: 20 %", or the name on a line of its own';

const NO_COMMA = 'two entries within { } or [ ] without a comma between them';
const A_COMMA = 'a comma after each entry, { from: 2026-12-01, to: 2026-12-24 }';

const OTHER_COLUMN = 'a line that begins in another column than the lines around it';

/** `Deal: 10` behind a name and its colon: there is no value before it that a comma could end. */
const ONE_WORD_AND_COLON = /^("[^"]*"|'[^']*'|[^\s,:{}[\]]+) *:/;
/** What stands before a text that people read, or before one of its languages. */
const READ_BY_PEOPLE = /\b(?:(?:text|memberLabel|name|note):|(?:text|memberLabel): *\{[^{}]*:) *$/;

/** Describes an error of the YAML reader. What it names by a term of YAML is said by what stands on the line. */
export function wordsOf({ code, message, pos: [offset] }: YAMLError, text: string): YamlWords {
  const strange = STRANGE_BLANK.exec(lineAt(text, offset));
  if (strange) {
    const at = text.lastIndexOf('\n', offset - 1) + 1 + strange.index + strange[0].length - 1;
    const sign = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    const allowed = 'ordinary blanks: type this one again';
    return { found: `a blank that is none to YAML, U+${sign}`, allowed, offset: at };
  }
  const [found, allowed, at = offset] = WORDS[code]?.({ message, text, offset }) ?? [oneLine(message), 'YAML 1.2'];
  return { found, allowed, offset: at };
}

interface Place {
  readonly message: string;
  readonly text: string;
  readonly offset: number;
}

/** What is found and allowed, and where that is another place than the reader says. Undefined where the message of the reader says it best. */
type Words = (place: Place) => readonly [found: string, allowed: string, at?: number] | undefined;

const WORDS: Readonly<Partial<Record<YAMLError['code'], Words>>> = {
  TAB_AS_INDENT: () => ['a tab at the beginning of the line', 'blanks: YAML indents by blanks alone'],
  BLOCK_AS_IMPLICIT_KEY: () => [SECOND_COLON, QUOTED_COLON],
  BAD_SCALAR_START: ({ text, offset }) => startingWith(text[offset]!),
  BAD_ALIAS: () => ['a & or * without a name behind it', 'quotes around a text that begins with & or *'],
  DUPLICATE_KEY: ({ text, offset }) => [
    `the name ${nameAt(text, offset)} a second time in one mapping`,
    'each name once',
  ],
  MULTIPLE_DOCS: () => ['a line --- after which a second document begins', 'one document in a file'],
  MULTILINE_IMPLICIT_KEY: () => [
    'a line without a name',
    'name: value, with a blank after the colon, or - before the entry of a list',
  ],
  UNEXPECTED_TOKEN({ message, text, offset }) {
    if (!message.includes('at node end')) return undefined;
    return /^[^:#]*: *\*/.test(lineAt(text, offset))
      ? startingWith('*')
      : ['more after the end of a value', CLOSED_TEXT];
  },
  BAD_INDENT({ message }) {
    if (!message.startsWith('Flow')) return [OTHER_COLUMN, 'the same number of blanks before each name of a mapping'];
    const bracket = message.includes('sequence') ? '[' : '{';
    return [`a ${bracket} that is never closed`, 'the closing bracket on the same line or indented'];
  },
  BLOCK_IN_FLOW({ text, offset }) {
    if (ONE_WORD_AND_COLON.test(lineFrom(text, offset))) return [SECOND_COLON, QUOTED_COLON];
    return READ_BY_PEOPLE.test(text.slice(0, offset))
      ? [SECOND_COLON, `${QUOTED_COLON}; between two entries a comma`]
      : [NO_COMMA, A_COMMA];
  },
  MISSING_CHAR({ message, text, offset }) {
    const quote = /closing (["'])quote/.exec(message)?.[1];
    if (quote !== undefined) {
      // No other one stands behind the one that was never closed.
      const opening = Math.max(0, text.lastIndexOf(quote, offset - 1));
      return [`a quote ${quote} that is never closed`, CLOSED_TEXT, opening];
    }
    if (message.startsWith('Missing ,')) return [NO_COMMA, A_COMMA];
    if (message.includes('without - indicator'))
      return [OTHER_COLUMN, 'the names of one entry below each other, two blanks to the right of its -'];
    return message.includes('followed by map values')
      ? [`${nameAt(text, offset)} without a colon`, 'name: value']
      : undefined;
  },
};

function startingWith(sign: string): readonly [string, string] {
  return [`a text that begins with ${sign}`, `quotes around it: YAML keeps ${sign} at the beginning for itself`];
}

/** Words for a reference to an anchor that does not stand before it. */
export function unknownAlias(name: string, offset: number): YamlWords {
  const allowed = 'quotes around a text that begins with *, or an anchor of this name (&) before it';
  return { found: `*${name}, a reference to nothing`, allowed, offset };
}

export function lineOf(lines: LineCounter, offset: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function lineAt(text: string, offset: number): string {
  return lineFrom(text, text.lastIndexOf('\n', offset - 1) + 1);
}

function lineFrom(text: string, offset: number): string {
  return text.slice(offset).split('\n', 1)[0]!;
}

function nameAt(text: string, offset: number): string {
  return /[^:\n]*/.exec(text.slice(offset, offset + 100))![0].trim() || 'a name';
}
