import * as figures from './figures.ts';
import type { PlannedSettings } from './settings.ts';

/** The formula of capacity: what a load needs under the settings. Pure. */

export interface PlannedLoad {
  readonly basketsPerSecond: number;
  readonly shape: figures.BasketShape;
  /** Shares from 0 to 1: baskets that are sold, and sales of which goods come back. */
  readonly soldShare: number;
  readonly returnedShare: number;
  readonly members: number;
}

export type CapacityPlan = ReturnType<typeof planCapacity>;

const SECONDS_PER_DAY = 86_400;
const US_PER_SECOND = 1_000_000;
const PROCESS_BYTES = 512e6;
const FURTHER_THREAD_BYTES = 128e6;
/** A rewrite copies what is written meanwhile: all of it at worst. */
const REWRITE_FACTOR = 2;
/** The file that is loaded, what was appended to it, and the file that a rewrite makes. */
const DISK_FACTOR = 3;
/** Admission sheds before a core is full. */
const CPU_HEADROOM = 2;

export function planCapacity(load: PlannedLoad, settings: PlannedSettings) {
  const { basketsPerSecond, shape, soldShare } = load;
  const { processes, workers, hasEventLines } = settings;
  const sold = basketsPerSecond * soldShare;
  const redis = partsOfRedis(load, settings);
  const redisBytes = redis.reduce((sum, { bytes }) => sum + bytes, 0);
  const logged = settings.logsCalls ? basketsPerSecond + sold : 0;
  const logBytesPerDay = logged * figures.LOG_LINE_BYTES * SECONDS_PER_DAY;
  const serviceUs = basketsPerSecond * figures.basketCpuUs(shape) + sold * figures.saleCpuUs(shape, hasEventLines);
  const redisUs = basketsPerSecond * figures.REDIS_BASKET_CPU_US + sold * figures.REDIS_SALE_CPU_US;
  const [serviceCpu, redisCpu] = [serviceUs / US_PER_SECOND, redisUs / US_PER_SECOND];
  return {
    /** What Redis keeps, largest first. */
    redis,
    redisBytes,
    /** With room for the copies that a rewrite of the append-only file makes. */
    redisMemoryBytes: REWRITE_FACTOR * redisBytes,
    redisDiskBytes: DISK_FACTOR * redisBytes,
    logBytesPerDay,
    // Today's file and yesterday's, which is being compressed, are there in full.
    logDiskBytes: logBytesPerDay * (2 + figures.COMPRESSED_SHARE * settings.logDays),
    recordingDiskBytes: recordingBytes(load, settings),
    serviceMemoryBytes: processes * (PROCESS_BYTES + (workers - 1) * FURTHER_THREAD_BYTES),
    /** Busy cores. */
    serviceCpu,
    redisCpu,
    /** Cores to provide for the service and for Redis. */
    cores: Math.max(1, Math.ceil(CPU_HEADROOM * serviceCpu)) + Math.max(1, Math.ceil(redisCpu)),
  };
}

/**
 * What is kept, the largest first: what grows with the calls of a second and leaves after some days, and then what does not
 * grow with them.
 */
function partsOfRedis(
  { basketsPerSecond, shape, soldShare, returnedShare, members }: PlannedLoad,
  settings: PlannedSettings,
) {
  const { answerDays, holdDays, retentionDays, soldDays, hasEventLines, costRows, costDays } = settings;
  const sold = basketsPerSecond * soldShare;
  const unsold = basketsPerSecond - sold;
  const returned = sold * returnedShare;
  const event = hasEventLines ? figures.eventBytes(shape) : figures.EVENT_BYTES;
  const { TABLE_BYTES, INDEX_BYTES } = figures;
  const part = (name: string, each: number, count: number, days?: number) => ({
    name,
    each,
    count,
    days,
    bytes: each * count,
  });
  const flowing = (name: string, each: number, perSecond: number, days: number) =>
    part(name, each, perSecond * SECONDS_PER_DAY * days, days);
  return [
    flowing('answers, for retries', figures.answerBytes(shape) + TABLE_BYTES, basketsPerSecond, answerDays),
    flowing('deadlines of holds', figures.DUE_BYTES, basketsPerSecond, holdDays),
    flowing('unsold baskets', figures.calculationBytes(shape) + INDEX_BYTES + 2 * TABLE_BYTES, unsold, retentionDays),
    flowing('sold baskets', figures.soldBytes(shape) + INDEX_BYTES + 2 * TABLE_BYTES, sold, soldDays),
    flowing('receipt numbers', figures.RECEIPT_BYTES + TABLE_BYTES, sold, soldDays),
    flowing('events of sales', event, sold, retentionDays),
    flowing('events of expiries', event, unsold, retentionDays),
    flowing('returns', figures.RETURN_BYTES + TABLE_BYTES, returned, soldDays),
    flowing('events of returns', figures.EVENT_BYTES, returned, retentionDays),
    part('members', figures.MEMBER_BYTES + 2 * TABLE_BYTES, members),
    part('costs, by day and benefit', figures.COST_ROW_BYTES, costRows * costDays),
    part('configurations and changes', figures.HISTORY_BYTES, 1),
  ]
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes);
}

/** A file of each process begins every day, and when one is full; the newest ones are kept. */
function recordingBytes({ basketsPerSecond, shape }: PlannedLoad, { recording, processes }: PlannedSettings): number {
  if (!recording) return 0;
  const perDay = (basketsPerSecond * SECONDS_PER_DAY * recording.share * figures.recordBytes(shape)) / processes;
  return processes * recording.files * Math.min(perDay, recording.fileBytes);
}
