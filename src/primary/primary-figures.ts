import { kindOfPeriod } from '../../packages/console/src/asked-period.ts';
import type { CommonLimitState } from '../../packages/console/src/common-limit-states.ts';
import type { RedisResources } from '../redis/server-resources.ts';
import type { CountedEvent } from '../telemetry/call-metrics.ts';
import type { Metrics } from '../telemetry/metric-kinds.ts';
import type { ReloadResults } from './reload.ts';
import type { WatchedFigures } from './watched-figures.ts';

/** What the primary itself knows, read at each scrape. */
export interface PrimaryFigures {
  readonly reloads: ReloadResults;
  readonly watched: WatchedFigures;
  /** For how long the event streams keep events. */
  readonly retentionMs: number;
  /** What it counts of calculations, beside the gateways. */
  readonly counted: Readonly<Partial<Record<CountedEvent, number>>>;
}

const MS_PER_SECOND = 1000;
/** To the millisecond: prom-client says whole seconds, and a service that starts again within one would seem not to have started. */
const START_SECONDS = Math.round(Date.now() - process.uptime() * MS_PER_SECOND) / MS_PER_SECOND;

export function registerPrimary(kinds: Metrics, { reloads, watched, retentionMs }: PrimaryFigures): void {
  // The primary's start: its restart is a restart of the whole service.
  kinds.gauge('process_start_time_seconds', 'When the service started, since 1970', () => START_SECONDS);
  registerReloads(kinds, reloads);
  registerLimits(kinds, watched);
  registerEvents(kinds, watched, retentionMs);
  registerResources(kinds, watched);
}

function registerReloads({ counter, gauge }: Metrics, reloads: ReloadResults): void {
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
    () => reloads.lastSuccessMs / MS_PER_SECOND,
  );
}

function registerLimits({ labelledGauge }: Metrics, watched: WatchedFigures): void {
  const each = (figure: 'quantity' | 'consumed' | 'held' | 'left', help: string) =>
    labelledGauge(
      `loyalty_limit_${figure}`,
      `Limits over all members, in the period that is running: ${help}`,
      () => watched.limits.map((limit) => [labelsOf(limit), limit[figure]] as const),
      'omit',
    );
  each('quantity', 'the quantity of the configuration; minor units of a limit that counts money');
  each('consumed', 'units that sales have consumed');
  each('held', 'units that open calculations hold');
  each('left', 'units that are left');
}

/** The name of the running period is no label, because every day would begin a series of its own. */
function labelsOf(limit: CommonLimitState): Record<string, string> {
  const { programmeId, benefitId, limitId, of, venueId = '', period, counts, currency = '' } = limit;
  return {
    programme: programmeId,
    limit: limitId ?? benefitId,
    of,
    venue: venueId,
    period: kindOfPeriod(period),
    counts,
    currency,
  };
}

function registerEvents({ gauge, labelledGauge }: Metrics, watched: WatchedFigures, retentionMs: number): void {
  labelledGauge(
    'loyalty_events_unread_age_seconds',
    'Age of the oldest event that a consumer group has not read, of all event streams',
    () => watched.unread.map(({ group, ageSeconds }) => [{ group }, ageSeconds] as const),
    'omit',
  );
  gauge('loyalty_events_retention_seconds', 'Age at which events are removed', () => retentionMs / MS_PER_SECOND);
}

function registerResources({ labelledGauge }: Metrics, watched: WatchedFigures): void {
  const ofRedis = (name: string, help: string, figure: keyof RedisResources) =>
    labelledGauge(name, help, () => (watched.redis ? [[{}, Number(watched.redis[figure])]] : []), 'omit');
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
  const ofDisk = (name: string, help: string, figure: 'freeBytes' | 'sizeBytes') =>
    labelledGauge(
      name,
      help,
      () => watched.folders.map(({ name: folder, [figure]: bytes }) => [{ folder }, bytes]),
      'omit',
    );
  ofDisk('loyalty_disk_free_bytes', 'Bytes free on the disk of a folder', 'freeBytes');
  ofDisk('loyalty_disk_size_bytes', 'Bytes usable on the disk of a folder', 'sizeBytes');
}
