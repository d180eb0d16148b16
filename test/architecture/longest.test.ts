/** The test files that vitest.config.ts runs first, by name: a renamed or deleted one would silently lose its place. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './source.ts';
import { listRepository } from './texts.ts';

const files = listRepository();

/** The names whose file is not exactly one of the repository. */
function strayNames(config: string): string[] {
  const [, list] = /^const LONGEST = \[\n([\s\S]*?)^\]/m.exec(config) ?? [];
  if (list === undefined) throw new Error('vitest.config.ts has no list LONGEST');
  const names = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
  expect(names).not.toEqual([]);
  return names.filter((name) => files.filter((path) => path.endsWith(`/${name}.test.ts`)).length !== 1);
}

it('names test files that exist, each by a name that no other has', () => {
  expect(strayNames(readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8'))).toEqual([]);
});

it('finds a name without a file, and one that several files have', () => {
  const config = "const LONGEST = [\n  'model/model',\n  'model/moved',\n  'package',\n]";
  expect(strayNames(config)).toEqual(['model/moved', 'package']);
});
