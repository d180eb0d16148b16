import type { Environment } from '../../src/programme/environment.ts';
import { loadEnvironmentFrom } from '../../src/programme/load.ts';
import { readEnvironmentSource } from '../../src/programme/source.ts';
import { Connection } from '../../src/redis/connection.ts';
import { readSettings } from '../../src/settings.ts';
import { createKeys } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import type { Store } from '../../src/store/store.ts';
import { Tokens } from '../../src/store/tokens.ts';
import { type Logger, openLog } from '../../src/telemetry/log.ts';

/** The start data of every contestant except the service: the same settings, programme, store and log. */
export interface ContestantContext {
  readonly host: string;
  readonly port: number;
  readonly secrets: readonly Uint8Array[];
  readonly environment: Environment;
  readonly store: Store;
  readonly tokens: Tokens;
  readonly log: Logger;
}

/**
 * Resolves when Redis is ready and has the members. With `gathersTurns` the commands of one turn of the event loop
 * leave in one write, as in the service; a framework's handlers use ioredis directly.
 */
export async function openContext(name: string, { gathersTurns = false } = {}): Promise<ContestantContext> {
  const settings = readSettings();
  if (!settings.redis) throw new Error('REDIS_URL is not set.');
  const environment = loadEnvironmentFrom(readEnvironmentSource(settings.environmentFile));
  const { log } = await openLog({ level: settings.logLevel, dir: settings.logDir, process: 1 });
  const connection = new Connection(settings.redis, `bench-${name}`, { gathersTurns });
  const store = { connection, keys: createKeys(environment.name), periods: environment.calculation };
  await new Promise<void>((resolve) => connection.once('ready', resolve));
  await writeMembers(store, environment.members);
  const { host, port, secrets } = settings;
  const tokens = new Tokens(
    () => store,
    () => environment.rateLimit,
  );
  return { host, port, secrets, environment, store, tokens, log };
}

/** Logs the contestant's address in the words of the service's own log, and ends the contestant on SIGTERM. */
export function announce({ host, log }: ContestantContext, port: number): void {
  log.info({ baseUrl: `http://${host}:${port}` }, 'listening');
  process.once('SIGTERM', () => process.exit(0));
}
