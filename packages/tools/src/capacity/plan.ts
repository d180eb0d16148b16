import * as figures from './figures.ts';

/** The formula of capacity: what a load needs under the settings. Pure. */

export interface PlannedLoad {
  readonly basketsPerSecond: number;
  readonly shape: figures.BasketShape;
  /** Shares from 0 to 1: baskets that are sold, and sales of which goods come back. */
  readonly soldShare: number;
  readonly returnedShare: number;
  readonly members: number;
}

export interface PlannedSettings {
  readonly answerDays: number;
  readonly holdDays: number;
  readonly retentionDays: number;
  /** How long a sold basket is kept so that goods of it can be returned. */
  readonly soldDays: number;
  readonly hasEventLines: boolean;
  /** Rows of costs a day, and the days for which they are kept. */
  readonly costRows: number;
  readonly costDays: number;
  /** False when the log is not made of calls, because `LOG_LEVEL` is above `info`. */
  readonly logsCalls: boolean;
  readonly logDays: number;
  /** The recorded share of baskets, and the files that are kept of each process. Undefined: nothing is recorded. */
  readonly recording: { readonly share: number; readonly files: number; readonly fileBytes: number } | undefined;
  readonly processes: number;
  readonly workers: number;
}

/** A part of what is kept. `days` is undefined where it does not grow with the load. */
export interface Part {
  readonly name: string;
  readonly each: number;
  readonly count: number;
  readonly days: number | undefined;
  readonly bytes: number;
}

export type CapacityPlan = ReturnType<typeof planCapacity>;

const SECONDS_PER_DAY = 86_400;
const US_PER_SECOND = 1_000_000;
const MEGABYTE = 1e6;
const PROCESS_BYTES = 512 * MEGABYTE;
const FURTHER_THREAD_BYTES = 128 * MEGABYTE;
/** A rewrite copies what is written meanwhile: all of it at worst. */
const REWRITE_FACTOR = 2;
/** The file that is loaded, what was appended to it, and the file that a rewrite makes. */
const DISK_FACTOR = 3;
/** Admission sheds before a core is full. */
const CPU_HEADROOM = 2;

export function planCapacity(load: PlannedLoad, settings: PlannedSettings) {
  const redis = [...flowingParts(load, settings), ...standingParts(load, settings)].toSorted(
    (a, b) => b.bytes - a.bytes,
  );
  const redisBytes = redis.reduce((sum, { bytes }) => sum + bytes, 0);
  const logBytesPerDay = settings.logsCalls ? callsPerSecond(load) * figures.LOG_LINE_BYTES * SECONDS_PER_DAY : 0;
  const { serviceCpu, redisCpu } = cpuOf(load, settings);
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
    serviceMemoryBytes: settings.processes * (PROCESS_BYTES + (settings.workers - 1) * FURTHER_THREAD_BYTES),
    /** Busy cores. */
    serviceCpu,
    redisCpu,
    /** Cores to provide for the service and for Redis. */
    cores: Math.max(1, Math.ceil(CPU_HEADROOM * serviceCpu)) + Math.max(1, Math.ceil(redisCpu)),
  };
}

function callsPerSecond({ basketsPerSecond, soldShare }: PlannedLoad): number {
  return basketsPerSecond * (1 + soldShare);
}

/** What grows with the calls of a second, and leaves after some days. */
function flowingParts(load: PlannedLoad, settings: PlannedSettings): Part[] {
  const { basketsPerSecond, shape, soldShare, returnedShare } = load;
  const { answerDays, holdDays, retentionDays, soldDays, hasEventLines } = settings;
  const sold = basketsPerSecond * soldShare;
  const unsold = basketsPerSecond - sold;
  const returned = sold * returnedShare;
  const event = hasEventLines ? figures.eventBytes(shape) : figures.EVENT_BYTES;
  const part = (name: string, each: number, perSecond: number, days: number): Part => {
    const count = perSecond * SECONDS_PER_DAY * days;
    return { name, each, count, days, bytes: each * count };
  };
  return [
    part('answers, for retries', figures.answerBytes(shape) + figures.TABLE_BYTES, basketsPerSecond, answerDays),
    part('deadlines of holds', figures.DUE_BYTES, basketsPerSecond, holdDays),
    part(
      'unsold baskets',
      figures.calculationBytes(shape) + figures.INDEX_BYTES + 2 * figures.TABLE_BYTES,
      unsold,
      retentionDays,
    ),
    part('sold baskets', figures.soldBytes(shape) + figures.INDEX_BYTES + 2 * figures.TABLE_BYTES, sold, soldDays),
    part('receipt numbers', figures.RECEIPT_BYTES + figures.TABLE_BYTES, sold, soldDays),
    part('events of sales', event, sold, retentionDays),
    part('events of expiries', event, unsold, retentionDays),
    part('returns', figures.RETURN_BYTES + figures.TABLE_BYTES, returned, soldDays),
    part('events of returns', figures.EVENT_BYTES, returned, retentionDays),
  ].filter(({ bytes }) => bytes > 0);
}

/** What does not grow with the calls. */
function standingParts({ members }: PlannedLoad, { costRows, costDays }: PlannedSettings): Part[] {
  const part = (name: string, each: number, count: number): Part => ({
    ...{ name, each, count, days: undefined, bytes: each * count },
  });
  return [
    part('members', figures.MEMBER_BYTES + 2 * figures.TABLE_BYTES, members),
    part('costs, by day and benefit', figures.COST_ROW_BYTES, costRows * costDays),
    part('configurations and changes', figures.HISTORY_BYTES, 1),
  ].filter(({ bytes }) => bytes > 0);
}

/** A file of each process begins every day, and when one is full; the newest ones are kept. */
function recordingBytes({ basketsPerSecond, shape }: PlannedLoad, { recording, processes }: PlannedSettings): number {
  if (!recording) return 0;
  const perDay = (basketsPerSecond * SECONDS_PER_DAY * recording.share * figures.recordBytes(shape)) / processes;
  return processes * recording.files * Math.min(perDay, recording.fileBytes);
}

function cpuOf({ basketsPerSecond, shape, soldShare }: PlannedLoad, { hasEventLines }: PlannedSettings) {
  const sold = basketsPerSecond * soldShare;
  return {
    serviceCpu:
      (basketsPerSecond * figures.basketCpuUs(shape) + sold * figures.saleCpuUs(shape, hasEventLines)) / US_PER_SECOND,
    redisCpu: (basketsPerSecond * figures.REDIS_BASKET_CPU_US + sold * figures.REDIS_SALE_CPU_US) / US_PER_SECOND,
  };
}
