import { availableParallelism } from 'node:os';
import { MAX_LINES } from '@loyalty/contract/limits';
import { Command, Option } from 'commander';
import { conformanceCommand, doubleCommand } from '../../../conformance/src/command-line.ts';
import { addMembersCommand } from './members.ts';
import { collect, loading, numberBetween, webAddress } from './strict.ts';

const MOST_SECONDS = 86_400;
const MOST_SEED = 2 ** 31;
const MOST_THREADS = 64;

/**
 * The `loyalty` command line: names, options and help of all commands. The code of a command is imported when it is
 * called, so that `--help` is fast.
 */
export function createProgram(): Command {
  const program = new Command('npx loyalty')
    .description('Commands around the loyalty basket gateway.')
    // Else options behind `conformance serve` that the kit has too would be the kit's.
    .enablePositionalOptions();
  addMembersCommand(program);
  addProgrammeCommands(program);
  addBookCommands(program);
  program.addCommand(conformanceCommand('conformance')).addCommand(doubleCommand('double'));
  addLoadCommands(program);
  return program;
}

/** What is done with a configuration: it is checked, and baskets are priced by it. */
function addProgrammeCommands(program: Command): void {
  program
    .command('check')
    .description('report every error in a configuration, plus warnings')
    .argument('[config]', 'a file, or a folder of .yaml files that are one environment (LOYALTY_CONFIG)')
    .option('--members <members.ndjson>', 'tiers and grants of members, as members export writes them')
    .option('--against <config>', 'the configuration in force, to see which limits would begin again')
    .option('--json', 'print JSON, for other programs')
    .addHelpText('after', '\nExit code: 0 no errors (there may be warnings); 1 errors; 2 it could not be checked.')
    .action(loading('check', async () => (await import('../commands/check.ts')).check));
  program
    .command('schema')
    .description('write the JSON Schema with which editors complete and validate configuration files')
    .option('--events', 'write the JSON Schema of the events of the event stream instead')
    .option('--out <file>', '- is standard output', '-')
    .action(loading('schema', async () => (await import('../commands/schema.ts')).writeSchema));
  program
    .command('price')
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
  program
    .command('backtest')
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

/** What is read of the books of a running service. */
function addBookCommands(program: Command): void {
  program
    .command('reconcile')
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
  program
    .command('events')
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

/** What loads a service, or plans a load. */
function addLoadCommands(program: Command): void {
  program
    .command('demo')
    .description('three checkouts, each basket before and after, then a busy day in a shop')
    .option('--seconds <n>', 'seconds for which the shop is open', numberBetween(1, MOST_SECONDS), 20)
    .option('--tills <n>', 'number of tills', numberBetween(1, 500), 8)
    .option(
      '--base-url <url>',
      'the service; it is started if nothing answers there. Default: the one at PORT (8080), or a new one on a free port',
      webAddress,
    )
    .option('--secret-file <file>', 'the file with its secret (default: secret in DATA_DIR, .data)')
    .option('--config <file>', 'the file of its environment, for venue, members and rate limit', 'config/staging.yaml')
    .addOption(
      new Option('--seed <n>', 'the same seed gives the same guests')
        .argParser(numberBetween(0, MOST_SEED))
        .default(Date.now() % 1_000_000, 'by the clock'),
    )
    .addHelpText(
      'after',
      '\nExit code: 0 every sale was settled once; 1 some were not, or the demo could not run; 2 usage.',
    )
    .action(loading('demo', async () => (await import('../commands/demo.ts')).demo, 1));
  const perSecond = numberBetween(1, 100_000);
  program
    .command('load')
    .description('load a running deployment with signed baskets, and report the latencies that callers see')
    .requiredOption('--base-url <url>', 'the deployment, without /v1/pos/basket', webAddress)
    .requiredOption('--secret-file <file>', "a file with the environment's secret")
    .option(
      '--rate <n>',
      'calls per second, independent of the answers; or max: as fast as the deployment answers',
      (text) => (text === 'max' ? text : perSecond(text)),
      50,
    )
    .option('--duration <seconds>', 'how long', numberBetween(1, MOST_SECONDS), 60)
    .option('--lines <n>', 'lines of the generated baskets', numberBetween(1, MAX_LINES), 20)
    .option(
      '--members <ids.txt>',
      'loyalty IDs, one per line (default: the test members of staging, or those of the baskets)',
    )
    .option(
      '--baskets <baskets.ndjson>',
      'your own baskets instead of generated ones: one body of a basket call per line',
    )
    .option('--sales', 'also report the sale of every answered basket')
    .option('--connections <n>', 'maximum number of connections', numberBetween(1, 10_000), 64)
    .option('--config <file>', 'the environment whose first venue is used for generated baskets', 'config/staging.yaml')
    .option('--venue <id>', 'another venue')
    .option('--bax <id>', 'another terminal setup')
    .option('--currency <code>', 'another currency')
    .option('--ca <file>', 'a certificate authority to trust (PEM)')
    .option('--out <folder>', 'the folder for the distributions (.hgrm) and the picture (.svg)', 'load')
    .option('--seed <n>', 'the same seed gives the same baskets and times', numberBetween(0, MOST_SEED), 1)
    .option('--yes-production', 'permit a deployment that is not staging')
    .addHelpText(
      'after',
      `
Latencies count from the time at which a call was due, so pauses of the deployment are visible.
Exit code: 0 every call was answered 200, 429 or 503; 1 one was not, or an answer was wrong; 2 the command could not run.`,
    )
    .action(loading('load', async () => (await import('../commands/load.ts')).load));
  const decimal = (most: number) => numberBetween(0, most, false);
  program
    .command('capacity')
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
