import { statfs } from 'node:fs/promises';
import { type CommonLimitState, readCommonLimits } from '../../packages/console/src/common-limit-states.ts';
import type { Lifetime } from '../process/lifetime.ts';
import { repeat } from '../process/repeat.ts';
import type { Connection } from '../redis/connection.ts';
import { type RedisResources, readServerResources } from '../redis/server-resources.ts';
import type { Settings } from '../settings.ts';
import { readUnread } from '../store/event-stream.ts';
import { readRedisMs } from '../store/redis-clock.ts';
import type { InForce } from './in-force.ts';

/** Prometheus usually scrapes less often. */
const INTERVAL_MS = 5000;
/** Each limit is four series of Prometheus; `/admin/limits` shows all of them. */
const MAX_LIMITS = 200;
/** Each consumer group is a series of Prometheus, and whoever reads events names it. */
const MAX_GROUPS = 20;
const MS_PER_SECOND = 1000;

/** What the primary reads at intervals for `/metrics`, as it was read last. */
export interface WatchedFigures {
  /** The limits over all members. A configuration without any asks nothing of Redis. */
  limits: readonly CommonLimitState[];
  /** The consumer groups of the event streams. */
  unread: readonly UnreadEvents[];
  folders: readonly Folder[];
  /** The worst of all servers that take writes; undefined where it could not be read. */
  redis: RedisResources | undefined;
}

/** How far a consumer group is: the age of the oldest event that it has not read, 0 where it has read all. */
export interface UnreadEvents {
  readonly group: string;
  readonly ageSeconds: number;
}

/** The disk below a folder, without what is reserved for root. */
export interface Folder {
  /** The variable that names the folder, e.g. `DATA_DIR`. */
  readonly name: string;
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** Reads now and at intervals. A slow disk or server delays the next reading of its own figure and nothing else. */
export function watchFigures(
  { dataDir, logDir }: Settings,
  lifetime: Lifetime,
  connection: Connection,
  inForce: () => InForce,
): WatchedFigures {
  const watched: WatchedFigures = { limits: [], unread: [], folders: [], redis: undefined };
  const watch = (look: () => Promise<void>): void => {
    // Without Redis the last figures stay.
    const read = () => look().catch(() => undefined);
    lifetime.add(repeat(INTERVAL_MS, read));
    void read();
  };
  watch(async () => {
    const { store, environment } = inForce();
    watched.limits = (await readCommonLimits(store, environment)).slice(0, MAX_LIMITS);
  });
  watch(async () => {
    watched.unread = await readUnreadEvents(inForce());
  });
  watch(async () => {
    const folders = [
      measureDisk('DATA_DIR', dataDir),
      ...(logDir === undefined ? [] : [measureDisk('LOG_DIR', logDir)]),
    ];
    watched.folders = (await Promise.all(folders)).filter((folder) => folder !== undefined);
  });
  const readRedis = async (): Promise<void> => {
    watched.redis = await readServerResources(connection);
  };
  watch(readRedis);
  connection.on('ready', () => void readRedis());
  return watched;
}

async function readUnreadEvents({ store }: InForce): Promise<UnreadEvents[]> {
  const [nowMs, unread] = await Promise.all([readRedisMs(store.connection), readUnread(store)]);
  const groups = [...unread].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MAX_GROUPS);
  return groups.map(([group, oldestMs]) => ({
    group,
    ageSeconds: oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs) / MS_PER_SECOND,
  }));
}

/** Both counts leave out what is reserved for root, as `df` does for its percentage: a service can neither fill nor use it. */
async function measureDisk(name: string, path: string): Promise<Folder | undefined> {
  try {
    const { bavail, bfree, blocks, bsize } = await statfs(path);
    return { name, freeBytes: bavail * bsize, sizeBytes: (blocks - bfree + bavail) * bsize };
  } catch {
    return undefined;
  }
}
