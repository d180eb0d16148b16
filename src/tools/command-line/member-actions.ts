import { Command } from 'commander';
import type { ActionArguments } from '../commands/member-actions.ts';
import { running } from './strict.ts';

/** What is done to one member: `members merge`, `give-back`, `copy` and `erase`. */

const EXIT_CODES = `
Exit code: 0 done; 2 the command could not run.`;

const load = () => import('../commands/member-actions.ts');

export function mergeCommand(): Command {
  return ofOne(new Command('merge'))
    .description('merge a member into another one; calls with its loyalty ID are then answered as the other')
    .argument('<old>', 'the loyalty ID that is merged into the other')
    .argument('<new>', 'the loyalty ID that stays')
    .action(
      running('members', async (oldId: string, newId: string, options: ActionArguments) => {
        return (await load()).merge(oldId, newId, options);
      }),
    );
}

export function giveBackCommand(): Command {
  return ofOne(new Command('give-back'))
    .description('give back a use of a limit or a grant')
    .argument('<id>', 'a loyalty ID')
    .argument('<counter>', 'a benefitId, limitId or grantId, or the full name of the counter')
    .option('--units <n>', 'baskets, items or minor units', '1')
    .requiredOption('--reason <text>', 'stands in the list of changes')
    .action(
      running('members', async (id: string, counter: string, options: ActionArguments & GiveBack) => {
        return (await load()).giveBackUse(id, counter, options);
      }),
    );
}

interface GiveBack {
  readonly units: string;
  readonly reason: string;
}

export function copyCommand(): Command {
  return ofOne(new Command('copy'))
    .description('write everything about one member, as JSON')
    .argument('<id>', 'a loyalty ID')
    .option('--out <file>', '- is standard output', '-')
    .action(
      running('members', async (id: string, options: ActionArguments & { readonly out: string }) => {
        return (await load()).copy(id, options);
      }),
    );
}

export function eraseCommand(): Command {
  return ofOne(new Command('erase'))
    .description('erase one member, and write a certificate of the erasure')
    .argument('<id>', 'a loyalty ID')
    .requiredOption('--certificate <file>', '- is standard output')
    .action(
      running('members', async (id: string, options: ActionArguments & { readonly certificate: string }) => {
        return (await load()).erase(id, options);
      }),
    );
}

function ofOne(command: Command): Command {
  return command.option('--programme <id>', 'unset: the only one').addHelpText('after', EXIT_CODES);
}
