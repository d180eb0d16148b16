/** The commands of the operators' pages, run as they stand there. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../architecture/source.ts';

const PAGES = ['docs/operations.md', 'docs/administration.md', 'docs/tools.md', 'deploy/redis.md'];

/** The block of commands whose first line is this comment (without the `# `, up to its first full stop or comma). */
function blockOf(title: string): string {
  const text = PAGES.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands as string);
  const found = blocks.filter((commands) => commands.startsWith(`# ${title}`));
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${PAGES.join(' and ')} begin with: ${title}`);
  return found[0] as string;
}

/** Runs a block in a shell that stops at the first failure. Rejects, with what it said, when one fails. */
export async function runBlock(title: string, env: Readonly<Record<string, string>>): Promise<string> {
  const script = `set -euo pipefail\n${blockOf(title)}`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: 30_000,
  });
  return stdout;
}
