import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../architecture/source.ts';

/** Where the set-up installs the generators, apart from the packages of the project. */
export const GENERATORS = join(ROOT, '.toolchain', 'generators');

/** True when those of the lock file beside this file are installed. */
export function areGeneratorsInstalled(): boolean {
  const stamp = join(GENERATORS, '.set-up');
  const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'));
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === createHash('sha256').update(lock).digest('hex');
}
