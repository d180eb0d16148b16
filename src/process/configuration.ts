import { readFileSync } from 'node:fs';
import { type Environment, loadEnvironment } from '../programme/environment.ts';
import type { Settings } from '../settings.ts';
import { loadSecrets } from './secrets.ts';

/** The configuration in force. A reload replaces it as a whole. */
export interface Configuration {
  readonly environmentText: string;
  readonly environment: Environment;
  readonly secrets: readonly Uint8Array[];
  readonly stagingFile: string | undefined;
}

/** Reads and checks the environment's file and the secrets. Throws with one line that names the mistake. */
export function loadConfiguration(settings: Settings): Configuration {
  const environmentText = readFileSync(settings.environmentFile, 'utf8');
  const environment = loadEnvironment(environmentText, settings.environmentFile);
  return { environmentText, environment, ...loadSecrets(settings, environment.name) };
}

/**
 * Reads the configuration again for a reload. The environment's name is part of every Redis key, so a changed name is
 * refused: that would be another service.
 */
export function reloadConfiguration(settings: Settings, name: Environment['name']): Configuration {
  const next = loadConfiguration(settings);
  if (next.environment.name !== name) throw new Error(`the environment stays ${name} while the service runs`);
  return next;
}
