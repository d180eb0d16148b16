import { type Command, CommanderError } from 'commander';
import { conformanceCommand } from './command-line.ts';

/**
 * `npx loyalty-conformance`: the arguments go to the kit, which runs the contract against a deployment; after `serve` they
 * go to the service double, which misbehaves on demand.
 */

const USAGE_EXIT_CODE = 2;
/** How often it is looked whether npm has ended, in milliseconds. */
const INTERVAL_MS = 200;

/** Runs the command line of this process, and sets its exit code. */
export async function runCommandLine(): Promise<void> {
  endWithNpm(process.env);
  const command = conformanceCommand('npx loyalty-conformance');
  const throwInstead = (each: Command): void => {
    each.exitOverride();
    each.commands.forEach(throwInstead);
  };
  throwInstead(command);
  try {
    await command.parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A request for help ends with 0; every other error of the parser is a mistake in the command line.
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
  }
}

/**
 * `npx` and `npm run` start a command in a shell, and pass SIGTERM on to that shell alone: the shell ends, and the command
 * would go on without anybody to end it. So a command of npm's ends when its parent does, as if it had the signal itself.
 * A command that was sent to the background has another parent before this line, and goes on.
 */
function endWithNpm(env: NodeJS.ProcessEnv): void {
  if (env['npm_config_user_agent'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  watch.unref();
}
