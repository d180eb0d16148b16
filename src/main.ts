import './process/no-debugger.ts';
import cluster from 'node:cluster';
import { keepSignals } from './process/kept-signals.ts';
import { Lifetime } from './process/lifetime.ts';
import { readSettings } from './settings.ts';

/** The entry of the primary, and of the gateways that it forks. */
const lifetime = new Lifetime();
keepSignals();
// Otherwise node:cluster ends a gateway whose primary has ended at once, with its calls in flight.
if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;

if (process.argv.includes('--help')) {
  process.stdout.write('Usage: npm start\n\nThe settings are environment variables: see docs/settings.md.\n');
  process.exit();
}

try {
  const settings = readSettings();
  // Imported only after the settings were read: a mistake in them is reported at once, and each form loads only its own modules.
  const run = cluster.isPrimary
    ? (await import('./primary/primary.ts')).runPrimary
    : (await import('./process/gateway.ts')).runGateway;
  await run(settings, lifetime);
} catch (error) {
  // A process that is asked to end while it starts closes parts that its start still needs, and exits by itself.
  if (!lifetime.isEnding) {
    // One line that names the mistake; a stack would bury it.
    process.stderr.write(`loyalty: ${(error as Error).message}\n`);
    await lifetime.closeAll();
    process.exit(1);
  }
}
