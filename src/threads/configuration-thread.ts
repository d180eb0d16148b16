import { ConfigurationError } from '../programme/configuration-error.ts';
import type { CheckedEnvironment } from '../programme/environment.ts';
import { checkEnvironment } from '../programme/load.ts';
import { type EnvironmentSource, readEnvironmentSource } from '../programme/source.ts';

/** An environment's files as they were read, and checked. Plain data, which crosses from one thread to another. */
export interface ReadConfiguration {
  readonly source: EnvironmentSource;
  readonly checked: CheckedEnvironment;
}

/** An error as plain data, because a thread's own classes do not cross. */
export type Outcome = ReadConfiguration | { readonly reason: string; readonly lines?: readonly string[] };

/** Reads and checks an environment's files in this thread. Throws with one line that names the mistake. */
export function readConfiguration(path: string): ReadConfiguration {
  const source = readSource(path);
  return { source, checked: checkEnvironment(source) };
}

function readSource(path: string): EnvironmentSource {
  try {
    return readEnvironmentSource(path);
  } catch (error) {
    throw new Error(`LOYALTY_CONFIG: ${(error as Error).message}`, { cause: error });
  }
}

/** The work of the thread. Never throws. */
export function readCheckedConfiguration(path: string): Outcome {
  try {
    return readConfiguration(path);
  } catch (error) {
    const lines = error instanceof ConfigurationError ? { lines: error.lines } : {};
    return { reason: (error as Error).message, ...lines };
  }
}
