import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeLink, root } from '../../../scripts/setup/paths.mjs';
import type { Order } from '../mutant.ts';

/** Changes Lua scripts, and writes the result of each file as soon as it is there. With `isNear` without the tests that take long. */
export async function judgeScripts(orders: readonly Order[], folder: string, isNear: boolean): Promise<void> {
  if (orders.length === 0) return;
  const path = join(folder, 'scripts.orders.json');
  writeFileSync(path, JSON.stringify({ orders, isNear }));
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/mutants/lua/vitest.config.ts'];
  const env = { ...process.env, MUTANTS_ORDERS: path };
  const child = spawn(nodeLink, vitest, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`vitest ended with ${code}`);
}
