import type { RedisAddress } from '../redis/address.ts';
import type { Connection } from '../redis/connection.ts';
import { startManagedRedis } from '../redis/managed-redis.ts';
import { findServerFaults } from '../redis/server-checks.ts';
import type { Settings } from '../settings.ts';
import { writeMembers } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Lifetime } from './lifetime.ts';

/** The service's own Redis; ended with the last service that uses it. */
export async function openManagedRedis(settings: Settings, lifetime: Lifetime, log: Logger): Promise<RedisAddress> {
  const onNote = (reason: string) => log.warn({ reason }, 'managed redis');
  const managed = await startManagedRedis(settings.dataDir, settings.searchPath, onNote);
  lifetime.add(() => managed.stop());
  await managed.untilLoaded();
  return managed.address;
}

/** What a Redis is told of when it has come (back), as it is in force then. */
interface Prepared {
  readonly store: Store;
  readonly members: Parameters<typeof writeMembers>[1];
}

/** Tells a Redis that came (back) of the members in the configuration file, and the log of what there is to know of it. */
export function prepareRedis(connection: Connection, prepared: () => Prepared, log: Logger): void {
  /** Settings that the log knows of: a connection that comes and goes would repeat them. */
  let known: readonly string[] = [];
  connection.on('ready', async () => {
    log.info('redis ready');
    try {
      const { store, members } = prepared();
      await writeMembers(store, members);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'redis not prepared');
    }
    try {
      const faults = await findServerFaults(connection);
      for (const fault of faults) if (!known.includes(fault)) log.warn({ fault }, 'redis settings');
      known = faults;
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'redis settings not looked at');
    }
  });
  connection.on('down', (reason) => log.warn({ reason }, 'redis down'));
}
