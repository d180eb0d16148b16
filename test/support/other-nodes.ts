/** Other versions of Node than the one that runs the tests, as npm packages; the binary is all that they hold. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeNode } from '../../scripts/setup/node.mjs';
import { npmInstallFlags, npmProgram } from '../../scripts/setup/npm.mjs';
import { toolchain } from '../../scripts/setup/paths.mjs';
import { pinnedNodePackage } from '../../scripts/setup/platform.mjs';

/** The oldest and the newest Node that the client names. */
export const OTHER_NODES = ['20.19.0', '26.10.0'] as const;

/** The path of that Node; fetched from the registry when it is missing, and kept beside the project's own. */
export function provideOtherNode(version: string): string {
  const node = join(toolchain, `node-${version}`, 'bin', 'node');
  if (existsSync(node)) return node;
  mkdirSync(toolchain, { recursive: true });
  const incoming = mkdtempSync(join(toolchain, 'incoming-'));
  try {
    writeFileSync(join(incoming, 'package.json'), '{"private":true}\n');
    const { name } = pinnedNodePackage();
    const args = [npmProgram(), 'install', ...npmInstallFlags, '--no-save', '--prefix', incoming, `${name}@${version}`];
    execFileSync(process.execPath, args, { cwd: incoming, stdio: 'pipe' });
    completeNode(join(incoming, 'node_modules', name), version);
    renameSync(join(incoming, 'node_modules', name), join(toolchain, `node-${version}`));
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(node)) throw error;
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
  return node;
}
