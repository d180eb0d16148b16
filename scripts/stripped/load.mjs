/**
 * Imported before the entry (`node --import`), it takes the project's TypeScript from the folder of stripped sources, where
 * they are there; otherwise Node strips them itself, which is a third of the work of a start. Every line and column stays
 * the same, as it does when Node strips.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { strippedFile } from './folder.mjs';

registerHooks({
  load(url, context, nextLoad) {
    const source = url.startsWith('file:') && url.endsWith('.ts') ? readStripped(fileURLToPath(url)) : undefined;
    if (source === undefined) return nextLoad(url, context);
    return { format: 'module', source, shortCircuit: true };
  },
});

/** @param {string} path */
function readStripped(path) {
  try {
    return readFileSync(strippedFile(readFileSync(path, 'utf8')), 'utf8');
  } catch {
    return undefined;
  }
}
