import type { Settings } from '../settings.ts';
import { openLog, type ServiceLog } from '../telemetry/log.ts';
import { obeySignal } from './kept-signals.ts';
import type { Lifetime } from './lifetime.ts';

/** The number of the primary; gateways count from 1. */
const PRIMARY = 0;

/** Opens the log of a process, which is closed after the line `stopped`. From now on signals end the process. */
export async function openProcessLog(settings: Settings, lifetime: Lifetime): Promise<ServiceLog> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {
      // A full disk or a pipe without a reader must not end the service.
    });
  }
  const { log, close } = await openLog({
    level: settings.logLevel,
    dir: settings.logDir,
    process: settings.processNumber,
  });
  lifetime.endOnSignals(log, close);
  // The default would end the process, and `systemctl kill` and `pkill` reach the gateways as well.
  if (settings.processNumber !== PRIMARY) {
    obeySignal('SIGUSR2', () => log.info('SIGUSR2: the primary alone replaces processes'));
    obeySignal('SIGHUP', () => log.info('SIGHUP: the primary alone reloads'));
  }
  return log;
}
