import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildPackage, PACKAGES, ROOT } from '../../scripts/package/build.ts';
import { endKept } from './cleanup.ts';

/**
 * Builds the packages before the first test, so that the tests of `packages/` run exactly what `npm pack` would pack, and
 * strips the sources of their types, so that not each of some hundred processes does it (quick-start.ts). Both cost nothing
 * when they are done already. After the last test, what the test processes kept is ended.
 */
export default function build(): () => void {
  for (const name of PACKAGES) buildPackage(name);
  const fill = join(ROOT, 'scripts', 'stripped', 'fill.mjs');
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', fill], { stdio: 'inherit' });
  return endKept();
}
