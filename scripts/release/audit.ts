import { spawnSync } from 'node:child_process';
import { npmProgram } from '../setup/npm.mjs';

/** Known weaknesses of the packages that the service runs on, or the reason why nobody could be asked. */
export type Audit =
  | { readonly outcome: 'asked'; readonly findings: readonly Finding[] }
  | { readonly outcome: 'not asked'; readonly reason: string };

export interface Finding {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
}

interface Answer {
  readonly vulnerabilities?: Readonly<Record<string, Finding>>;
  readonly message?: string;
}

/** Asks the registry. Never throws: a registry that has no audit is named in the report. */
export function auditOf(tree: string): Audit {
  const args = [npmProgram(), 'audit', '--omit=dev', '--json', '--package-lock-only'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' });
  try {
    const { vulnerabilities, message } = JSON.parse(stdout) as Answer;
    if (vulnerabilities === undefined) return { outcome: 'not asked', reason: message ?? 'the registry told nothing' };
    const findings = Object.values(vulnerabilities).map(({ name, severity, range }) => ({ name, severity, range }));
    return { outcome: 'asked', findings };
  } catch {
    return { outcome: 'not asked', reason: 'npm gave no answer' };
  }
}
