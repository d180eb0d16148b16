import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `pack-client`: writes the caller's half as a package of its own, as JavaScript with types.
 * The service runs its TypeScript sources as they are, but Node refuses to strip types under `node_modules`, where a
 * caller has the client. What the entry imports decides what goes into the package; nothing of the server does.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** All that the client, the contract and the basket import from outside; versions are those of the service. */
const PACKAGES = ['ajv', 'typebox', 'undici'] as const;
/** undici's own floor, which is the highest of the three. */
const NODE_RANGE = '>=22.19.0';

const EMIT_FLAGS = [
  ...['--ignoreConfig', '--declaration', '--rewriteRelativeImportExtensions', '--strict', '--skipLibCheck'],
  ...['--verbatimModuleSyntax', '--erasableSyntaxOnly', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--target', 'es2024', '--lib', 'es2024', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ...['--types', 'node'],
];

/** Writes the package into `out` and says how to install it. Throws when the compiler refuses the sources. */
export function packClient(out: string): number {
  const folder = resolve(out);
  writePackage(folder);
  process.stdout.write(`The client is in ${folder}. Install it with: npm install ${folder}\n`);
  return 0;
}

function writePackage(target: string): void {
  rmSync(join(target, 'lib'), { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const entry = join(ROOT, 'packages', 'client', 'src', 'index.ts');
  const places = ['--rootDir', ROOT, '--outDir', join(target, 'lib')];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...EMIT_FLAGS, ...places, entry], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the compiler refused the sources\n${stdout}`);
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
}

function describePackage() {
  const { name, version, license, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    name,
    version,
    description: "The caller's half of the loyalty basket interface: calls, judges answers, reports outcomes once.",
    license,
    type: 'module',
    engines: { node: NODE_RANGE },
    exports: {
      './client': { types: './lib/packages/client/src/index.d.ts', default: './lib/packages/client/src/index.js' },
    },
    dependencies: Object.fromEntries(PACKAGES.map((wanted) => [wanted, dependencies[wanted]])),
  };
}
