import { buildPackage, PACKAGES } from '../../scripts/package/build.ts';

/**
 * Builds the packages before the first test, so that the tests of `packages/` run exactly what `npm pack` would pack.
 * It costs nothing when they are built.
 */
export default function buildPackages(): void {
  for (const name of PACKAGES) buildPackage(name);
}
