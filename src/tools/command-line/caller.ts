import { Command, Option } from 'commander';
import type { DemoArguments } from '../commands/demo.ts';
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
