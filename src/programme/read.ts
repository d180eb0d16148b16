import type { CheckedEnvironment } from './environment.ts';
import { checkEnvironment } from './load.ts';
import { type EnvironmentSource, readEnvironmentSource } from './source.ts';

/** An environment's files as they were read, and checked. Plain data, which crosses from one process to another. */
export interface ReadConfiguration {
  readonly source: EnvironmentSource;
  readonly checked: CheckedEnvironment;
}

/** Reads and checks an environment's files. Throws with one line that names the mistake. */
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
