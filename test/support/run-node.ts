import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { quickStart } from './quick-start.ts';

/** Runs a module's text in a Node of its own, from the project's folder, and resolves with what it printed, trimmed. */
export async function runNode(source: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    env: quickStart({ PATH: process.env['PATH'], ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await once(child, 'close');
  return printed.trim();
}
