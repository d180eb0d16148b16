import { Command } from 'commander';
import { loading, numberBetween } from './strict.ts';

/** `members grant` and `members revoke`: one grant for all members of a list. */

const commands = () => import('../commands/members-grants.ts');
const quantity = numberBetween(1, 9_999_999);

const LIST_EXIT_CODES = `
Exit code: 0 every row was done; 1 some were not, and each is listed; 2 the command could not run.`;

export function grantCommand(): Command {
  return onList(new Command('grant'))
    .description('give one grant to every member of a list; a member who has it gets nothing new')
    .option('--grant-id <id>', 'its name; each member has it once (default: the benefit)')
    .option('--quantity <n>', 'number of baskets in which the benefit may apply (default: unlimited)', quantity)
    .option('--from <day>', 'the first day, such as 2026-12-01')
    .option('--to <day>', 'the last day')
    .action(loading('members', async () => (await commands()).grant));
}

export function revokeCommand(): Command {
  return onList(new Command('revoke'))
    .description('remove all grants of a benefit from every member of a list, and report who has used them')
    .option('--grant-id <id>', 'only the grants with this name')
    .action(loading('members', async () => (await commands()).revoke));
}

function onList(command: Command): Command {
  return command
    .argument('<benefit>', 'a benefitId')
    .argument('<file>', 'CSV with a column loyaltyId, one loyalty ID per line, or NDJSON (.ndjson)')
    .option('--programme <id>', 'unset: the only programme with the benefit')
    .option('--dry-run', 'report what would change and write nothing')
    .option('--report <file>', 'write the result of each row, as CSV')
    .addHelpText('after', LIST_EXIT_CODES);
}
