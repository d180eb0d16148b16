/** Tests that stand in tables: a heading with a mark, words of its own below it, and a line for each case. */
import { readFileSync } from 'node:fs';

export interface Theme {
  readonly heading: string;
  readonly lines: readonly string[];
  /** What stands behind a word that begins a line below the heading. */
  readonly word: (name: string) => string | undefined;
}

export function readThemes(file: URL): Theme[] {
  return readFileSync(file, 'utf8').split(/^# /m).slice(1).map(themeOf);
}

function themeOf(text: string): Theme {
  const [heading = '', ...below] = text.split('\n').filter((line) => line !== '');
  const isWord = (line: string) => /^[a-z]+ /.test(line);
  const words = new Map(below.filter(isWord).map((line) => line.split(/ (.*)/s) as [string, string]));
  return { heading, lines: below.filter((line) => !isWord(line)), word: (name) => words.get(name) };
}

/** The lines of a theme as they are when each says what it says now: behind a sign, with another one between sentences. */
export function toldLines({ lines }: Theme, sign: string, tell: (words: string) => readonly string[]): string[] {
  return lines.map((line) => {
    const [words = ''] = line.split(` ${sign} `);
    return [words, tell(words).join(' ⏎ ')].filter(Boolean).join(` ${sign} `);
  });
}
