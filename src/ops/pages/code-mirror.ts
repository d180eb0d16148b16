import { createHash } from 'node:crypto';

/**
 * The editor's library, served as the ES modules of its packages: an import map in the page says where each name is. Nothing
 * is bundled, and nothing comes from another host.
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
  'w3c-keyname',
] as const;

/** The modules by the path under which they are served. */
export function listEditorModules(): ReadonlyMap<string, URL> {
  return new Map(PACKAGES.map((name) => [pathOf(name), new URL(import.meta.resolve(name))]));
}

/** Where the charts' library is served. */
export const CHARTS = '/assets/uplot.js';

/** The import map, which stands in the page between its tags. */
export const IMPORT_MAP = JSON.stringify({
  imports: { ...Object.fromEntries(PACKAGES.map((name) => [name, pathOf(name)])), uplot: CHARTS },
});

/** The source that the page's policy allows: this very map, and no other inline script. */
export const IMPORT_MAP_SOURCE = `'sha256-${createHash('sha256').update(IMPORT_MAP).digest('base64')}'`;

function pathOf(name: string): string {
  return `/assets/modules/${name.replace('@', '').replaceAll('/', '-')}.js`;
}
