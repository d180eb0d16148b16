import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockOwnerFile, toolchain } from './paths.mjs';

/** A fault the user can do something about: one line that names what failed and what to do. */
export class SetupError extends Error {}

/**
 * Prints the one line of a step that really does something.
 * @param {string} line
 */
export function announce(line) {
  console.log(`set-up: ${line}`);
}

/**
 * Runs a command to its end with its output kept back. A failure is a SetupError: one line made of `failure`, the
 * command's own first complaint, and the file that holds all it printed.
 *
 * The command outlives a set-up that is killed and goes on writing. So its process id is noted with the lock, which then
 * stays taken until it has ended too; a shell that becomes the command notes it, since only it knows the number in time.
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
 * The first line of npm's, apt's or brew's output that says what is wrong in words.
 * @param {string} output
 */
function firstComplaint(output) {
  const complaint = /^(?:npm (?:error|ERR!)|E:|Error:) +(?!code |errno |syscall |path )(.+)$/m.exec(output);
  return complaint?.[1]?.trim();
}
