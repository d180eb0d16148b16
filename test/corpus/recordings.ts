/** The recordings as files: two of each theme, so that a change of the storage shows in one of them alone. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded, Recordings } from './play.ts';

const FOLDER = join(import.meta.dirname, 'recorded');

export function writeRecordings(recordings: Recordings): void {
  for (const [theme, byTitle] of recordings) {
    const write = (suffix: string, textOf: (recorded: Recorded) => string) => {
      const texts = [...byTitle].map(([title, recorded]) => `# ${title}\n${textOf(recorded)}\n`);
      writeFileSync(join(FOLDER, `${theme}${suffix}`), texts.join('\n'));
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
  const parts = existsSync(file) ? `\n${readFileSync(file, 'utf8')}`.split(/\n# /).slice(1) : [];
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1).replace(/\n$/, '')];
    }),
  );
}
