import { Command } from 'commander';
import { conformanceCommand, doubleCommand } from '../../../conformance/src/command-line.ts';
import { demoCommand, loadCommand } from './caller.ts';
import { membersCommand } from './members.ts';
import {
  backtestCommand,
  capacityCommand,
  checkCommand,
  eventsCommand,
  priceCommand,
  reconcileCommand,
  schemaCommand,
} from './programme.ts';

/**
 * The `loyalty` command line: names, options and help of all commands. The code of a command is imported when it is
 * called, so that `--help` is fast.
 */
export function createProgram(): Command {
  return (
    new Command('npx loyalty')
      .description('Commands around the loyalty basket gateway.')
      // Else options behind `conformance serve` that the kit has too would be the kit's.
      .enablePositionalOptions()
      .addCommand(membersCommand())
      .addCommand(checkCommand())
      .addCommand(schemaCommand())
      .addCommand(priceCommand())
      .addCommand(backtestCommand())
      .addCommand(reconcileCommand())
      .addCommand(eventsCommand())
      .addCommand(conformanceCommand('conformance'))
      .addCommand(doubleCommand('double'))
      .addCommand(demoCommand())
      .addCommand(loadCommand())
      .addCommand(capacityCommand())
  );
}
