import { Lifetime } from './process/lifetime.ts';
import { readSettings } from './settings.ts';

/** The entry: one service process, or a supervisor with several of them. */
const lifetime = new Lifetime();

if (process.argv.includes('--help')) {
  process.stdout.write('Usage: npm start\n\nThe settings are environment variables: see README.md, "Settings".\n');
  process.exit();
}

try {
  const settings = readSettings();
  // Loaded once the settings are known to be good: a mistake in them is told at once, and a supervisor does without the rest.
  const isSupervisor = settings.processes > 1 && !settings.isSupervised;
  const run = isSupervisor
    ? (await import('./process/supervisor.ts')).supervise
    : (await import('./process/service.ts')).runService;
  await run(settings, lifetime);
} catch (error) {
  // One line that says what to mend; a stack would bury it.
  process.stderr.write(`loyalty: ${(error as Error).message}\n`);
  await lifetime.closeAll();
  process.exit(1);
}
