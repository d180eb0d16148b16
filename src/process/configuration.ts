import { ConfigurationError } from '../programme/configuration-error.ts';
import { type CheckedEnvironment, compileEnvironment, type Environment } from '../programme/environment.ts';
import type { EnvironmentSource } from '../programme/source.ts';
import type { Settings } from '../settings.ts';
import { readConfigurationAside } from '../threads/configuration-reader.ts';
import { type ReadConfiguration, readConfiguration } from '../threads/configuration-thread.ts';
import { lookAt, reloadFiles } from './reload.ts';
import { loadSecrets } from './secrets.ts';

/** The configuration in force. A reload replaces it as a whole. */
export interface Configuration {
  readonly source: EnvironmentSource;
  /** For worker threads, which compile it themselves. */
  readonly checked: CheckedEnvironment;
  readonly environment: Environment;
  readonly secrets: readonly Uint8Array[];
  readonly stagingFile: string | undefined;
}

/**
 * Reads and checks the environment's files and the secrets. Throws with one line that names the mistake. A process of a
 * supervisor accepts only its supervisor's environment.
 */
export function loadConfiguration(settings: Settings): Configuration {
  return complete(settings, readConfiguration(settings.environmentFile), settings.environmentName);
}

/**
 * The environment's name is part of every Redis key, so another name than `name` is refused: that would be another service. It is
 * looked at before the secrets, because a staging environment makes a secret of its own.
 */
function complete(settings: Settings, { source, checked }: ReadConfiguration, name: string | undefined): Configuration {
  const environment = compileEnvironment(checked);
  if (name !== undefined && environment.name !== name) {
    throw new ConfigurationError(`the environment stays ${name} while the service runs`);
  }
  return { source, checked, environment, ...loadSecrets(settings, environment.name) };
}

/**
 * Reads the configuration again for a reload, in a thread, so that calls are answered meanwhile. `name` is that of the environment
 * that runs, and `inForce` what the threads of this process run; a supervisor has none.
 */
export async function reloadConfiguration(
  settings: Settings,
  name: Environment['name'],
  inForce?: Configuration,
): Promise<Configuration> {
  const files = reloadFiles(settings);
  const before = await lookAt(files);
  const next = complete(settings, await readConfigurationAside(settings.environmentFile, inForce), name);
  // Some files may have been read before a change and others after it.
  if ((await lookAt(files)) !== before) throw new Error('the files changed while they were read');
  return next;
}
