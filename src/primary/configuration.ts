import { loadSecrets } from '../process/secrets.ts';
import { ConfigurationError } from '../programme/configuration-error.ts';
import { compileEnvironment, type Environment } from '../programme/environment.ts';
import { type ReadConfiguration, readConfiguration } from '../programme/load.ts';
import type { Settings } from '../settings.ts';
import { lookAt, reloadFiles } from './reload.ts';

/** The configuration in force. A reload replaces it as a whole. */
export interface Configuration extends ReadConfiguration {
  readonly environment: Environment;
  readonly secrets: readonly Uint8Array[];
  /** The file of staging's own secret; undefined when secrets were given. */
  readonly stagingFile: string | undefined;
}

/**
 * Reads and checks the environment's files and the secrets. Throws with one line that names the mistake. `name` is that of the
 * environment that runs: it is part of every Redis key, so another one is refused, because that would be another service. It is
 * looked at before the secrets, because a staging environment makes a secret of its own.
 */
export function loadConfiguration(settings: Settings, name?: Environment['name']): Configuration {
  const read = readConfiguration(settings.environmentFile);
  const environment = compileEnvironment(read.checked);
  if (name !== undefined && environment.name !== name) {
    throw new ConfigurationError(`the environment stays ${name} while the service runs`);
  }
  return { ...read, environment, ...loadSecrets(settings, environment.name) };
}

/** Reads the configuration again for a reload. No call waits for it: the gateways answer calls meanwhile. */
export async function reloadConfiguration(settings: Settings, name: Environment['name']): Promise<Configuration> {
  const files = reloadFiles(settings);
  const before = await lookAt(files);
  const next = loadConfiguration(settings, name);
  // Some files may have been read before a change and others after it.
  if ((await lookAt(files)) !== before) throw new Error('the files changed while they were read');
  return next;
}
