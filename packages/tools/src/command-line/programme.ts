import { availableParallelism } from 'node:os';
import { MAX_LINES } from '@loyalty/contract/limits';
import { Command, Option } from 'commander';
import { collect, loading, numberBetween } from './strict.ts';

const MOST_THREADS = 64;

/** `check`: every fault and warning of an environment. */
export function checkCommand(): Command {
  return new Command('check')
    .description('report every error in a configuration, plus warnings')
    .argument('[config]', 'a file, or a folder of .yaml files that are one environment (LOYALTY_CONFIG)')
    .option('--members <members.ndjson>', 'tiers and grants of members, as members export writes them')
    .option('--against <config>', 'the configuration in force, to see which limits would begin again')
    .option('--json', 'print JSON, for other programs')
    .addHelpText('after', '\nExit code: 0 no errors (there may be warnings); 1 errors; 2 it could not be checked.')
    .action(loading('check', async () => (await import('../commands/check.ts')).check));
}

/** `schema`: the JSON Schema of configuration files. */
export function schemaCommand(): Command {
  return new Command('schema')
    .description('write the JSON Schema with which editors complete and validate configuration files')
    .option('--events', 'write the JSON Schema of the events of the event stream instead')
    .option('--out <file>', '- is standard output', '-')
    .action(loading('schema', async () => (await import('../commands/schema.ts')).writeSchema));
}

/** `price`: prices a basket without a service. */
export function priceCommand(): Command {
  return new Command('price')
    .description('price a basket without a service; --explain shows why')
    .argument('<basket.json>', 'the body of a basket call, or a short basket as the pages show it')
    .option('--config <file>', 'the environment, a file or a folder', 'config/staging.yaml')
    .option('--member <loyaltyId>', "use this member instead of the basket's")
    .option('--tier <tier>', 'use a member that is in no file: active, with this tier')
    .option('--grant <benefitId>', 'use a member that is in no file, with this grant; can be repeated', collect)
    .option('--status <status>', 'use a member that is in no file: active, paused, expired or blocked')
    .option('--left <benefitId=n>', 'remaining uses of a limited benefit; can be repeated', collect)
    .option('--clock-off', 'price as if the clock of the till were too far off')
    .option('--json', 'print the decision as JSON')
    .option('--explain', 'show every change with its benefit, and the reason for every other benefit')
    .addHelpText('after', '\nExit code: 0 priced; 1 unknown member; 2 the command could not run.')
    .action(loading('price', async () => (await import('../commands/price.ts')).price));
}

/** `backtest`: prices recorded baskets with a draft. */
export function backtestCommand(): Command {
  return new Command('backtest')
    .description('price recorded baskets with a draft and with the programme in force, and compare')
    .argument('<baskets.ndjson...>', 'recordings, or bodies of basket calls, one per line')
    .requiredOption('--config <draft.yaml>', 'the draft')
    .option('--against <current.yaml>', 'the configuration to compare with (LOYALTY_CONFIG)')
    .option('--members <members.ndjson>', 'members of plain baskets, as members export writes them')
    .option('--out <folder>', 'the folder for the report, the costs by day and the differing baskets', 'rehearsal')
    .addOption(
      new Option('--threads <n>', 'number of pricing threads')
        .argParser(numberBetween(1, MOST_THREADS))
        .default(Math.min(MOST_THREADS, availableParallelism()), 'one per core'),
    )
    .addHelpText('after', '\nExit code: 0 done; 1 no basket could be priced; 2 the command could not run.')
    .action(loading('backtest', async () => (await import('../commands/backtest.ts')).backtest));
}

/** `reconcile`: compares the caller's transactions with ours. */
export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description("compare the caller's finalised transactions with the service's records")
    .argument('<transactions.ndjson>', 'one transaction per line')
    .option('--out <file>', 'output, one line per finding', 'findings.ndjson')
    .option(
      '--from <day>',
      'the first day of which the file should have all sales (without --from and --to: its own days)',
    )
    .option('--to <day>', 'the last day of which the file should have all sales')
    .addHelpText(
      'after',
      '\nExit code: 0 the records agree; 1 findings, or rows that could not be read; 2 the command could not run.',
    )
    .action(loading('reconcile', async () => (await import('../commands/reconcile.ts')).reconcileTransactions));
}

/** `events`: the event streams as NDJSON. */
export function eventsCommand(): Command {
  return new Command('events')
    .description('write the event stream as NDJSON, once or as it grows')
    .option('--from <id|instant>', 'the first event, by its ID or by time (default: the oldest that is kept)')
    .option('--follow', 'go on with new events until it is stopped')
    .option('--out <file>', 'output, to which it appends; - is standard output', '-')
    .addHelpText(
      'after',
      `
A file that has events already is continued behind its last one, whatever --from says.
Events of one stream are in order; those of different streams may be out of order. An event can come twice.
Exit code: 0 done; 1 events may have been removed before they were read; 2 the command could not run.`,
    )
    .action(loading('events', async () => (await import('../commands/events.ts')).exportEvents));
}

/** `capacity`: what a load needs under the settings. */
export function capacityCommand(): Command {
  const decimal = (most: number) => numberBetween(0, most, false);
  return new Command('capacity')
    .description('print the memory, disks and cores that a load needs with the current settings')
    .option('--baskets-per-second <n>', 'basket calls per second, as the average of a day', decimal(1_000_000), 50)
    .option('--lines <n>', 'lines of a basket', numberBetween(1, MAX_LINES), 20)
    .option('--uuid-lines', 'lineIds are UUIDs instead of short numbers')
    .option('--unsold <percent>', 'baskets that are not sold (superseded or abandoned)', decimal(100), 0)
    .option('--returned <percent>', 'sales with a return', decimal(100), 2)
    .option('--members <n>', 'members in Redis', numberBetween(0, 10_000_000_000), 0)
    .option('--config <path>', 'the environment, a file or a folder (LOYALTY_CONFIG)')
    .option('--json', 'print JSON, for other programs')
    .addHelpText(
      'after',
      `
The settings are the environment variables of the service (LOG_LEVEL, RECORD_FILE, PROCESSES, WORKERS) and its configuration:
idempotencyHours, retentionDays, returns.days, events.lines.
Exit code: 0 planned; 2 the command could not run.`,
    )
    .action(loading('capacity', async () => (await import('../commands/capacity.ts')).capacity));
}
