import { hash } from 'node:crypto';
import { configurationError, type LocatedFault } from './configuration-error.ts';
import { type CheckedEnvironment, compileEnvironment, type Environment } from './environment.ts';
import { judge } from './judge.ts';
import { type EnvironmentSource, readEnvironmentSource, sourceOf } from './source.ts';

const VERSION_CHARACTERS = 12;

/**
 * Loads an environment from the text of its YAML file. `source` names the file in messages. Throws `ConfigurationError`
 * with one line: path in the file, value found, values allowed.
 */
export function loadEnvironment(text: string, source: string): Environment {
  return loadEnvironmentFrom(sourceOf(text, source));
}

/** Loads an environment from one file or several. Throws `ConfigurationError` with one line, which tells the first fault. */
export function loadEnvironmentFrom(source: EnvironmentSource): Environment {
  return compileEnvironment(checkEnvironment(source));
}

/** Reads and checks an environment's files. Throws `ConfigurationError` with one line, which tells the first fault. */
export function checkEnvironment(source: EnvironmentSource): CheckedEnvironment {
  const { file, faults } = judge(source);
  if (!file) throw configurationError(faults as [LocatedFault, ...LocatedFault[]]);
  return { file, version: versionOf(source) };
}

/** An environment's files as they were read, and checked. Plain data, which crosses from one process to another. */
export interface ReadConfiguration {
  readonly source: EnvironmentSource;
  readonly checked: CheckedEnvironment;
}

/** Reads and checks an environment's files. Throws with one line that names the mistake. */
export function readConfiguration(path: string): ReadConfiguration {
  const source = readNamedSource(path);
  return { source, checked: checkEnvironment(source) };
}

function readNamedSource(path: string): EnvironmentSource {
  try {
    return readEnvironmentSource(path);
  } catch (error) {
    throw new Error(`LOYALTY_CONFIG: ${(error as Error).message}`, { cause: error });
  }
}

function versionOf({ files }: EnvironmentSource): string {
  const [first] = files;
  const text = files.length === 1 && first ? first.text : JSON.stringify(files.map(({ name, text }) => [name, text]));
  return hash('sha256', text).slice(0, VERSION_CHARACTERS);
}
