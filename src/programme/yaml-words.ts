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

/** `Deal: 10` behind a name and its colon: there is no value before it that a comma could end. */
const ONE_WORD_AND_COLON = /^("[^"]*"|'[^']*'|[^\s,:{}[\]]+) *:/;
/** What stands before a text that people read, or before one of its languages. */
const READ_BY_PEOPLE = /\b(?:(?:text|memberLabel|name|note):|(?:text|memberLabel): *\{[^{}]*:) *$/;

/** Describes an error of the YAML reader. What it names by a term of YAML is said by what stands on the line. */
export function wordsOf({ code, message, pos: [offset] }: YAMLError, text: string): YamlWords {
  const words = (found: string, allowed: string, at = offset): YamlWords => ({ found, allowed, offset: at });
  const strange = STRANGE_BLANK.exec(lineAt(text, offset));
  if (strange) {
    const at = text.lastIndexOf('\n', offset - 1) + 1 + strange.index + strange[0].length - 1;
    const sign = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    return words(`a blank that is none to YAML, U+${sign}`, 'ordinary blanks: type this one again', at);
  }
  const first = oneLine(message);
  switch (code) {
    case 'TAB_AS_INDENT':
      return words('a tab at the beginning of the line', 'blanks: YAML indents by blanks alone');
    case 'BLOCK_AS_IMPLICIT_KEY':
      return words(SECOND_COLON, QUOTED_COLON);
    case 'BAD_SCALAR_START':
      return words(
        `a text that begins with ${text[offset]}`,
        `quotes around it: YAML keeps ${text[offset]} at the beginning for itself`,
      );
    case 'BAD_ALIAS':
      return words('a & or * without a name behind it', 'quotes around a text that begins with & or *');
    case 'DUPLICATE_KEY':
      return words(`the name ${nameAt(text, offset)} a second time in one mapping`, 'each name once');
    case 'MULTIPLE_DOCS':
      return words('a line --- after which a second document begins', 'one document in a file');
    case 'MULTILINE_IMPLICIT_KEY':
      return words(
        'a line without a name',
        'name: value, with a blank after the colon, or - before the entry of a list',
      );
    case 'UNEXPECTED_TOKEN':
      if (!message.includes('at node end')) break;
      return /^[^:#]*: *\*/.test(lineAt(text, offset))
        ? words('a text that begins with *', 'quotes around it: YAML keeps * at the beginning for itself')
        : words('more after the end of a value', CLOSED_TEXT);
    case 'BAD_INDENT':
      return message.startsWith('Flow')
        ? words(
            `a ${message.includes('sequence') ? '[' : '{'} that is never closed`,
            'the closing bracket on the same line or indented',
          )
        : words(
            'a line that begins in another column than the lines around it',
            'the same number of blanks before each name of a mapping',
          );
    case 'BLOCK_IN_FLOW':
      if (ONE_WORD_AND_COLON.test(lineFrom(text, offset))) return words(SECOND_COLON, QUOTED_COLON);
      return READ_BY_PEOPLE.test(text.slice(0, offset))
        ? words(SECOND_COLON, `${QUOTED_COLON}; between two entries a comma`)
        : words(NO_COMMA, A_COMMA);
    case 'MISSING_CHAR':
      return missing(message, text, offset) ?? words(first, 'YAML 1.2');
    default:
  }
  return words(first, 'YAML 1.2');
}

function missing(message: string, text: string, offset: number): YamlWords | undefined {
  const quote = /closing (["'])quote/.exec(message)?.[1];
  if (quote !== undefined) {
    // No other one stands behind the one that was never closed.
    const opening = Math.max(0, text.lastIndexOf(quote, offset - 1));
    return { found: `a quote ${quote} that is never closed`, allowed: CLOSED_TEXT, offset: opening };
  }
  if (message.startsWith('Missing ,')) return { found: NO_COMMA, allowed: A_COMMA, offset };
  if (message.includes('without - indicator')) {
    const found = 'a line that begins in another column than the lines around it';
    return { found, allowed: 'the names of one entry below each other, two blanks to the right of its -', offset };
  }
  if (message.includes('followed by map values')) {
    return { found: `${nameAt(text, offset)} without a colon`, allowed: 'name: value', offset };
  }
  return undefined;
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
