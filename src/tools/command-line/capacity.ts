import { Command } from 'commander';
import { MAX_LINES } from '../../contract/limits.ts';
import { loading, numberBetween } from './strict.ts';

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
