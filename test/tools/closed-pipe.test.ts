/** A command whose reader goes away, as after `| head`, ends without a word. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';

test.each([['schema'], ['--help']])('loyalty %s into a closed pipe', async (command) => {
  const child = spawn(process.execPath, ['packages/tools/src/loyalty.ts', command], { cwd: ROOT, stdio: 'pipe' });
  child.stdout.destroy();
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(Buffer.concat(said).toString()).toBe('');
  expect(code).toBe(141);
});
