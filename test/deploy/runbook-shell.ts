/** The shell of an operator who has sourced the runbook's file. */
import { execFileSync } from 'node:child_process';
import { ROOT } from '../architecture/source.ts';

/** Runs a command there and returns what it prints, whether it fails or not. */
export function runInRunbook(command: string, env: Readonly<Record<string, string>>): string {
  return execFileSync(
    'bash',
    ['--norc', '-c', `set -u\n. deploy/prometheus/runbook.sh\n{ ${command}\n} 2>&1 || true`],
    {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: 30_000,
      env: { PATH: process.env.PATH ?? '', WHERE: 'here', ...env },
    },
  );
}
