import { Command, Option } from 'commander';
import type { DemoArguments } from '../commands/demo.ts';
import type { LoadArguments } from '../load/options.ts';
import { running } from './strict.ts';

/** `demo`: a shop full of tills. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('three checkouts, each basket before and after, then a busy day in a shop')
    .option('--seconds <n>', 'seconds for which the shop is open', '20')
    .option('--tills <n>', 'number of tills', '8')
    .option(
      '--base-url <url>',
      'the service; it is started if nothing answers there. Default: the one at PORT (8080), or a new one on a free port',
    )
    .option('--secret-file <file>', 'the file with its secret (default: secret in DATA_DIR, .data)')
    .option('--config <file>', 'the file of its environment, for venue, members and rate limit', 'config/staging.yaml')
    .addOption(
      new Option('--seed <n>', 'the same seed gives the same guests').default(
        String(Date.now() % 1_000_000),
        'by the clock',
      ),
    )
    .addHelpText(
      'after',
      '\nExit code: 0 every sale was settled once; 1 some were not, or the demo could not run; 2 usage.',
    )
    .action(
      running('demo', async (options: DemoArguments, command: Command) => {
        const { demo } = await import('../commands/demo.ts');
        return demo(options, command.helpInformation());
      }),
    );
}

/** `load`: a load test of a running deployment. */
export function loadCommand(): Command {
  return new Command('load')
    .description('load a running deployment with signed baskets, and report the latencies that callers see')
    .requiredOption('--base-url <url>', 'the deployment, without /v1/pos/basket')
    .requiredOption('--secret-file <file>', "a file with the environment's secret")
    .option(
      '--rate <n>',
      'calls per second, independent of the answers; or max: as fast as the deployment answers',
      '50',
    )
    .option('--duration <seconds>', 'how long', '60')
    .option('--lines <n>', 'lines of the generated baskets', '20')
    .option(
      '--members <ids.txt>',
      'loyalty IDs, one per line (default: the test members of staging, or those of the baskets)',
    )
    .option(
      '--baskets <baskets.ndjson>',
      'your own baskets instead of generated ones: one body of a basket call per line',
    )
    .option('--sales', 'also report the sale of every answered basket')
    .option('--connections <n>', 'maximum number of connections', '64')
    .option('--config <file>', 'the environment whose first venue is used for generated baskets', 'config/staging.yaml')
    .option('--venue <id>', 'another venue')
    .option('--bax <id>', 'another terminal setup')
    .option('--currency <code>', 'another currency')
    .option('--ca <file>', 'a certificate authority to trust (PEM)')
    .option('--out <folder>', 'the folder for the distributions (.hgrm) and the picture (.svg)', 'load')
    .option('--seed <n>', 'the same seed gives the same baskets and times', '1')
    .option('--yes-production', 'permit a deployment that is not staging')
    .addHelpText(
      'after',
      `
Latencies count from the time at which a call was due, so pauses of the deployment are visible.
Exit code: 0 every call was answered 200, 429 or 503; 1 one was not, or an answer was wrong; 2 the command could not run.`,
    )
    .action(
      running('load', async (options: LoadArguments, command: Command) => {
        const { load } = await import('../commands/load.ts');
        return load(options, command.helpInformation());
      }),
    );
}
