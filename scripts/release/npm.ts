import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmInstallFlags, npmProgram } from '../setup/npm.mjs';
import { toolchain } from '../setup/paths.mjs';

/** The npm that is fetched where the system's is older than this; Debian 12 has 9.2, which writes no list of materials. */
const VERSION = '10.9.4';

/** An npm that knows `sbom`: the system's, or one in `.toolchain/`. */
export function npmWithSbom(): string {
  const own = npmProgram();
  if (versionOf(own) >= majorOf(VERSION)) return own;
  const folder = join(toolchain, `npm-${VERSION}`);
  const program = join(folder, 'bin', 'npm-cli.js');
  if (versionOf(program) > 0) return program;
  mkdirSync(toolchain, { recursive: true });
  const incoming = mkdtempSync(join(toolchain, 'incoming-'));
  try {
    writeFileSync(join(incoming, 'package.json'), '{"private":true}\n');
    const args = [own, 'install', ...npmInstallFlags, '--no-save', '--prefix', incoming, `npm@${VERSION}`];
    execFileSync(process.execPath, args, { cwd: incoming, stdio: 'pipe' });
    renameSync(join(incoming, 'node_modules', 'npm'), folder);
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
  return program;
}

/** The major version of the npm whose program this is; 0 where there is none. */
function versionOf(program: string): number {
  try {
    const { version } = JSON.parse(readFileSync(join(dirname(dirname(program)), 'package.json'), 'utf8'));
    return majorOf(String(version));
  } catch {
    return 0;
  }
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
