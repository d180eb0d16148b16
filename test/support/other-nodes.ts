/** Other versions of Node than the one that runs the tests, as npm packages; the binary is all that they hold. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withSetupLock } from '../../scripts/setup/lock.mjs';
import { completeNode } from '../../scripts/setup/node.mjs';
import { npmInstallFlags, npmProgram } from '../../scripts/setup/npm.mjs';
import { toolchain } from '../../scripts/setup/paths.mjs';
import { pinnedNodePackage } from '../../scripts/setup/platform.mjs';

/** The oldest and the newest Node that the client names. */
export const OTHER_NODES = ['20.19.0', '26.10.0'] as const;

/** The path of that Node, ready to run: what a bare system lacks for it is provided as for the project's own. */
export async function provideOtherNode(version: string): Promise<string> {
  const node = fetchOtherNode(version);
  await withSetupLock(() => completeNode(dirname(dirname(node)), version));
  return node;
}

/** The path of that Node; fetched from the registry when it is missing, and kept beside the project's own. */
export function fetchOtherNode(version: string): string {
  const node = join(toolchain, `node-${version}`, 'bin', 'node');
  if (existsSync(node)) return node;
  mkdirSync(toolchain, { recursive: true });
  const incoming = mkdtempSync(join(toolchain, 'incoming-'));
  try {
    writeFileSync(join(incoming, 'package.json'), '{"private":true}\n');
    const { name } = pinnedNodePackage();
    const args = [npmProgram(), 'install', ...npmInstallFlags, '--no-save', '--prefix', incoming, `${name}@${version}`];
    execFileSync(process.execPath, args, { cwd: incoming, stdio: 'pipe' });
    renameSync(join(incoming, 'node_modules', name), join(toolchain, `node-${version}`));
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(node)) throw error;
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
  return node;
}
