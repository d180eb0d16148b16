import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ConfigurationError } from '../programme/configuration-error.ts';
import { readEnvironmentSource } from '../programme/source.ts';
import { CODE_CHANGED, hasCodeChanged } from './code-identity.ts';
import { type Outcome, type ReadConfiguration, readConfiguration } from './configuration-thread.ts';

/**
 * Reads and checks an environment's files beside the event loop: parsing and checking 2 MB take seconds, in which no call
 * would be answered. Rejects with one line that names the mistake. `inForce` is what the threads of this process run; a
 * supervisor has none.
 */
export async function readConfigurationAside(
  path: string,
  inForce: ReadConfiguration | undefined,
): Promise<ReadConfiguration> {
  // Other code may judge otherwise than the code that will run the configuration.
  if (hasCodeChanged()) return inForce ? requireSame(path, inForce) : readConfiguration(path);
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

/** While the code on the disk is another no thread starts, and files that need new threads are not worth reading. */
function requireSame(path: string, inForce: ReadConfiguration): ReadConfiguration {
  if (isDeepStrictEqual(readEnvironmentSource(path), inForce.source)) return inForce;
  throw new Error(CODE_CHANGED);
}
