import { Lifetime } from './lifetime.ts';
import { runService } from './service.ts';
import { readSettings } from './settings.ts';
import { supervise } from './supervisor.ts';

/** The entry: one service process, or a supervisor with several of them. */
const lifetime = new Lifetime();

try {
  const settings = readSettings();
  const run = settings.processes > 1 && !settings.isSupervised ? supervise : runService;
  await run(settings, lifetime);
} catch (error) {
  // One line that says what to mend; a stack would bury it.
  process.stderr.write(`loyalty: ${(error as Error).message}\n`);
  await lifetime.closeAll();
  process.exit(1);
}
