/** Builds a package and packs it, with npm, into the tarball that others install. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmProgram } from '../setup/npm.mjs';
import { buildPackage, type PackageName } from './build.ts';
import { stagePackage } from './stage.ts';

/** The path of the tarball, which lies in the folder afterwards. Throws with the output of the compiler or npm. */
export function packPackage(name: PackageName, folder: string): string {
  buildPackage(name);
  mkdirSync(folder, { recursive: true });
  // npm's scripts are left out, because the package is built already, also where scripts are switched off.
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const cwd = mkdtempSync(join(tmpdir(), 'loyalty-stage-'));
  try {
    stagePackage(name, cwd);
    const printed = execFileSync(process.execPath, [npmProgram(), ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [{ filename }] = JSON.parse(printed) as [{ filename: string }];
    return join(folder, filename);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
