import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { root } from './paths.mjs';

/**
 * The needs of a run of tests beside Node and the packages, derived from the imports of its files: a list kept by hand
 * would soon be outdated.
 */

/**
 * Modules through which a test reaches a process, a socket or a thread. A unit test imports none of them, directly or
 * indirectly.
 */
const OUTSIDE = new Set([
  'ioredis',
  'node:child_process',
  'node:http',
  'node:https',
  'node:net',
  'node:tls',
  'node:worker_threads',
  'piscina',
  'playwright-core',
  'undici',
  'uWebSockets.js',
]);

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g;

/** Types are gone when a file runs. */
const IMPORTED_TYPES = /^(?:import|export) type [^;]*;$/gm;

/**
 * Lists the test files whose path contains one of the filters, as vitest chooses them; all test files without a filter.
 * @param {readonly string[]} filters
 */
function listTests(filters) {
  const folders = ['test', ...readdirSync(join(root, 'packages')).map((name) => posix.join('packages', name, 'test'))];
  const files = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.test.ts'));
  const wanted = filters.filter((filter) => !filter.startsWith('-')).map((filter) => posix.normalize(filter));
  return files.filter((file) => wanted.length === 0 || wanted.some((filter) => file.includes(filter))).sort();
}

/** Lists the unit tests, which start no process and therefore run on any machine. */
export function listUnitTests() {
  return listTests([]).filter((file) => !isLong(file) && !reaches(file, (module) => OUTSIDE.has(module)));
}

/**
 * Whether a test takes too long for `npm test`: its cases are few and large, count what all of them have met, or wait for minutes.
 * @param {string} file
 */
export function isLong(file) {
  return file.endsWith('.long.test.ts');
}

/** Lists the long tests, of either kind. */
export function listLongTests() {
  return listTests([]).filter(isLong);
}

/** @param {readonly string[]} filters */
export function needsOfTests(filters) {
  const files = listTests(filters);
  return {
    redis: files.some((file) => reaches(file, (module) => OUTSIDE.has(module))),
    browser: files.some((file) => reaches(file, (module) => module === 'playwright-core')),
    generators: files.some((file) => reaches(file, (module) => module.endsWith('openapi/generators/installed.ts'))),
  };
}

/** @type {Map<string, string[]>} */
const importsOf = new Map();

/**
 * True when a file imports a wanted module, directly or indirectly.
 * @param {string} file from the root of the repository
 * @param {(module: string) => boolean} isLookedFor
 * @param {Set<string>} seen
 * @returns {boolean}
 */
function reaches(file, isLookedFor, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  return readImports(file).some(
    (module) => isLookedFor(module) || (isPath(module) && reaches(module, isLookedFor, seen)),
  );
}

/**
 * The modules that a file imports: packages by name, files by their path from the root.
 * @param {string} file
 */
function readImports(file) {
  let imports = importsOf.get(file);
  if (imports === undefined) {
    const path = join(root, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    imports = [...text.replace(IMPORTED_TYPES, '').matchAll(IMPORT)].map(([, specifier = '']) =>
      pathOf(file, specifier),
    );
    importsOf.set(file, imports);
  }
  return imports;
}

/**
 * The path of a file of the repository, or the name of a package.
 * @param {string} file from the root
 * @param {string} specifier
 */
function pathOf(file, specifier) {
  const own = /^@loyalty\/([^/]+)\/(.+)$/.exec(specifier);
  if (own) return `packages/${own[1]}/src/${own[2]}.ts`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier;
}

/** @param {string} module */
function isPath(module) {
  return /\.(?:ts|mjs|js)$/.test(module) && !OUTSIDE.has(module);
}
