import { readFileSync } from 'node:fs';
import { type Environment, loadEnvironment } from '../programme/environment.ts';
import type { Settings } from '../settings.ts';
import { loadSecrets } from './secrets.ts';

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
 * Reads everything again for a reload. The environment's name stands in every Redis key: another one is another service.
 */
export function reloadConfiguration(settings: Settings, name: Environment['name']): Configuration {
  const next = loadConfiguration(settings);
  if (next.environment.name !== name) throw new Error(`the environment stays ${name} while the service runs`);
  return next;
}
