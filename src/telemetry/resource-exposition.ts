import type { Registry } from 'prom-client';
import { labelledGauge } from './metric-kinds.ts';
import type { Descriptors, Folder, RedisResources, Resources } from './resources.ts';

/** Of several processes the worst figure, because all of them look at the same disks and servers. */
export function registerResources(registry: Registry, resources: () => Resources): void {
  const ofRedis = (name: string, help: string, read: (redis: RedisResources) => number, worst: 'min' | 'max') =>
    labelledGauge(
      registry,
      name,
      help,
      () => {
        const { redis } = resources();
        return redis ? [[{}, read(redis)]] : [];
      },
      worst,
    );
  const ofFolders = (name: string, help: string, read: (folder: Folder) => number) =>
    labelledGauge(
      registry,
      name,
      help,
      () => resources().folders.map((folder) => [{ folder: folder.name }, read(folder)]),
      'min',
    );
  const ofDescriptors = (name: string, help: string, figure: keyof Descriptors, worst: 'min' | 'max') =>
    labelledGauge(
      registry,
      name,
      help,
      () => {
        const { descriptors } = resources();
        return descriptors ? [[{}, descriptors[figure]]] : [];
      },
      worst,
    );
  ofRedis(
    'loyalty_redis_memory_used_bytes',
    'Memory used by the fullest Redis server',
    (redis) => redis.usedBytes,
    'max',
  );
  ofRedis(
    'loyalty_redis_memory_limit_bytes',
    "That server's maxmemory, or its machine's memory where none is set",
    (redis) => redis.limitBytes,
    'min',
  );
  ofRedis(
    'loyalty_redis_evicted_keys',
    'Keys that Redis has dropped for lack of memory since its start: holds, answers or members',
    (redis) => redis.evictedKeys,
    'max',
  );
  ofRedis(
    'loyalty_redis_file_written',
    '0 from a failed append to the append-only file until one succeeds',
    (redis) => Number(redis.isFileWritten),
    'min',
  );
  ofRedis(
    'loyalty_redis_file_rewritten',
    '0 from a failed rewrite of the append-only file until one succeeds',
    (redis) => Number(redis.isFileRewritten),
    'min',
  );
  ofFolders('loyalty_disk_free_bytes', 'Bytes free on the disk of a folder', (folder) => folder.freeBytes);
  ofFolders('loyalty_disk_size_bytes', 'Bytes usable on the disk of a folder', (folder) => folder.sizeBytes);
  ofDescriptors('loyalty_file_descriptors_open', 'Files and connections open in the fullest process', 'open', 'max');
  ofDescriptors('loyalty_file_descriptors_limit', 'Files and connections that a process may open', 'limit', 'min');
  labelledGauge(
    registry,
    'loyalty_tls_certificate_end_timestamp_seconds',
    'When the certificate that is served ends',
    () => {
      const { certificateEndsMs } = resources();
      return certificateEndsMs === undefined ? [] : [[{}, certificateEndsMs / 1000]];
    },
    'min',
  );
}
