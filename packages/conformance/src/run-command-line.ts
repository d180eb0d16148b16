import { type Command, CommanderError } from 'commander';
import { conformanceCommand } from './command-line.ts';
import { endWithNpm } from './end-with-npm.ts';

/**
 * `npx loyalty-conformance`: the arguments go to the kit, which runs the contract against a deployment; after `serve` they
 * go to the service double, which misbehaves on demand.
 */

const USAGE_EXIT_CODE = 2;

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
