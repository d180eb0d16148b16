import { Command } from 'commander';
import { loading, numberBetween } from './strict.ts';

/** What is done to one member: `members merge`, `give-back`, `copy` and `erase`. */

const EXIT_CODES = `
Exit code: 0 done; 2 the command could not run.`;

const commands = () => import('../commands/member-actions.ts');

export function mergeCommand(): Command {
  return ofOne(new Command('merge'))
    .description('merge a member into another one; calls with its loyalty ID are then answered as the other')
    .argument('<old>', 'the loyalty ID that is merged into the other')
    .argument('<new>', 'the loyalty ID that stays')
    .action(loading('members', async () => (await commands()).merge));
}

export function giveBackCommand(): Command {
  return ofOne(new Command('give-back'))
    .description('give back a use of a limit or a grant')
    .argument('<id>', 'a loyalty ID')
    .argument('<counter>', 'a benefitId, limitId or grantId, or the full name of the counter')
    .option('--units <n>', 'baskets, items or minor units', numberBetween(1, 999_999), 1)
    .requiredOption('--reason <text>', 'stands in the list of changes')
    .action(loading('members', async () => (await commands()).giveBackUse));
}

export function copyCommand(): Command {
  return ofOne(new Command('copy'))
    .description('write everything about one member, as JSON')
    .argument('<id>', 'a loyalty ID')
    .option('--out <file>', '- is standard output', '-')
    .action(loading('members', async () => (await commands()).copy));
}

export function eraseCommand(): Command {
  return ofOne(new Command('erase'))
    .description('erase one member, and write a certificate of the erasure')
    .argument('<id>', 'a loyalty ID')
    .requiredOption('--certificate <file>', '- is standard output')
    .action(loading('members', async () => (await commands()).erase));
}

function ofOne(command: Command): Command {
  return command.option('--programme <id>', 'unset: the only one').addHelpText('after', EXIT_CODES);
}
