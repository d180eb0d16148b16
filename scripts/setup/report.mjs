import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockOwnerFile, toolchain } from './paths.mjs';

/** A fault that the user can fix: one line with the failure and the remedy. */
export class SetupError extends Error {}

/**
 * Prints the one line of a step that changes something.
 * @param {string} line
 */
export function announce(line) {
  console.log(`set-up: ${line}`);
}

/**
 * Runs a command to its end and holds back its output. A failure is a SetupError: one line made of `failure`, the
 * command's own first complaint, and the file with its whole output.
 *
 * The command outlives a set-up that is killed and goes on writing. So its process id is stored with the lock, which
 * then stays taken until the command has ended too. The command's shell stores the id before it becomes the command,
 * because only the shell knows it in time.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, failure: string }} options
 */
export function runQuietly(command, args, { env = process.env, cwd, failure }) {
  const result = spawnSync('sh', ['-c', 'echo $$ >"$0" && exec "$@"', lockOwnerFile(process.pid), command, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) return;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  const log = join(toolchain, 'setup.log');
  mkdirSync(toolchain, { recursive: true });
  writeFileSync(log, `${[command, ...args].join(' ')}\n${output}`);
  const reason = result.error?.message ?? firstComplaint(output) ?? `ended with ${result.signal ?? result.status}`;
  throw new SetupError(`${failure}: ${reason} (all output is in ${log})`);
}

/**
 * Finds the first line of npm's, apt's or brew's output that describes the error.
 * @param {string} output
 */
function firstComplaint(output) {
  const complaint = /^(?:npm (?:error|ERR!)|E:|Error:) +(?!code |errno |syscall |path )(.+)$/m.exec(output);
  return complaint?.[1]?.trim();
}
