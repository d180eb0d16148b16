/**
 * What the usual basket call can reach. Counted are the files of `src` that are loaded with its two ends: the gateway's steps and
 * the call itself. Imports of types alone load nothing. Pricing counts as the files by which the call enters it: behind
 * `price.ts` is an engine with a page of its own, which a reader of the call need not open.
 */
import { expect, it } from 'vitest';
import { readSources, type SourceFile } from './source.ts';

const ENDS = ['src/gateway/lifecycle.ts', 'src/calls/usual-call.ts'];
const ENGINE = 'src/pricing/';
const MOST_FILES = 89;

/** The files that are loaded with the first ones; those of the engine are entered no further. */
function reach(files: readonly SourceFile[], first: readonly string[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set(first);
  for (const path of reached) {
    if (path.startsWith(ENGINE)) continue;
    for (const { target, typeOnly } of byPath.get(path)?.imports ?? []) {
      if (!typeOnly && target !== undefined && byPath.has(target)) reached.add(target);
    }
  }
  return [...reached];
}

it('is fewer than 90 files', () => {
  const reached = reach(readSources(['src']), ENDS);
  expect(reached).toContain('src/pricing/price.ts');
  expect(reached).toContain('src/store/calculations.ts');
  expect(reached.length, reached.sort().join('\n')).toBeLessThanOrEqual(MOST_FILES);
  // Neither the pool nor a sale event is on its way.
  expect(reached.filter((path) => /threads|sale-call/.test(path))).toEqual([]);
});

it('goes from file to file, and passes by types', () => {
  const file = (path: string, ...targets: [string, boolean][]): SourceFile => ({
    ...{ path, text: '', code: '', bare: '' },
    imports: targets.map(([target, typeOnly]) => ({ specifier: target, target, typeOnly, line: 1 })),
  });
  const files = [
    file('a.ts', ['b.ts', false], ['types.ts', true]),
    file('b.ts', ['src/pricing/door.ts', false]),
    file('src/pricing/door.ts', ['src/pricing/inner.ts', false]),
    ...[file('src/pricing/inner.ts'), file('types.ts')],
  ];
  expect(reach(files, ['a.ts'])).toEqual(['a.ts', 'b.ts', 'src/pricing/door.ts']);
});
