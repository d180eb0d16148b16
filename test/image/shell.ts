import { execFileSync } from 'node:child_process';

/** Runs a program to its end, and returns its output. Throws with what it said last. */
export function run(program: string, args: readonly string[], options: { readonly cwd?: string } = {}): string {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
      ...options,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`${program} ${args.slice(0, 6).join(' ')} failed:\n${said}`);
  }
}
