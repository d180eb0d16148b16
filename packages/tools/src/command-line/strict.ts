import { baseUrlFlaw } from '@loyalty/contract/base-url';
import { type Argument, Command, CommanderError, InvalidArgumentError, type Option } from 'commander';

/** The common behaviour of our command lines: help succeeds, and wrong usage is one line and exit code 2. */

const EXIT_USAGE = 2;
/** As a shell tells the end by SIGPIPE. */
const EXIT_CLOSED_PIPE = 141;

/** Exported for the benchmark: its files would otherwise find the older commander among its own packages. */
export { Command };

/**
 * Parses `args` (without the program's own name) and runs the named command. Sets `process.exitCode`. `name` prefixes
 * messages about the program itself; a subcommand prefixes its own name.
 */
export async function runCommandLine(program: Command, name: string, args: readonly string[]): Promise<void> {
  makeStrict(program, name);
  process.stdout.on('error', endWithoutReader);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed the message already, through `outputError`.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
}

/** Nobody reads on, as after `| head`: ends as other programs do. */
function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT_CLOSED_PIPE);
  throw error;
}

/**
 * Wraps an action. Its result becomes the exit code; an error becomes one line under the command's name and
 * `failureCode`. The code 2 means that the work failed, where 1 is a statement about its result.
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

/** Collects the values of a repeatable option. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Wraps an action whose code is imported when it is called, so that help is fast. */
export function loading<Args extends unknown[]>(
  name: string,
  load: () => Promise<(...args: Args) => Promise<number> | number>,
  failureCode: number = EXIT_USAGE,
): (...args: Args) => Promise<void> {
  return running(name, async (...args: Args) => (await load())(...args), failureCode);
}

/** Reads the value of an option that is a number within bounds. */
export function numberBetween(least: number, most: number, isWhole = true): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const isNumber = isWhole ? /^\d+$/.test(text) : /^\d+(?:\.\d+)?$/.test(text);
    if (isNumber && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Allowed: a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
  };
}

/** Reads the value of an option that is the address of a service. */
export function webAddress(text: string): string {
  const flaw = baseUrlFlaw(text);
  if (flaw === undefined) return text;
  throw new InvalidArgumentError(`It ${flaw}. Allowed: http://host:port or https://host.`);
}

function makeStrict(command: Command, name: string): void {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(`${name}: ${inOneLine(text)}\n`) });
  for (const option of command.options) if (option.required) refuseMissingValue(option);
  for (const argument of command.registeredArguments) refuseEmpty(argument);
  const isRoot = command.parent === null;
  for (const below of command.commands) makeStrict(below, isRoot ? below.name() : name);
}

function inOneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
}

/**
 * Refuses another option as the value of an option: commander would accept it, and `--out --resume` would write a file
 * of that name. An empty value is a variable of a script that is not set.
 */
function refuseMissingValue(option: Option): void {
  const { parseArg } = option;
  option.argParser((text: string, before: unknown) => {
    if (text === '') throw new InvalidArgumentError('A value is missing.');
    if (text.startsWith('--')) throw new InvalidArgumentError('A value is missing before it.');
    return parseArg ? parseArg(text, before as never) : text;
  });
}

/** Refuses an empty argument, and collects those of a list. */
function refuseEmpty(argument: Argument): void {
  argument.argParser((text: string, before: unknown): unknown => {
    if (text === '') throw new InvalidArgumentError('A value is missing.');
    return argument.variadic ? collect(text, before as string[] | undefined) : text;
  });
}
