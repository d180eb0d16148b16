import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..');
const LOAD = pathToFileURL(join(ROOT, 'scripts', 'stripped', 'test.mjs'));

/**
 * The environment in which a test starts the present Node on the project's sources. They come without types from a folder, and
 * what the engine compiled before from another: half of the work of a start, in which the suite otherwise spent most of its
 * time. It is not for every process of a test: another version of Node may not know such a folder.
 */
export function quickStart(env: NodeJS.ProcessEnv): Record<string, string> {
  const options = [`--import=${LOAD}`, env['NODE_OPTIONS']].filter(Boolean).join(' ');
  const cache = join(ROOT, '.toolchain', 'compiled');
  return { ...(env as Record<string, string>), NODE_OPTIONS: options, NODE_COMPILE_CACHE: cache };
}
