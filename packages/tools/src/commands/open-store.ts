import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../../src/programme/environment.ts';
import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { readEnvironmentSource } from '../../../../src/programme/source.ts';
import { describeTrouble } from '../../../../src/redis/cause.ts';
import { Connection } from '../../../../src/redis/connection.ts';
import { StoreUnavailable } from '../../../../src/redis/failure.ts';
import { managedAddress } from '../../../../src/redis/managed-redis.ts';
import { readSettingsOfService, type Settings } from '../../../../src/settings.ts';
import { type Change, noteChange } from '../../../../src/store/changes.ts';
import { inspectFormat } from '../../../../src/store/format.ts';
import { createKeys } from '../../../../src/store/keys.ts';
import type { Store } from '../../../../src/store/store.ts';

const CONNECT_PATIENCE_MS = 3000;
const POLL_MS = 20;
/** How long a command that is under way waits for Redis, e.g. during a failover. */
const RETRY_MS = 30_000;
const RETRY_PAUSE_MS = 250;

/** Throws unless the configuration has the programme that `--programme` names. */
export function checkProgramme({ programmes }: Environment, named: string | undefined): void {
  const known = programmes.map(({ programmeId }) => programmeId);
  if (named === undefined || known.includes(named)) return;
  throw new Error(`--programme: found ${JSON.stringify(named)}, allowed: ${known.join(', ')}`);
}

/** The only programme that comes into question. Throws for several and for none; `why` says which of them it is. */
export function onlyProgramme({ programmes }: Environment, possible: readonly string[], why: string): string {
  const [only, ...others] = possible;
  if (only !== undefined && others.length === 0) return only;
  const known = programmes.map(({ programmeId }) => programmeId).join(', ');
  throw new Error(`--programme: found nothing, allowed: one of ${known}, because ${why}`);
}

/**
 * Lists a change that a command has made, with the name of its user. The change is made: a list that cannot be reached is no
 * failure of the command.
 */
export async function listChange(store: Store, action: string, facts: Change['facts']): Promise<void> {
  await noteChange(store, { who: userName(), action, facts }).catch(() => undefined);
}

/** The user who runs a command. In a container the user ID may have no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** The service's variables; without them those of this process. */
type Variables = Parameters<typeof readSettingsOfService>[0];

/** Reads the settings and the environment of the service's own variables, without opening its Redis. */
export function readEnvironment(variables?: Variables): { environment: Environment; settings: Settings } {
  const settings = readSettingsOfService(variables);
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
      const { trouble } = connection;
      connection.close();
      const why = trouble ? ` (${describeTrouble(trouble)})` : '';
      throw new Error(
        `Redis cannot be reached${why}: start the service, or set REDIS_URL or DATA_DIR as the service has it`,
      );
    }
    await sleep(POLL_MS);
  }
  const store = { connection, keys, periods: environment.calculation };
  return { store, environment, settings };
}

/** Retries while Redis is unavailable. Throws `StoreUnavailable` after half a minute. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + RETRY_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > endMs) throw error;
    }
    await sleep(RETRY_PAUSE_MS);
  }
}
