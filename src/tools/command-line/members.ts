import { Command, Option } from 'commander';
import { copyCommand, eraseCommand, giveBackCommand, mergeCommand } from './member-actions.ts';
import { grantCommand, revokeCommand } from './member-lists.ts';
import { loading, numberBetween } from './strict.ts';

const IMPORT_EXIT_CODES = `
Exit code: 0 every row was imported; 1 some were rejected, and each is listed; 2 the command could not run.`;

const EXPORT_EXIT_CODES = `
Exit code: 0 done; 2 the command could not run.`;

/** `members`: imports, exports and changes the members of the running service's Redis. */
export function membersCommand(): Command {
  return new Command('members')
    .description("manage the members in the running service's Redis")
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
}

function exportCommand(): Command {
  return new Command('export')
    .description('write every stored member as NDJSON, which import can read')
    .option('--programme <id>', 'only its members')
    .option('--out <file>', '- is standard output', '-')
    .addHelpText('after', EXPORT_EXIT_CODES)
    .action(loading('members', async () => (await import('../commands/members-export.ts')).exportMembersTo));
}
