import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander';

/** How every command line of ours answers: help is no failure, and what cannot be used is one line and exit code 2. */

const EXIT_USAGE = 2;

/** For the benchmark, whose own packages bring an older commander that its files would find first. */
export { Command };

/**
 * Parses `args` (without the program's own name) and runs the command that they name. Sets `process.exitCode`. `name`
 * signs what is said of the program itself; a subcommand signs with its own.
 */
export async function runCommandLine(program: Command, name: string, args: readonly string[]): Promise<void> {
  makeStrict(program, name);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has told the person already, through `outputError`.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
}

/**
 * What an action returns becomes the exit code, and what it throws one line under the command's name. Such a failure is
 * `failureCode`: 2 says that the work could not be done, where 1 already says something about its result.
 */
export function running<Args extends unknown[]>(
  name: string,
  run: (...args: Args) => Promise<number>,
  failureCode: number = EXIT_USAGE,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      process.exitCode = await run(...args);
    } catch (error) {
      process.stderr.write(`${name}: ${(error as Error).message}\n`);
      process.exitCode = failureCode;
    }
  };
}

/** For an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Names what an option may be, for help and completion. The command itself refuses anything else, in its own words. */
export function offering(option: Option, values: readonly string[]): Option {
  return option.choices(values).argParser((text: string) => text);
}

function makeStrict(command: Command, name: string): void {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(`${name}: ${inOneLine(text)}\n`) });
  for (const option of command.options) if (option.required) refuseOptionsAsValue(option);
  const isRoot = command.parent === null;
  for (const below of command.commands) makeStrict(below, isRoot ? below.name() : name);
}

function inOneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
}

/** Commander takes whatever follows as the value, so that `--out --resume` would write a file of that name. */
function refuseOptionsAsValue(option: Option): void {
  const { parseArg } = option;
  option.argParser((text: string, before: unknown) => {
    if (text.startsWith('--')) throw new InvalidArgumentError('A value is missing before it.');
    return parseArg ? parseArg(text, before as never) : text;
  });
}
