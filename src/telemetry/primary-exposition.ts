import type { CountedEvent } from './call-metrics.ts';
import type { Labelled, Metrics } from './metric-kinds.ts';
import type { ReloadRecord } from './reload-record.ts';
import type { RedisResources, Resources } from './resources.ts';

/** What the primary itself knows, read at each scrape. */
export interface PrimaryFigures {
  readonly reloads: ReloadRecord;
  readonly limits: () => readonly LimitFigures[];
  readonly events: () => EventFigures;
  readonly resources: () => Resources;
  /** What it counts of calculations, beside the gateways. */
  readonly counted: () => Readonly<Partial<Record<CountedEvent, number>>>;
}

/** How far the readers of the event streams are. */
export interface EventFigures {
  readonly retentionSeconds: number;
  /** Of each consumer group, the age of the oldest event that it has not read; 0 where it has read all. */
  readonly unread: readonly { readonly group: string; readonly ageSeconds: number }[];
}

/** What is left of a limit over all members. */
export interface LimitFigures {
  readonly labels: Readonly<Record<'programme' | 'limit' | 'of' | 'venue' | 'period' | 'counts' | 'currency', string>>;
  readonly quantity: number;
  readonly consumed: number;
  readonly held: number;
  readonly left: number;
}

const MS_PER_SECOND = 1000;
/** To the millisecond: prom-client says whole seconds, and a service that starts again within one would seem not to have started. */
const START_SECONDS = Math.round(Date.now() - process.uptime() * MS_PER_SECOND) / MS_PER_SECOND;

export function registerPrimary(kinds: Metrics, figures: PrimaryFigures): void {
  // The primary's start: its restart is a restart of the whole service.
  kinds.gauge('process_start_time_seconds', 'When the service started, since 1970', () => START_SECONDS);
  registerReloads(kinds, figures.reloads);
  registerLimits(kinds, figures.limits);
  registerEvents(kinds, figures.events);
  registerResources(kinds, figures.resources);
}

function registerReloads({ counter, gauge }: Metrics, reloads: ReloadRecord): void {
  counter('loyalty_reloads_total', 'Reloads of configuration and secrets, by result', () => [
    [{ result: 'succeeded' }, reloads.succeeded],
    [{ result: 'refused' }, reloads.refused],
  ]);
  gauge('loyalty_last_reload_successful', '0 from a refused reload until one succeeds', () =>
    Number(!reloads.isLastRefused),
  );
  gauge(
    'loyalty_last_reload_success_timestamp_seconds',
    'When configuration and secrets were last loaded',
    () => reloads.lastSuccessMs / 1000,
  );
}

function registerEvents({ gauge, labelledGauge }: Metrics, events: () => EventFigures): void {
  labelledGauge(
    'loyalty_events_unread_age_seconds',
    'Age of the oldest event that a consumer group has not read, of all event streams',
    () => events().unread.map(({ group, ageSeconds }) => [{ group }, ageSeconds] as const),
    'omit',
  );
  gauge('loyalty_events_retention_seconds', 'Age at which events are removed', () => events().retentionSeconds);
}

function registerLimits({ labelledGauge }: Metrics, limits: () => readonly LimitFigures[]): void {
  const each = (figure: Exclude<keyof LimitFigures, 'labels'>, help: string) =>
    labelledGauge(
      `loyalty_limit_${figure}`,
      `Limits over all members, in the period that is running: ${help}`,
      () => limits().map((limit) => [limit.labels, limit[figure]] as const),
      'omit',
    );
  each('quantity', 'the quantity of the configuration; minor units of a limit that counts money');
  each('consumed', 'units that sales have consumed');
  each('held', 'units that open calculations hold');
  each('left', 'units that are left');
}

function registerResources({ labelledGauge }: Metrics, resources: () => Resources): void {
  const gauge = (name: string, help: string, read: (from: Resources) => readonly Labelled[]) =>
    labelledGauge(name, help, () => read(resources()), 'omit');
  const ofRedis = (name: string, help: string, figure: keyof RedisResources) =>
    gauge(name, help, ({ redis }) => (redis ? [[{}, Number(redis[figure])]] : []));
  ofRedis('loyalty_redis_memory_used_bytes', 'Memory used by the fullest Redis server', 'usedBytes');
  ofRedis(
    'loyalty_redis_memory_limit_bytes',
    "That server's maxmemory, or its machine's memory where none is set",
    'limitBytes',
  );
  ofRedis(
    'loyalty_redis_evicted_keys',
    'Keys that Redis has dropped for lack of memory since its start: holds, answers or members',
    'evictedKeys',
  );
  ofRedis(
    'loyalty_redis_file_written',
    '0 from a failed append to the append-only file until one succeeds',
    'isFileWritten',
  );
  ofRedis(
    'loyalty_redis_file_rewritten',
    '0 from a failed rewrite of the append-only file until one succeeds',
    'isFileRewritten',
  );
  gauge('loyalty_disk_free_bytes', 'Bytes free on the disk of a folder', ({ folders }) =>
    folders.map(({ name, freeBytes }) => [{ folder: name }, freeBytes]),
  );
  gauge('loyalty_disk_size_bytes', 'Bytes usable on the disk of a folder', ({ folders }) =>
    folders.map(({ name, sizeBytes }) => [{ folder: name }, sizeBytes]),
  );
}
