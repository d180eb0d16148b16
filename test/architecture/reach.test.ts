/** What each process loads at its start, by its imports; those of types alone load nothing. */
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

/** The files that are loaded with this one. */
function reach(first: string): string[] {
  const reached = new Set([first]);
  for (const path of reached) {
    for (const loaded of loadedBy(byPath.get(path)!)) if (byPath.has(loaded)) reached.add(loaded);
  }
  return [...reached];
}

it('is in a gateway only what calls need, and in the primary neither a call nor what prices one', () => {
  const gateway = reach('src/process/gateway.ts');
  expect(gateway).toContain('src/gateway/server.ts');
  const ofOthers = /^src\/(?:primary|administration)\/|managed-redis|^src\/programme\/(?:load|source|warnings)/;
  expect(gateway.filter((path) => ofOthers.test(path))).toEqual([]);
  const primary = reach('src/primary/primary.ts');
  expect(primary).toContain('src/primary/gateways.ts');
  // The console is loaded when it is first asked for. Of the calls the sweeper needs what is kept of a basket, for events of their end, and what a
  // sale adds to the costs.
  const ofCalls =
    /^src\/(?:gateway|administration)\/|^src\/calls\/(?!event-facts|funders|cost-entry|stored\/)|console|pages|engine\/src\/(?:choose|decide|settle)/;
  expect(primary.filter((path) => ofCalls.test(path))).toEqual([]);
});
