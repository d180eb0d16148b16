import { hash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of sources without types, which are named by what they were made of, so that none is ever outdated. */
export const FOLDER = fileURLToPath(new URL('../../.toolchain/stripped/', import.meta.url));

/** The folder of what the engine has compiled of them. */
export const COMPILED = fileURLToPath(new URL('../../.toolchain/compiled/', import.meta.url));

/**
 * The file with a source's JavaScript.
 * @param {string} source TypeScript
 */
export function strippedFile(source) {
  return join(FOLDER, `${process.version}-${hash('sha1', source)}.js`);
}
