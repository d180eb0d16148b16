import type { Mutant, Place } from '../mutant.ts';

/** A piece of a Lua source. Comments and blanks are none, so nothing in them is ever changed. */
interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isFirstOfLine: boolean;
}

/** One change of a source: the range that is replaced, by what, and the changed source. */
export interface Change extends Omit<Mutant, 'file' | 'isFound'> {
  readonly source: string;
}

const PIECE =
  /(?<blank>\s+|--[^\n]*)|(?<word>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?)|(?<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?<sign>\.\.\.?|[=~<>]=|[^\s])/y;

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  '==': ['~='],
  '~=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  and: ['or'],
  or: ['and'],
  true: ['false'],
  false: ['true'],
};

/** Words after which a value follows, so that a minus there is a sign and a line that begins with a name goes on. */
const BEFORE_VALUE = new Set(['and', 'or', 'not', 'return', 'in', 'if', 'elseif', 'while', 'until']);
const KEYWORDS = new Set([...BEFORE_VALUE, 'do', 'else', 'end', 'for', 'function', 'local', 'repeat', 'then', 'break']);

/** Cuts a source into its tokens. The scripts use no long brackets. */
function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let isFirstOfLine = true;
  for (let at = source.startsWith('#!') ? source.indexOf('\n') : 0; at < source.length; ) {
    PIECE.lastIndex = at;
    const { groups, 0: text } = PIECE.exec(source)!;
    const end = at + text.length;
    if (groups!['blank'] !== undefined) isFirstOfLine ||= text.includes('\n');
    else {
      const kind = (['word', 'number', 'text', 'sign'] as const).find((name) => groups![name] !== undefined)!;
      tokens.push({ kind, text, start: at, end, isFirstOfLine });
      isFirstOfLine = false;
    }
    at = end;
  }
  return tokens;
}

/** Lists the changes of a Lua source, one at a time. */
export function changesOf(source: string): Change[] {
  const tokens = tokensOf(source);
  const changes: Change[] = [];
  const change = (name: string, from: Token, to: Token, replacement: string) => {
    const [before, original, after] = [
      source.slice(0, from.start),
      source.slice(from.start, to.end),
      source.slice(to.end),
    ];
    const inLines = (text: string) =>
      `${before.slice(before.lastIndexOf('\n') + 1)}${text}${after.split('\n')[0]}`.replace(/\s+/g, ' ').trim();
    changes.push({
      start: placeOf(source, from.start),
      end: placeOf(source, to.end),
      change: name,
      original: original.replace(/\s+/g, ' '),
      replacement,
      lines: { original: inLines(original), replacement: inLines(replacement) },
      source: before + replacement + after,
    });
  };
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'number') change('Number', token, token, otherNumber(tokens, at));
    else if (token.kind === 'text') changeText(tokens, at, change);
    else if (token.text === '-' && beginsValue(tokens[at - 1])) change('Sign', token, token, '');
    else if (token.text === 'not') change('Not', token, token, '');
    else for (const other of OTHERS[token.text] ?? []) change('Operator', token, token, other);
    if (token.text === 'if' || token.text === 'elseif') {
      const then = tokens.findIndex((other, index) => index > at && other.text === 'then');
      for (const verdict of ['true', 'false']) change('Condition', tokens[at + 1]!, tokens[then - 1]!, verdict);
    }
    const last = endOfCall(tokens, at);
    if (last !== undefined) change('Call', token, last, '');
  }
  return changes;
}

function changeText(tokens: readonly Token[], at: number, change: (...of: [string, Token, Token, string]) => void) {
  const token = tokens[at]!;
  // Another name of a command is none at all: a dropped call shows more.
  if (tokens[at - 1]?.text === '(' && tokens[at - 2]?.text === 'call') return;
  change('Text', token, token, token.text.length === 2 ? "'x'" : `${token.text.slice(0, -1)}!'`);
}

/** A neighbour: of an index of KEYS or ARGV one that is there too. */
function otherNumber(tokens: readonly Token[], at: number): string {
  const value = Number(tokens[at]!.text);
  const isIndex = tokens[at - 1]?.text === '[' && value > 1;
  return String(isIndex ? value - 1 : value + 1);
}

function beginsValue(before: Token | undefined): boolean {
  if (before === undefined || BEFORE_VALUE.has(before.text)) return true;
  return before.kind === 'sign' && !/[)\]}]/.test(before.text);
}

/** The last token of a statement that is a call, if the token begins one. */
function endOfCall(tokens: readonly Token[], at: number): Token | undefined {
  const { kind, text, isFirstOfLine } = tokens[at]!;
  if (kind !== 'word' || KEYWORDS.has(text) || !isFirstOfLine || beginsValue(tokens[at - 1])) return undefined;
  let open = at + 1;
  while (tokens[open]?.text === '.') open += 2;
  if (tokens[open]?.text !== '(') return undefined;
  for (let depth = 0, index = open; index < tokens.length; index += 1) {
    if (tokens[index]!.text === '(') depth += 1;
    if (tokens[index]!.text === ')') depth -= 1;
    if (depth === 0) return tokens[index];
  }
  return undefined;
}

function placeOf(source: string, at: number): Place {
  const before = source.slice(0, at).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
