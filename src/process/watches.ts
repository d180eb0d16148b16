import { RedisWatch } from '../redis/watch.ts';
import type { StoredMember } from '../store/members.ts';
import { readPseudonymKey } from '../store/pseudonyms.ts';
import { DataWatch } from './data-watch.ts';
import { DatasetFile } from './dataset-file.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { SettingsWatch } from './settings-watch.ts';

/** What is watched of Redis while calls are answered. */
export interface Watches {
  /** Whether it can be used, and takes writes. */
  readonly redisWatch: RedisWatch;
  /** Whether its settings keep what is promised. */
  readonly settingsWatch: SettingsWatch;
  /** Whether the data is there that was there before. */
  readonly dataWatch: DataWatch;
}

/** Prepares Redis whenever it becomes ready, and watches it until the process ends. */
export function openWatches(parts: GatewayParts): Watches {
  const { connection, guard, lifetime, log, redis, settings } = parts;
  const { environment, store } = parts.inForce.calls;
  connection.on('ready', () => void prepareRedis(parts));
  connection.on('down', (reason) => log.warn({ reason }, 'redis down'));
  const isInFile = ({ programmeId, loyaltyId }: StoredMember) =>
    parts.inForce.calls.environment.findMember(programmeId, loyaltyId) !== undefined;
  const file = new DatasetFile(settings.dataDir, environment.name, redis);
  const watched = () => ({ store: parts.inForce.calls.store, isInFile, hasImports: settings.hasImports });
  const watches = {
    redisWatch: new RedisWatch(connection, redis, store.keys.probe(), log),
    settingsWatch: new SettingsWatch(connection, environment.name, log),
    dataWatch: new DataWatch(watched, guard, file, log),
  };
  for (const watch of Object.values(watches)) lifetime.add(() => watch.close());
  return watches;
}

/** Reads the key of pseudonyms before a sale event needs it, so that no call waits for it while its master of a cluster is away. */
async function prepareRedis({ inForce, log }: GatewayParts): Promise<void> {
  log.info('redis ready');
  try {
    await readPseudonymKey(inForce.calls.store);
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'redis not prepared');
  }
}
