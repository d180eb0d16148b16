import { readFileSync } from 'node:fs';
import { type Environment, loadEnvironment } from './programme/environment.ts';
import { loadSecrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import type { Logger } from './telemetry/log.ts';

/** What a reload replaces, all at once. */
export interface Configuration {
  readonly environmentText: string;
  readonly environment: Environment;
  readonly secrets: readonly Uint8Array[];
  readonly stagingFile: string | undefined;
}

/** Reads and checks the environment's file and the secrets. Throws with one line that says what to mend. */
export function loadConfiguration(settings: Settings): Configuration {
  const environmentText = readFileSync(settings.environmentFile, 'utf8');
  const environment = loadEnvironment(environmentText, settings.environmentFile);
  return { environmentText, environment, ...loadSecrets(settings, environment.name) };
}

/**
 * Reloads on SIGHUP, one after the other: a second signal during a reload means that something has changed again. `reload`
 * resolves with the version now in force, or throws what keeps the old one.
 */
export function reloadOnSighup(log: Logger, reload: () => Promise<string>): void {
  let last = Promise.resolve();
  process.on('SIGHUP', () => {
    last = last.then(reload).then(
      (configuration) => log.info({ configuration }, 'reloaded'),
      (error: Error) => log.error({ reason: error.message }, 'reload refused, the old configuration stays'),
    );
  });
}
