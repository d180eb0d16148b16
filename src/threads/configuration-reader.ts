import { Worker } from 'node:worker_threads';
import { ConfigurationError } from '../programme/configuration-error.ts';
import { hasCodeChanged } from './code-identity.ts';
import { type Outcome, type ReadConfiguration, readConfiguration } from './configuration-thread.ts';

/**
 * Reads and checks an environment's files beside the event loop: parsing and checking 2 MB take seconds, in which no call
 * would be answered. Rejects with one line that names the mistake.
 */
export async function readConfigurationAside(path: string): Promise<ReadConfiguration> {
  // Other code may judge otherwise than the code that will run the configuration.
  if (hasCodeChanged()) return readConfiguration(path);
  const worker = new Worker(new URL('../../workers/configuration.ts', import.meta.url), { workerData: path });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that checked the configuration has ended')));
  try {
    const outcome = await promise;
    if ('reason' in outcome) throw new ConfigurationError(outcome.reason, outcome.lines);
    return outcome;
  } finally {
    await worker.terminate();
  }
}
