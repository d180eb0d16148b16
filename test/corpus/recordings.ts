/**
 * The recordings as files: two of each theme, so that a change of the storage shows in one of them alone. Each line is a
 * conversation: its title and the lines of its text, with a sign between them that no answer has.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded, Recordings } from './play.ts';

const FOLDER = join(import.meta.dirname, 'recorded');

const LINE_END = ' ⏎ ';

export function writeRecordings(recordings: Recordings): void {
  for (const [theme, byTitle] of recordings) {
    const write = (suffix: string, textOf: (recorded: Recorded) => string) => {
      const texts = [...byTitle].map(([title, recorded]) => `${title}\n${textOf(recorded)}`.trimEnd());
      writeFileSync(join(FOLDER, `${theme}${suffix}`), texts.map((text) => `${foldText(text)}\n`).join(''));
    };
    write('.txt', ({ talk }) => talk);
    write('.redis.txt', ({ redis }) => redis);
  }
}

export function readRecordings(themes: readonly string[]): Recordings {
  return new Map(
    themes.map((theme) => {
      const [talks, dumps] = [readTexts(`${theme}.txt`), readTexts(`${theme}.redis.txt`)];
      return [theme, new Map([...talks].map(([title, talk]) => [title, { talk, redis: dumps.get(title) ?? '' }]))];
    }),
  );
}

function readTexts(name: string): Map<string, string> {
  const file = join(FOLDER, name);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return new Map(
    lines.map((line) => {
      const [title = '', ...text] = line.split(LINE_END);
      return [title, text.join('\n')];
    }),
  );
}

function foldText(text: string): string {
  if (text.includes(LINE_END)) throw new Error(`a recorded text has the sign that separates its lines: ${text}`);
  return text.replaceAll('\n', LINE_END);
}
