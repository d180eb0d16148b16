/**
 * `node scripts/package.ts build NAME` builds a package of `packages/` into its `lib/`; npm calls it before it packs.
 * `node scripts/package.ts pack NAME [FOLDER]` also packs it into the folder (`.data/packages`).
 * `node scripts/package.ts vectors [FOLDER]` writes the kit's vectors (`packages/conformance/vectors`), as a build of the kit does.
 */
import { resolve } from 'node:path';
import { writeVectors } from '../packages/conformance/src/vectors/write.ts';
import { buildPackage, PACKAGES, type PackageName } from './package/build.ts';
import { packPackage } from './package/pack.ts';

const USAGE = `usage: package build|pack ${PACKAGES.join('|')} [folder], or package vectors [folder]`;
const VECTORS = 'packages/conformance/vectors';

const given = process.argv.slice(2);
const [action, name, folder = '.data/packages'] = given;
try {
  if (given.includes('--help')) process.stdout.write(`${USAGE}\n`);
  else if (action === 'vectors') writeVectors(name ?? VECTORS);
  else if (!isPackage(name)) throw new Error(`a package is expected: ${PACKAGES.join(', ')}`);
  else if (action === 'pack') {
    const tarball = packPackage(name, resolve(folder));
    process.stdout.write(`Packed. In any project: npm install ${tarball}\n`);
  } else if (action === 'build') {
    buildPackage(name);
    if (name === 'conformance') writeVectors(VECTORS);
  } else throw new Error(USAGE);
} catch (error) {
  process.stderr.write(`package: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

function isPackage(text: string | undefined): text is PackageName {
  return (PACKAGES as readonly (string | undefined)[]).includes(text);
}
