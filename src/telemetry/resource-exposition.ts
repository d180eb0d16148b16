import type { Labelled, Metrics } from './metric-kinds.ts';
import type { RedisResources, Resources } from './resources.ts';

/** Of several processes the worst figure, because all of them look at the same disks and servers. */
export function registerResources({ labelledGauge }: Metrics, resources: () => Resources): void {
  const worst = (name: string, help: string, which: 'min' | 'max', read: (from: Resources) => readonly Labelled[]) =>
    labelledGauge(name, help, () => read(resources()), which);
  const ofRedis = (name: string, help: string, which: 'min' | 'max', figure: keyof RedisResources) =>
    worst(name, help, which, ({ redis }) => (redis ? [[{}, Number(redis[figure])]] : []));
  ofRedis('loyalty_redis_memory_used_bytes', 'Memory used by the fullest Redis server', 'max', 'usedBytes');
  ofRedis(
    'loyalty_redis_memory_limit_bytes',
    "That server's maxmemory, or its machine's memory where none is set",
    'min',
    'limitBytes',
  );
  ofRedis(
    'loyalty_redis_evicted_keys',
    'Keys that Redis has dropped for lack of memory since its start: holds, answers or members',
    'max',
    'evictedKeys',
  );
  ofRedis(
    'loyalty_redis_file_written',
    '0 from a failed append to the append-only file until one succeeds',
    'min',
    'isFileWritten',
  );
  ofRedis(
    'loyalty_redis_file_rewritten',
    '0 from a failed rewrite of the append-only file until one succeeds',
    'min',
    'isFileRewritten',
  );
  worst('loyalty_disk_free_bytes', 'Bytes free on the disk of a folder', 'min', ({ folders }) =>
    folders.map(({ name, freeBytes }) => [{ folder: name }, freeBytes]),
  );
  worst('loyalty_disk_size_bytes', 'Bytes usable on the disk of a folder', 'min', ({ folders }) =>
    folders.map(({ name, sizeBytes }) => [{ folder: name }, sizeBytes]),
  );
  worst(
    'loyalty_file_descriptors_open',
    'Files and connections open in the fullest process',
    'max',
    ({ descriptors }) => (descriptors ? [[{}, descriptors.open]] : []),
  );
  worst('loyalty_file_descriptors_limit', 'Files and connections that a process may open', 'min', ({ descriptors }) =>
    descriptors ? [[{}, descriptors.limit]] : [],
  );
  worst(
    'loyalty_tls_certificate_end_timestamp_seconds',
    'When the certificate that is served ends',
    'min',
    ({ certificateEndsMs }) => (certificateEndsMs === undefined ? [] : [[{}, certificateEndsMs / 1000]]),
  );
}
