import { Command, Option } from 'commander';
import type { ExportArguments } from '../commands/members-export.ts';
import type { GrantArguments } from '../commands/members-grants.ts';
import type { ImportArguments } from '../commands/members-import.ts';
import { offering, running } from './strict.ts';

const IMPORT_EXIT_CODES = `
Exit code: 0 every row was taken; 1 rows were not taken, and are named; 2 it could not be done.`;

const EXPORT_EXIT_CODES = `
Exit code: 0 done; 2 it could not be done.`;

/** `members`: imports, exports and changes the members of the running service's Redis. */
export function membersCommand(): Command {
  return new Command('members')
    .description("the members of the running service's Redis")
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(grantCommand())
    .addCommand(revokeCommand());
}

function importCommand(): Command {
  return new Command('import')
    .description('check members and write them; a row changes what it names, and nothing else')
    .argument('<file>', 'NDJSON or CSV, - for standard input')
    .addOption(
      offering(new Option('--format <kind>', "unset: by the file's name, NDJSON otherwise"), ['ndjson', 'csv']),
    )
    .option('--programme <id>', 'the programme of rows that name none; others are rejected')
    .option('--dry-run', 'check every row, report what would change and write nothing')
    .option('--rejects <file>', 'where rows that were not taken are named (<input>.rejects.ndjson)')
    .option('--replace', 'a row takes the place of all that is stored of its member')
    .option('--keep-ended', 'grants of benefits that the configuration does not have are kept as ended')
    .option('--allow-rejects', 'exit code 0 even when rows were not taken')
    .option('--resume', 'go on where a killed import was')
    .option('--rate <n>', 'at most so many rows a second, to leave a busy Redis room for calls')
    .addHelpText('after', IMPORT_EXIT_CODES)
    .action(
      running('members', async (file: string, options: ImportArguments) => {
        const { importMembersFrom } = await import('../commands/members-import.ts');
        return importMembersFrom(file, options);
      }),
    );
}

function exportCommand(): Command {
  return new Command('export')
    .description('every stored member as NDJSON, as import reads it')
    .option('--programme <id>', 'only its members')
    .option('--out <file>', '- is standard output', '-')
    .addHelpText('after', EXPORT_EXIT_CODES)
    .action(
      running('members', async (options: ExportArguments) => {
        const { exportMembersTo } = await import('../commands/members-export.ts');
        return exportMembersTo(options);
      }),
    );
}

const LIST_EXIT_CODES = `
Exit code: 0 every row was done; 1 rows were not, and are named; 2 it could not be done.`;

function grantCommand(): Command {
  return onList(new Command('grant'))
    .description('give one grant to every member of a list; whoever has it already gets nothing new')
    .option('--grant-id <id>', 'its name, under which each member has it once (the benefit)')
    .option('--quantity <n>', 'baskets in which the benefit may apply; without it any number')
    .option('--from <day>', 'the first day, such as 2026-12-01')
    .option('--to <day>', 'the last day')
    .action(runningList('grant'));
}

function revokeCommand(): Command {
  return onList(new Command('revoke'))
    .description('take all grants of a benefit from every member of a list, and say who has used them')
    .option('--grant-id <id>', 'only the grants with this name')
    .action(runningList('revoke'));
}

function onList(command: Command): Command {
  return command
    .argument('<benefit>', 'a benefitId')
    .argument('<file>', 'CSV with a column loyaltyId, or a loyalty ID a line; NDJSON by its name')
    .option('--programme <id>', 'unset: the only programme with the benefit')
    .option('--dry-run', 'report what would change and write nothing')
    .option('--report <file>', 'what became of each row, as CSV')
    .addHelpText('after', LIST_EXIT_CODES);
}

function runningList(kind: 'grant' | 'revoke') {
  return running('members', async (benefitId: string, file: string, options: GrantArguments) => {
    const { changeGrantsOf } = await import('../commands/members-grants.ts');
    return changeGrantsOf(kind, benefitId, file, options);
  });
}
