import type { Lifetime } from './lifetime.ts';
import type { Settings } from './settings.ts';
import { startManagedRedis } from './store/managed-redis.ts';
import type { RedisAddress } from './store/redis-address.ts';
import type { Logger } from './telemetry/log.ts';

/** The service's own Redis; ended with the service. */
export async function openManagedRedis(settings: Settings, lifetime: Lifetime, log: Logger): Promise<RedisAddress> {
  const onRestart = (reason: string) => log.warn({ reason }, 'managed redis');
  const managed = await startManagedRedis(settings.dataDir, settings.searchPath, onRestart);
  lifetime.add(() => managed.stop());
  return managed.address;
}
