import type { Environment } from '../../programme/environment.ts';
import { loadEnvironmentFrom } from '../../programme/load.ts';
import { readEnvironmentSource } from '../../programme/source.ts';
import { describeTrouble } from '../../redis/cause.ts';
import { Connection } from '../../redis/connection.ts';
import { diagnose } from '../../redis/diagnosis.ts';
import { managedAddress } from '../../redis/managed-redis.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { inspectFormat } from '../../store/format.ts';
import { createKeys } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';

const CONNECT_PATIENCE_MS = 3000;
const POLL_MS = 20;

/** The service's variables; without them those of this process. */
type Variables = Parameters<typeof readSettings>[0];

/** Reads the settings and the environment of the service's own variables, without opening its Redis. */
export function readEnvironment(variables?: Variables): { environment: Environment; settings: Settings } {
  const settings = readSettings(variables);
  const environment = loadEnvironmentFrom(readEnvironmentSource(settings.environmentFile));
  return { environment, settings };
}

/**
 * Opens the running service's Redis for a command: `REDIS_URL`, or the managed one of `DATA_DIR`. A rehearsal reads and
 * notes nothing there, not even the format of the data.
 */
export async function openStore(
  variables?: Variables,
  isRehearsal = false,
): Promise<{ store: Store; environment: Environment; settings: Settings }> {
  const { environment, settings } = readEnvironment(variables);
  const address = settings.redis ?? managedAddress(settings.dataDir);
  const keys = createKeys(environment.name);
  const connection = new Connection(address, 'loyalty-cli', isRehearsal ? {} : { inspect: inspectFormat(keys) });
  const endMs = performance.now() + CONNECT_PATIENCE_MS;
  while (!connection.isAvailable) {
    if (performance.now() > endMs) {
      const trouble = connection.objection ?? (await diagnose(address));
      connection.close();
      const why = trouble ? ` (${describeTrouble(trouble)})` : '';
      throw new Error(`Redis cannot be reached${why}: start the service, or set REDIS_URL`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const store = { connection, keys, periods: environment.calculation };
  return { store, environment, settings };
}
