/**
 * What a basket call can reach. Counted are the files of `src` that are loaded with its two ends: the gateway's steps and
 * the call itself. Imports of types alone load nothing. Pricing counts as the files by which the call enters it: behind
 * `price.ts` is an engine with a page of its own, which a reader of the call need not open.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { listRepository, ROOT } from './source.ts';

interface Source {
  readonly path: string;
  readonly text: string;
}

/** What the service and its packages have. */
const SOURCES: readonly Source[] = ['src', 'packages/contract/src', 'packages/engine/src']
  .flatMap((folder) => listRepository(folder))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

const ENDS = ['src/gateway/lifecycle.ts', 'src/calls/basket-call.ts'];
const ENGINE = 'packages/engine/src/';
const MOST_FILES = 89;

/** The files that a file loads: what it imports or hands on, types apart. */
function loadedBy({ path, text }: Source): string[] {
  const { staticImports, staticExports } = parseSync(path, text, { sourceType: 'module' }).module;
  const imported = staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const handedOn = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
  );
  return [...imported, ...handedOn].map((name) =>
    name.startsWith('.')
      ? posix.join(posix.dirname(path), name)
      : name.replace(/^@loyalty\/([^/]+)\/(.*)$/, 'packages/$1/src/$2.ts'),
  );
}

const byPath = new Map(SOURCES.map((file) => [file.path, file]));

/** The files that are loaded with the first ones; unless it is asked for, those of the engine are entered no further. */
function reach(first: readonly string[], entersEngine = false): string[] {
  const reached = new Set(first);
  for (const path of reached) {
    if (!entersEngine && path.startsWith(ENGINE)) continue;
    for (const loaded of loadedBy(byPath.get(path)!)) if (byPath.has(loaded)) reached.add(loaded);
  }
  return [...reached];
}

it('is fewer than 90 files', () => {
  const reached = reach(ENDS);
  expect(reached).toContain('packages/engine/src/price.ts');
  expect(reached).toContain('src/store/calculations.ts');
  expect(reached.length, reached.sort().join('\n')).toBeLessThanOrEqual(MOST_FILES);
  // Neither the pool nor a sale event is on its way.
  expect(reached.filter((path) => /threads|sale-call/.test(path))).toEqual([]);
});

it('loads in a gateway only what calls need, and in the primary neither a call nor what prices one', () => {
  const gateway = reach(['src/process/gateway.ts']);
  expect(gateway).toContain('src/gateway/server.ts');
  const ofOthers = /^src\/(?:primary|administration)\/|managed-redis|^src\/programme\/(?:load|source|warnings)/;
  expect(gateway.filter((path) => ofOthers.test(path))).toEqual([]);
  const primary = reach(['src/primary/primary.ts'], true);
  expect(primary).toContain('src/primary/gateways.ts');
  // The console is loaded when it is first asked for. Of the calls the sweeper needs what is kept of a basket, for events of their end, and what a
  // sale adds to the costs.
  const ofCalls =
    /^src\/(?:gateway|administration)\/|^src\/calls\/(?!event-facts|funders|redemption|stored\/)|console|pages|engine\/src\/(?:choose|decide|settle)/;
  expect(primary.filter((path) => ofCalls.test(path))).toEqual([]);
});
