/** Whatever a page or a comment names is there: files, folders, headings, and sections of the interface. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWrongCitations, INTERFACE_PAGE, sectionsOf } from './citations.ts';
import { findStalePaths, findStaleRootPaths } from './references.ts';
import { ROOT } from './source.ts';
import { listRepository, readTexts, textOf } from './texts.ts';

const files = listRepository();
const texts = readTexts(files);
/** Sources whole, code included. Tests are left out: they hold made-up sources. */
const sources = files
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && path.includes('/') && !path.split('/').includes('test'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe('a path that is named exists', () => {
  it('in pages, settings and comments', () => {
    expect(findStalePaths(texts, files)).toEqual([]);
  });

  it('in what code says and runs', () => {
    expect(findStaleRootPaths(sources, files)).toEqual([]);
  });

  const tree = [
    'README.md',
    'docs/a.md',
    'docs/decisions.md',
    'docs/pictures/a.svg',
    'packages/kit/src/judge.ts',
    'src/basket/sale-event.ts',
    'src/store/keys.ts',
    'src/store/scripts/commit-5.lua',
  ];
  const pages = [
    { path: 'docs/decisions.md', text: '# Decisions\n\n## The store, `M` and I\n\n## Twice\n\n## Twice\n' },
  ];
  const judge = (path: string, whole: string) => findStalePaths([textOf(path, whole), ...pages], tree);

  it.each([
    ['src/a.ts', '/** Judged in src/basket/sale.ts. */'],
    ['src/a.ts', '// See `docs/reasons.md`.'],
    ['src/a.ts', '/* ../store/gone.ts has it. */'],
    ['src/store/scripts/a.lua', '-- As src/store/key.ts says.'],
    ['docs/a.md', 'The `cellar/` is below.'],
    ['docs/a.md', '[Reasons](reasons.md)'],
    ['docs/a.md', '[The store](decisions.md#the-store)'],
    ['docs/a.md', '[Twice](decisions.md#twice-2)'],
    ['docs/a.md', 'All of src/store/*.sql.'],
    ['docs/a.md', 'All of src/{shop,till}/.'],
    ['package.json', '{ "scripts": { "demo": "node src/demo.ts" } }'],
  ])('refuses, in %s, %j', (path, whole) => {
    expect(judge(path, whole)).not.toEqual([]);
  });

  it.each([
    ['src/a.ts', "const path = 'src/basket/sale.ts'; // src/basket/sale-event.ts, docs/decisions.md."],
    [
      'src/a.ts',
      '// See store/keys.ts, keys.ts, scripts/commit-5.lua and src/store/scripts/*.lua (`src/{store,shop}`).',
    ],
    ['src/store/a.ts', '// ../basket/sale-event.ts comes first, ./keys.ts then.'],
    [
      'src/a.ts',
      '// uWebSockets.js, Node.js, a/b, basket.json, /docs, https://example.com/docs/a.ts, 1/src, node_modules/a/b.ts.',
    ],
    ['packages/kit/README.md', 'Its `src/judge.ts` and [the file](src/judge.ts).'],
    ['docs/a.md', '`store/`, `scripts/`, `src/`, `packages/kit/`, bench/results/'],
    [
      'docs/a.md',
      '[a](decisions.md#the-store-m-and-i) [b](decisions.md#twice-1) [c](../src/store) [d](https://a.b/c.md)',
    ],
    ['docs/a.md', '# A b\n\n[above](#a-b) ![A picture](pictures/a.svg)'],
    ['docs/a.md', '```sh\necho "[not a link](nowhere.md)"\n```'],
  ])('lets pass, in %s, %j', (path, whole) => {
    expect(judge(path, whole)).toEqual([]);
  });
});

describe('a section of the interface that is cited exists', () => {
  const page = readFileSync(join(ROOT, INTERFACE_PAGE), 'utf8');

  it('in this repository', () => {
    // Of code only the lines that cite in a field.
    const checks = sources.map(({ path, text }) => ({ path, text: text.replace(/^(?!.*\bsection: ').*$/gm, '') }));
    expect(findWrongCitations([...texts, ...checks], sectionsOf(page))).toEqual([]);
  });

  const sections = sectionsOf('# Interface\n\n## 4. Calls\n\n### 4.10 Replays\n\n## 7. Errors\n');
  const judge = (path: string, whole: string) => findWrongCitations([textOf(path, whole)], sections);

  it.each([
    ['src/a.ts', '/** Replays (interface, section\n * 8). */'],
    ['src/a.ts', '/** Replays (interface, sections 4.10 and 6). */'],
    ['docs/a.md', 'Replays are in section 4.'],
    ['docs/a.md', "{ section: '4.10, 5' }"],
    ['docs/interface.md', 'As section 6 says.'],
  ])('refuses, in %s, %j', (path, whole) => {
    expect(judge(path, whole)).not.toEqual([]);
  });

  it.each([
    ['src/a.ts', '/** Replays (interface, section 4.10), errors (interface,\n * sections 4 and 7). */'],
    ['src/a.ts', '// A 100 (RFC 9110, section 10.1.1) in the live section.'],
    ['docs/a.md', "{ section: '4.10, 7 · decision' }"],
    ['docs/interface.md', 'As section 7 says.'],
  ])('lets pass, in %s, %j', (path, whole) => {
    expect(judge(path, whole)).toEqual([]);
  });
});
