import type { Settings } from '../settings.ts';
import { openLog, type ServiceLog } from '../telemetry/log.ts';
import { obeySignal } from './kept-signals.ts';
import type { Lifetime } from './lifetime.ts';

/** Opens the log of a process, which is closed after the line `stopped`. From now on signals end the process. */
export async function openProcessLog(settings: Settings, lifetime: Lifetime): Promise<ServiceLog> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {
      // A full disk or a pipe without a reader must not end the service.
    });
  }
  const isSupervisor = settings.processes > 1 && !settings.isSupervised;
  const number = isSupervisor ? 0 : settings.processNumber;
  const { log, close } = await openLog({
    level: settings.logLevel,
    dir: settings.logDir,
    process: number,
    compresses: !settings.isSupervised,
  });
  lifetime.add(() => {
    log.info('stopped');
    return close();
  });
  lifetime.endOnSignals(log);
  // The default would end the process, and `systemctl kill` and `pkill` reach the supervised ones as well.
  if (!isSupervisor) obeySignal('SIGUSR2', () => log.info('SIGUSR2: only a supervisor replaces processes'));
  return log;
}
