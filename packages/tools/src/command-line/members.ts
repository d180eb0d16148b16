import { type Command, Option } from 'commander';
import { loading, numberBetween } from './strict.ts';

const IMPORT_EXIT_CODES = `
Exit code: 0 every row was imported; 1 some were rejected, and each is listed; 2 the command could not run.`;

const LIST_EXIT_CODES = `
Exit code: 0 every row was done; 1 some were not, and each is listed; 2 the command could not run.`;

const EXIT_CODES = `
Exit code: 0 done; 2 the command could not run.`;

const lists = () => import('../commands/members-grants.ts');
const actions = () => import('../commands/member-actions.ts');

/** `members`: imports, exports and changes the members of the running service's Redis. */
export function addMembersCommand(program: Command): void {
  const members = program.command('members').description("manage the members in the running service's Redis");
  members
    .command('import')
    .description('validate and write members; a row changes only the fields that it contains')
    .argument('<file>', 'NDJSON or CSV, - for standard input')
    .addOption(new Option('--format <kind>', "unset: by the file's name, NDJSON otherwise").choices(['ndjson', 'csv']))
    .option('--programme <id>', 'the programme of rows without one; rows of others are rejected')
    .option('--dry-run', 'check every row, report what would change and write nothing')
    .option('--rejects <file>', 'the file for rejected rows (default: <input>.rejects.ndjson)')
    .option('--replace', 'a row replaces everything that is stored of its member')
    .option('--keep-ended', 'keep grants of unknown benefits as ended')
    .option('--allow-rejects', 'exit code 0 although rows were rejected')
    .option('--resume', 'continue an interrupted import')
    .option('--rate <n>', 'maximum rows per second; leaves Redis capacity for live calls', numberBetween(1, 9_999_999))
    .addHelpText('after', IMPORT_EXIT_CODES)
    .action(loading('members', async () => (await import('../commands/members-import.ts')).importMembersFrom));
  members
    .command('export')
    .description('write every stored member as NDJSON, which import can read')
    .option('--programme <id>', 'only its members')
    .option('--out <file>', '- is standard output', '-')
    .addHelpText('after', EXIT_CODES)
    .action(loading('members', async () => (await import('../commands/members-export.ts')).exportMembersTo));
  onList(members.command('grant'))
    .description('give one grant to every member of a list; a member who has it gets nothing new')
    .option('--grant-id <id>', 'its name; each member has it once (default: the benefit)')
    .option(
      '--quantity <n>',
      'number of baskets in which the benefit may apply (default: unlimited)',
      numberBetween(1, 9_999_999),
    )
    .option('--from <day>', 'the first day, such as 2026-12-01')
    .option('--to <day>', 'the last day')
    .action(loading('members', async () => (await lists()).grant));
  onList(members.command('revoke'))
    .description('remove all grants of a benefit from every member of a list, and report who has used them')
    .option('--grant-id <id>', 'only the grants with this name')
    .action(loading('members', async () => (await lists()).revoke));
  ofOne(members.command('merge'))
    .description('merge a member into another one; calls with its loyalty ID are then answered as the other')
    .argument('<old>', 'the loyalty ID that is merged into the other')
    .argument('<new>', 'the loyalty ID that stays')
    .action(loading('members', async () => (await actions()).merge));
  ofOne(members.command('give-back'))
    .description('give back a use of a limit or a grant')
    .argument('<id>', 'a loyalty ID')
    .argument('<counter>', 'a benefitId, limitId or grantId, or the full name of the counter')
    .option('--units <n>', 'baskets, items or minor units', numberBetween(1, 999_999), 1)
    .requiredOption('--reason <text>', 'stands in the list of changes')
    .action(loading('members', async () => (await actions()).giveBackUse));
  ofOne(members.command('copy'))
    .description('write everything about one member, as JSON')
    .argument('<id>', 'a loyalty ID')
    .option('--out <file>', '- is standard output', '-')
    .action(loading('members', async () => (await actions()).copy));
  ofOne(members.command('erase'))
    .description('erase one member, and write a certificate of the erasure')
    .argument('<id>', 'a loyalty ID')
    .requiredOption('--certificate <file>', '- is standard output')
    .action(loading('members', async () => (await actions()).erase));
}

/** One grant for all members of a list. */
function onList(command: Command): Command {
  return command
    .argument('<benefit>', 'a benefitId')
    .argument('<file>', 'CSV with a column loyaltyId, one loyalty ID per line, or NDJSON (.ndjson)')
    .option('--programme <id>', 'unset: the only programme with the benefit')
    .option('--dry-run', 'report what would change and write nothing')
    .option('--report <file>', 'write the result of each row, as CSV')
    .addHelpText('after', LIST_EXIT_CODES);
}

/** What is done to one member. */
function ofOne(command: Command): Command {
  return command.option('--programme <id>', 'unset: the only one with the member').addHelpText('after', EXIT_CODES);
}
