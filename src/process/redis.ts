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

/** The Redis of this process. */
export interface OpenRedis {
  readonly address: RedisAddress;
  /** A reason why the service is not ready, and why its own server is not there; undefined without a reason. */
  readonly explain: (reason: string | undefined) => string | undefined;
}

/** Opens the Redis of the settings, or else the service's own, which ends with the last service that uses it. */
export async function openRedis(settings: Settings, lifetime: Lifetime, log: Logger): Promise<OpenRedis> {
  if (settings.redis) return { address: settings.redis, explain: (reason) => reason };
  const onNote = (reason: string) => log.warn({ reason }, 'managed redis');
  const starting = startManagedRedis(settings.dataDir, settings.searchPath, onNote);
  // Added before it has started: a process that ends meanwhile leaves no server behind.
  lifetime.add(async () => (await starting.catch(() => undefined))?.stop());
  const managed = await starting;
  await managed.untilLoaded();
  const explain = (reason: string | undefined) => reason && [reason, managed.trouble].filter(Boolean).join('; ');
  return { address: managed.address, explain };
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
