import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { renderEditorSchema } from '../../../../src/programme/editor-schema.ts';
import { IMPORT_MAP, IMPORT_MAP_SOURCE, listLibraries } from './libraries.ts';
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
