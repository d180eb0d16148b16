import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import type { BacktestArguments } from '../commands/backtest.ts';
import type { CheckArguments } from '../commands/check.ts';
import type { PriceArguments } from '../commands/price.ts';
import type { ReconcileArguments } from '../commands/reconcile.ts';
import { collect, running } from './strict.ts';

/** `check`: every fault and warning of an environment. */
export function checkCommand(): Command {
  return new Command('check')
    .description('check an environment: every fault at once, and what is probably not meant')
    .argument('[config]', 'a file, or a folder of .yaml files that are one environment (LOYALTY_CONFIG)')
    .option('--members <members.ndjson>', 'who has tiers and grants beside the files, as members export writes them')
    .option('--against <config>', 'the configuration in force, to see which limits would begin anew')
    .option('--json', 'as JSON, for other programs')
    .addHelpText('after', '\nExit code: 0 no fault, warnings at most; 1 faults; 2 it could not be checked.')
    .action(
      running('check', async (config: string | undefined, options: CheckArguments) => {
        const { check } = await import('../commands/check.ts');
        return check(config, options);
      }),
    );
}

/** `schema`: the JSON Schema of configuration files. */
export function schemaCommand(): Command {
  return new Command('schema')
    .description('write the JSON Schema by which editors complete and judge configuration files')
    .option('--out <file>', '- is standard output', '-')
    .action(
      running('schema', async (options: { readonly out: string }) => {
        const { writeSchema } = await import('../commands/schema.ts');
        return writeSchema(options);
      }),
    );
}

/** `price`: prices a basket without a service. */
export function priceCommand(): Command {
  return new Command('price')
    .description('price a basket without a service: before, after, and with --explain why')
    .argument('<basket.json>', 'the body of a basket call')
    .option('--config <file>', 'the environment, a file or a folder', 'config/staging.yaml')
    .option('--member <loyaltyId>', "another member than the basket's")
    .option('--tier <tier>', 'a member that is in no file: active, with this tier')
    .option('--grant <benefitId>', 'a member that is in no file: with this grant; may be given several times', collect)
    .option('--status <status>', 'a member that is in no file: active, paused, expired or blocked')
    .option('--left <benefitId=n>', 'so many uses of a limited benefit are left; may be given several times', collect)
    .option('--clock-off', 'as if the clock of the till were too far off')
    .option('--explain', 'every change with its benefit, and every benefit with its reason')
    .addHelpText('after', '\nExit code: 0 priced; 1 the member is not known; 2 it could not be done.')
    .action(
      running('price', async (file: string, options: PriceArguments) => {
        const { price } = await import('../commands/price.ts');
        return price(file, options);
      }),
    );
}

/** `backtest`: prices recorded baskets with a draft. */
export function backtestCommand(): Command {
  return new Command('backtest')
    .description('price recorded baskets with a draft and with the programme in force, and compare')
    .argument('<baskets.ndjson...>', 'recordings, or bodies of basket calls, one a line')
    .requiredOption('--config <draft.yaml>', 'the draft')
    .option('--against <current.yaml>', 'what it is compared with (LOYALTY_CONFIG)')
    .option('--members <members.ndjson>', 'members of plain baskets, as members export writes them')
    .option('--out <folder>', 'where report, picture and differing baskets go', 'rehearsal')
    .addOption(
      new Option('--threads <n>', 'how many threads price').default(String(availableParallelism()), 'one a core'),
    )
    .addHelpText('after', '\nExit code: 0 done; 1 not one basket could be priced; 2 it could not be done.')
    .action(
      running('backtest', async (files: readonly string[], options: BacktestArguments) => {
        const { backtest } = await import('../commands/backtest.ts');
        return backtest(files, options);
      }),
    );
}

/** `reconcile`: compares the caller's transactions with ours. */
export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description("compare the caller's finalised transactions with the service's books")
    .argument('<transactions.ndjson>', 'one transaction a line')
    .option('--out <file>', 'a line for each finding', 'findings.ndjson')
    .addHelpText(
      'after',
      '\nExit code: 0 the books agree; 1 findings, or rows that could not be read; 2 it could not run.',
    )
    .action(
      running('reconcile', async (file: string, options: ReconcileArguments) => {
        const { reconcileTransactions } = await import('../commands/reconcile.ts');
        return reconcileTransactions(file, options);
      }),
    );
}
