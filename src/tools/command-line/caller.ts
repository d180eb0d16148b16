import { Command, Option } from 'commander';
import type { DemoArguments } from '../commands/demo.ts';
import type { LoadArguments } from '../load/options.ts';
import { running } from './strict.ts';

/** `demo`: a shop full of tills. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('three checkouts, each basket before and after, then a busy day in a shop')
    .option('--seconds <n>', 'how long the shop is open', '20')
    .option('--tills <n>', 'how many tills it has', '8')
    .option(
      '--base-url <url>',
      'the service; started when nothing answers there. Without it: the one at PORT (8080), or one of its own on a free port',
    )
    .option('--secret-file <file>', 'its secret (default: secret in DATA_DIR, .data)')
    .option('--config <file>', 'its environment, for venue, members and rate limit', 'config/staging.yaml')
    .addOption(
      new Option('--seed <n>', 'the same guests again').default(String(Date.now() % 1_000_000), 'by the clock'),
    )
    .addHelpText(
      'after',
      '\nExit code: 0 everything was settled once; 1 it was not, or the demo could not run; 2 usage.',
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
    .description('load a running deployment with signed baskets, and report latencies as its callers meet them')
    .requiredOption('--base-url <url>', 'the deployment, without /v1/pos/basket')
    .requiredOption('--secret-file <file>', "a file with the environment's secret")
    .option('--rate <n>', 'calls per second, whatever the answers; or max: as fast as the deployment answers', '50')
    .option('--duration <seconds>', 'how long', '60')
    .option('--lines <n>', 'lines of the baskets that are made up', '20')
    .option(
      '--members <ids.txt>',
      "loyalty IDs, one a line (default: the test members of staging, or the baskets' own)",
    )
    .option(
      '--baskets <baskets.ndjson>',
      'baskets of your own instead of made-up ones: one body of a basket call a line',
    )
    .option('--sales', 'report the sale of every answered basket as well')
    .option('--connections <n>', 'connections to use at most', '64')
    .option('--config <file>', 'the environment whose first venue the made-up baskets come from', 'config/staging.yaml')
    .option('--venue <id>', 'another venue')
    .option('--bax <id>', 'another terminal setup')
    .option('--currency <code>', 'another currency')
    .option('--ca <file>', 'a certificate authority to trust (PEM)')
    .option('--out <folder>', 'where the distributions (.hgrm) and the picture (.svg) are written', 'load')
    .option('--seed <n>', 'the same baskets and instants again', '1')
    .option('--yes-production', 'load a deployment that is not known to be staging')
    .addHelpText(
      'after',
      `
Latencies count from the instant at which a call was due, so a deployment that stalls cannot hide it.
Exit code: 0 every call was answered 200, 429 or 503; 1 one was not, or an answer was wrong; 2 the load could not be made.`,
    )
    .action(
      running('load', async (options: LoadArguments, command: Command) => {
        const { load } = await import('../commands/load.ts');
        return load(options, command.helpInformation());
      }),
    );
}
