import { Command, Option } from 'commander';
import type { ExportArguments } from '../commands/members-export.ts';
import type { ImportArguments } from '../commands/members-import.ts';
import { copyCommand, eraseCommand, giveBackCommand, mergeCommand } from './member-actions.ts';
import { grantCommand, revokeCommand } from './member-lists.ts';
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
    .addCommand(revokeCommand())
    .addCommand(mergeCommand())
    .addCommand(giveBackCommand())
    .addCommand(copyCommand())
    .addCommand(eraseCommand());
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
