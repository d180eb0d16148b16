import type { Lifetime } from '../process/lifetime.ts';
import { LEASE_DESCRIPTOR } from '../process/messages.ts';
import type { RedisAddress } from '../redis/address.ts';
import type { Settings } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';

/** The Redis of the service, and how gateways find it. */
export interface OpenRedis {
  readonly address: RedisAddress;
  /** Environment variables of a gateway, and descriptors that it inherits. */
  readonly variables: Readonly<Record<string, string>>;
  readonly descriptors: readonly number[];
  /** A reason why the service is not ready, and why its own server is not there; undefined without a reason. */
  readonly explain: (reason: string | undefined) => string | undefined;
}

/** Opens the Redis of the settings, or else the service's own, which ends with the last service that uses it. */
export async function openRedis(settings: Settings, lifetime: Lifetime, log: Logger): Promise<OpenRedis> {
  if (settings.redis) return { address: settings.redis, variables: {}, descriptors: [], explain: (reason) => reason };
  const { startManagedRedis } = await import('../redis/managed-redis.ts');
  const onNote = (reason: string) => log.warn({ reason }, 'managed redis');
  const starting = startManagedRedis(settings.dataDir, settings.searchPath, onNote);
  // Added before it has started: a process that ends meanwhile leaves no server behind.
  lifetime.add(async () => (await starting.catch(() => undefined))?.stop());
  const managed = await starting;
  await managed.untilLoaded();
  return {
    address: managed.address,
    variables: { REDIS_URL: `unix:${managed.path}`, LOYALTY_LEASE: String(LEASE_DESCRIPTOR) },
    descriptors: [managed.lease],
    explain: (reason) => reason && [reason, managed.trouble].filter(Boolean).join('; '),
  };
}
