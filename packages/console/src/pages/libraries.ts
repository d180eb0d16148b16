import { createHash } from 'node:crypto';

/**
 * The libraries of editor and charts, served as the ES modules of their packages: an import map in the page says where each
 * name is. Nothing is bundled, and nothing comes from another host.
 */

const PACKAGES = [
  '@codemirror/autocomplete',
  '@codemirror/commands',
  '@codemirror/lang-yaml',
  '@codemirror/language',
  '@codemirror/lint',
  '@codemirror/search',
  '@codemirror/state',
  '@codemirror/streamparser',
  '@codemirror/view',
  '@lezer/common',
  '@lezer/highlight',
  '@lezer/lr',
  '@lezer/yaml',
  '@marijn/find-cluster-break',
  'crelt',
  'style-mod',
  'uplot',
  'w3c-keyname',
] as const;

/** Packages whose own entry is another kind of module. */
const ENTRIES: Readonly<Record<string, string>> = { uplot: 'uplot/dist/uPlot.esm.js' };

/** The modules' files, with the path under which each is served. */
export function listLibraries(): (readonly [path: string, file: URL])[] {
  return PACKAGES.map((name) => [pathOf(name), new URL(import.meta.resolve(ENTRIES[name] ?? name))]);
}

/** The import map, which stands in the page between its tags. */
export const IMPORT_MAP = JSON.stringify({ imports: Object.fromEntries(PACKAGES.map((name) => [name, pathOf(name)])) });

/** The source that the page's policy allows: this very map, and no other inline script. */
export const IMPORT_MAP_SOURCE = `'sha256-${createHash('sha256').update(IMPORT_MAP).digest('base64')}'`;

function pathOf(name: string): string {
  return `/assets/modules/${name.replace('@', '').replaceAll('/', '-')}.js`;
}
