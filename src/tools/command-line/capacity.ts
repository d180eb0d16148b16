import { Command } from 'commander';
import type { CapacityArguments } from '../commands/capacity.ts';
import { running } from './strict.ts';

/** `capacity`: what a load needs under the settings. */
export function capacityCommand(): Command {
  return new Command('capacity')
    .description('what memory, disks and cores a load needs under the settings in force here')
    .option('--baskets-per-second <n>', 'basket calls a second, over all hours of a day', '50')
    .option('--lines <n>', 'lines of a basket', '20')
    .option('--uuid-lines', 'the lineIds are UUIDs; otherwise short numbers')
    .option('--unsold <percent>', 'baskets that are not sold: priced again, or left', '0')
    .option('--returned <percent>', 'sales of which goods come back', '2')
    .option('--members <n>', 'members in Redis', '0')
    .option('--config <path>', 'the environment, a file or a folder (LOYALTY_CONFIG)')
    .option('--json', 'as JSON, for other programs')
    .addHelpText(
      'after',
      `
The settings are the environment variables of the service (LOG_LEVEL, RECORD_FILE, PROCESSES, WORKERS) and its configuration:
idempotencyHours, retentionDays, returns.days, events.lines.
Exit code: 0 planned; 2 it could not be done.`,
    )
    .action(
      running('capacity', async (options: CapacityArguments) => {
        const { capacity } = await import('../commands/capacity.ts');
        return capacity(options);
      }),
    );
}
