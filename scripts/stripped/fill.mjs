/** Fills the folder of stripped sources (load.mjs) with all that is missing, and removes all that is outdated. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FOLDER, strippedFile } from './folder.mjs';

/** The rooms of the service, the threads' entries and the half of the caller. */
const ROOTS = ['src', 'workers', 'packages', 'bench'];
const root = fileURLToPath(new URL('../../', import.meta.url));

mkdirSync(FOLDER, { recursive: true });
const present = new Set(readdirSync(FOLDER));
const wanted = new Set();
for (const path of ROOTS.flatMap(listSources)) {
  const source = readFileSync(path, 'utf8');
  const target = strippedFile(source);
  wanted.add(basename(target));
  if (present.has(basename(target))) continue;
  // Another process may be filling the folder too, and others read it: a file appears whole.
  const draft = `${target}.${process.pid}`;
  const stripped = strip(source);
  if (stripped === undefined) continue;
  writeFileSync(draft, stripped);
  renameSync(draft, target);
}
for (const name of present) if (name.endsWith('.js') && !wanted.has(name)) rmSync(join(FOLDER, name), { force: true });

/**
 * Undefined for a source with a mistake, which Node tells whoever runs it.
 * @param {string} source
 */
function strip(source) {
  try {
    return stripTypeScriptTypes(source);
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function listSources(folder) {
  // An image has only what the service needs.
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return entries
    .filter((path) => /(?<!\.d)\.ts$/.test(path) && !path.split(sep).includes('node_modules'))
    .map((path) => join(root, folder, path));
}
