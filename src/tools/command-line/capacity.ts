import { Command } from 'commander';
import type { CapacityArguments } from '../commands/capacity.ts';
import { running } from './strict.ts';

/** `capacity`: what a load needs under the settings. */
export function capacityCommand(): Command {
  return new Command('capacity')
    .description('print the memory, disks and cores that a load needs with the current settings')
    .option('--baskets-per-second <n>', 'basket calls per second, as the average of a day', '50')
    .option('--lines <n>', 'lines of a basket', '20')
    .option('--uuid-lines', 'lineIds are UUIDs instead of short numbers')
    .option('--unsold <percent>', 'baskets that are not sold (superseded or abandoned)', '0')
    .option('--returned <percent>', 'sales with a return', '2')
    .option('--members <n>', 'members in Redis', '0')
    .option('--config <path>', 'the environment, a file or a folder (LOYALTY_CONFIG)')
    .option('--json', 'print JSON, for other programs')
    .addHelpText(
      'after',
      `
The settings are the environment variables of the service (LOG_LEVEL, RECORD_FILE, PROCESSES, WORKERS) and its configuration:
idempotencyHours, retentionDays, returns.days, events.lines.
Exit code: 0 planned; 2 the command could not run.`,
    )
    .action(
      running('capacity', async (options: CapacityArguments) => {
        const { capacity } = await import('../commands/capacity.ts');
        return capacity(options);
      }),
    );
}
