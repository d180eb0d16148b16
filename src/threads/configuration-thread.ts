import { Worker } from 'node:worker_threads';
import type { CheckedEnvironment } from '../programme/environment.ts';
import { checkEnvironment } from '../programme/load.ts';
import { type EnvironmentSource, readEnvironmentSource } from '../programme/source.ts';
import { hasCodeChanged } from './code-identity.ts';

/** An environment's files as they were read, and checked. Plain data, which crosses from one thread to another. */
export interface ReadConfiguration {
  readonly source: EnvironmentSource;
  readonly checked: CheckedEnvironment;
}

/** An error as plain data, because a thread's own classes do not cross. */
type Outcome = ReadConfiguration | { readonly reason: string };

/** Reads and checks an environment's files in this thread. Throws with one line that names the mistake. */
export function readConfiguration(path: string): ReadConfiguration {
  const source = readEnvironmentSource(path);
  return { source, checked: checkEnvironment(source) };
}

/** The work of the thread. Never throws. */
export function readCheckedConfiguration(path: string): Outcome {
  try {
    return readConfiguration(path);
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

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
    if ('reason' in outcome) throw new Error(outcome.reason);
    return outcome;
  } finally {
    await worker.terminate();
  }
}
