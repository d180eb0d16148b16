import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { renderEditorSchema } from '../../../../src/programme/editor-schema.ts';
import type { Page } from './page.ts';

/**
 * The live page: `/`, and its files under `/assets/`. They are served from the folder `live` without a build step; its modules
 * are served without their types, as Node runs those of the service.
 */

const FOLDER = join(import.meta.dirname, 'live');
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': JAVASCRIPT,
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** The libraries of editor and charts, served as the ES modules of their packages. Nothing is bundled, and nothing comes from another host. */
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

/** The import map, which stands in the page between its tags: it says where each name is. */
const IMPORT_MAP = JSON.stringify({ imports: Object.fromEntries(PACKAGES.map((name) => [name, modulePathOf(name)])) });

/** The source that the page's policy allows: this very map, and no other inline script. */
const IMPORT_MAP_SOURCE = `'sha256-${createHash('sha256').update(IMPORT_MAP).digest('base64')}'`;

/** Stands in the page where the import map belongs. */
const IMPORT_MAP_PLACE = '{"imports":{}}';

/** Allows resources of this listener alone, forbids inline code, and forbids other sites to embed the page. */
const HEADERS = {
  'content-security-policy':
    `default-src 'none'; script-src 'self' ${IMPORT_MAP_SOURCE}; style-src 'self'; img-src 'self' data:; connect-src 'self'; ` +
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

let pages: Promise<ReadonlyMap<string, Page>> | undefined;

/** Finds the file at a path of the live page; undefined for any other path. All files are read at the first request. Rejects where they cannot be. */
export async function findLivePage(path: string | undefined): Promise<Page | undefined> {
  if (path !== '/' && !path?.startsWith('/assets/')) return undefined;
  pages ??= readPages();
  try {
    return (await pages).get(path);
  } catch (error) {
    // The next request tries again.
    pages = undefined;
    throw error;
  }
}

async function readPages(): Promise<Map<string, Page>> {
  const own = readdirSync(FOLDER).map((name) => [pathOf(name), pathToFileURL(join(FOLDER, name))] as const);
  const chartStyle = ['/assets/uplot.css', new URL(import.meta.resolve('uplot/dist/uPlot.min.css'))] as const;
  const found = new Map<string, Page>();
  for (const [path, file] of [...own, chartStyle, ...listLibraries()]) {
    const contentType = CONTENT_TYPES[extname(file.pathname)];
    if (contentType === undefined) continue;
    const body = readFileSync(file, 'utf8').replace(IMPORT_MAP_PLACE, IMPORT_MAP);
    found.set(path, { contentType, headers: HEADERS, body });
  }
  for (const [name, body] of await stripModules()) {
    found.set(pathOf(name), { contentType: JAVASCRIPT, headers: HEADERS, body });
  }
  const schema = { contentType: 'application/json; charset=utf-8', headers: HEADERS, body: renderEditorSchema() };
  return found.set('/assets/configuration-schema.json', schema);
}

/** Takes the types out of the modules, in a thread of its own: it takes a tenth of a second, which calls would wait for. */
async function stripModules(): Promise<readonly (readonly [name: string, code: string])[]> {
  const worker = new Worker(new URL('../../../../workers/page.ts', import.meta.url), {
    workerData: FOLDER,
    // Node's function is marked as experimental, and its warning would stand in the log.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [modules] = await once(worker, 'message');
  return modules;
}

function pathOf(name: string): string {
  return name === 'index.html' ? '/' : `/assets/${name}`;
}

/** The modules' files, with the path under which each is served. */
function listLibraries(): (readonly [path: string, file: URL])[] {
  return PACKAGES.map((name) => [modulePathOf(name), new URL(import.meta.resolve(ENTRIES[name] ?? name))]);
}

function modulePathOf(name: string): string {
  return `/assets/modules/${name.replace('@', '').replaceAll('/', '-')}.js`;
}
