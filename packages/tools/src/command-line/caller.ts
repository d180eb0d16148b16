import { MAX_LINES } from '@loyalty/contract/limits';
import { Command, Option } from 'commander';
import { loading, numberBetween, webAddress } from './strict.ts';

const MOST_SECONDS = 86_400;
const MOST_SEED = 2 ** 31;

/** `demo`: a shop full of tills. */
export function demoCommand(): Command {
  return new Command('demo')
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
}

/** `load`: a load test of a running deployment. */
export function loadCommand(): Command {
  const perSecond = numberBetween(1, 100_000);
  return new Command('load')
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
}
