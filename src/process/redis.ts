import type { RedisAddress } from '../redis/address.ts';
import type { Connection } from '../redis/connection.ts';
import { startManagedRedis } from '../redis/managed-redis.ts';
import type { Settings } from '../settings.ts';
import { writeMembers } from '../store/members.ts';
import { readPseudonymKey } from '../store/pseudonyms.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Lifetime } from './lifetime.ts';
import type { InForce } from './parts.ts';

/** How long a process of several waits for its Redis before it listens beside those that have theirs. */
const REDIS_PATIENCE_MS = 5000;
const POLL_MS = 20;

/** Opens the service's own Redis, which ends with the last service that uses it. */
export async function openManagedRedis(settings: Settings, lifetime: Lifetime, log: Logger): Promise<RedisAddress> {
  const onNote = (reason: string) => log.warn({ reason }, 'managed redis');
  const managed = await startManagedRedis(settings.dataDir, settings.searchPath, onNote);
  lifetime.add(() => managed.stop());
  await managed.untilLoaded();
  return managed.address;
}

/** Whenever Redis becomes ready, writes the members of the configuration file into it. */
export function prepareRedis(connection: Connection, inForce: () => InForce, log: Logger): void {
  connection.on('ready', async () => {
    log.info('redis ready');
    try {
      const { store, environment } = inForce();
      await writeMembers(store, environment.members);
      // Read before a sale event needs it, so that no call waits for it while its master of a cluster is away.
      await readPseudonymKey(store);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'redis not prepared');
    }
  });
  connection.on('down', (reason) => log.warn({ reason }, 'redis down'));
}

/** A call that reached it before would be refused, while the other processes answer. */
export async function untilRedisAnswers(connection: Connection): Promise<void> {
  const endMs = performance.now() + REDIS_PATIENCE_MS;
  while (!connection.isAvailable && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
