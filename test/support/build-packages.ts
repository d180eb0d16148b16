import { buildPackage, PACKAGES } from '../../scripts/package/build.ts';

/** Before the first test: what the tests of `packages/` run is what `npm pack` would pack. Costs nothing when it is built. */
export default function buildPackages(): void {
  for (const name of PACKAGES) buildPackage(name);
}
