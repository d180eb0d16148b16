import type { Command } from 'commander';
import { doubleCommandOf } from './double/options.ts';
import { type KitArguments, kitCommandOf } from './kit/options.ts';

/** The command lines of kit and double. Their code is loaded when they are called. */

const write = (text: string): void => void process.stdout.write(text);

/** The kit, and below it `serve`, the double. */
export function conformanceCommand(name: string): Command {
  return kitCommandOf(name)
    .enablePositionalOptions()
    .addCommand(doubleCommand('serve'))
    .action(async (options: KitArguments, command: Command) => {
      const { runKit } = await import('./kit.ts');
      process.exitCode = await runKit(options, write, command.helpInformation());
    });
}

/** The double, under a name of the caller's choice. */
export function doubleCommand(name: string): Command {
  return doubleCommandOf(name).action(async (options, command: Command) => {
    const { runDouble } = await import('./double/serve.ts');
    process.exitCode = await runDouble(options, write, command.helpInformation());
  });
}
