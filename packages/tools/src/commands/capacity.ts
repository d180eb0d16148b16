import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { readEnvironmentSource } from '../../../../src/programme/source.ts';
import { readSettingsOfService } from '../../../../src/settings.ts';
import { type CapacityPlan, type PlannedLoad, planCapacity } from '../capacity/plan.ts';
import { type PlannedSettings, plannedSettings } from '../capacity/settings.ts';
import { renderTable } from '../terminal/table.ts';

export interface CapacityArguments {
  readonly basketsPerSecond: number;
  readonly lines: number;
  readonly uuidLines?: boolean;
  readonly unsold: number;
  readonly returned: number;
  readonly members: number;
  readonly config?: string;
  readonly json?: boolean;
}

/** From half of a core on, Redis' one thread needs a Cluster. */
const MOST_REDIS_CPU = 0.5;

/** Prints what a load needs. Returns 0. Throws when a setting cannot be used. */
export function capacity(given: CapacityArguments): number {
  const { basketsPerSecond, lines, uuidLines = false, unsold, returned, members } = given;
  const load: PlannedLoad = {
    basketsPerSecond,
    shape: { lines, hasLongLineIds: uuidLines },
    soldShare: 1 - unsold / 100,
    returnedShare: returned / 100,
    members,
  };
  const ofService = readSettingsOfService();
  const environment = loadEnvironmentFrom(readEnvironmentSource(given.config ?? ofService.environmentFile));
  const settings = plannedSettings(ofService, environment);
  const plan = planCapacity(load, settings);
  process.stdout.write(
    given.json ? `${JSON.stringify({ load, settings, plan }, null, 2)}\n` : render(load, settings, plan),
  );
  return 0;
}

function render(load: PlannedLoad, settings: PlannedSettings, plan: CapacityPlan): string {
  const { basketsPerSecond, shape, soldShare } = load;
  const ids = shape.hasLongLineIds ? 'UUIDs' : 'short numbers';
  const head = `${basketsPerSecond} baskets of ${shape.lines} lines a second, ${percent(soldShare)} of them sold; lineIds are ${ids}`;
  const parts = plan.redis.map(({ name, each, days, bytes }) => {
    return [name, Math.round(each), days === undefined ? '' : round(days), size(bytes)];
  });
  const kept = renderTable(
    ['Redis keeps', 'bytes each', 'for days', 'in all'],
    [...parts, ['all of it', '', '', size(plan.redisBytes)]],
    (column) => column > 0,
  );
  const provide = renderTable(['provide', '', 'because'], provisions(settings, plan));
  const hints = advice(load, settings, plan).map((line) => `${line}\n`);
  return `${[head, kept, provide].join('\n\n')}\n${hints.join('')}`;
}

function provisions({ processes, workers, recording }: PlannedSettings, plan: CapacityPlan): string[][] {
  const log = `${size(plan.logBytesPerDay)} a day, 90 days kept, compressed from the second day on`;
  const recorded = recording ? `${percent(recording.share)} of the baskets` : 'RECORD_FILE is not set';
  const rewrite = 'twice what it keeps, for a rewrite of its file; maxmemory is above what it keeps';
  const threads = `${count(processes, 'process', 'es')} with ${count(workers, 'thread', 's')} each`;
  const busy = `busy: ${plan.serviceCpu.toFixed(2)} of the service, doubled, and ${plan.redisCpu.toFixed(2)} of Redis`;
  return [
    ['memory for Redis', size(plan.redisMemoryBytes), rewrite],
    ['disk for Redis', size(plan.redisDiskBytes), 'three times what it keeps'],
    ['disk for the log', size(plan.logDiskBytes), log],
    ['disk for recordings', size(plan.recordingDiskBytes), recorded],
    ['memory for the service', size(plan.serviceMemoryBytes), threads],
    ['cores', String(plan.cores), busy],
  ];
}

/** What the operator can change, by what it would save. */
function advice(load: PlannedLoad, settings: PlannedSettings, plan: CapacityPlan): string[] {
  const lines: string[] = [];
  const saved = (more: Partial<PlannedSettings>) =>
    size(plan.redisBytes - planCapacity(load, { ...settings, ...more }).redisBytes);
  const { soldDays, retentionDays, hasEventLines } = settings;
  if (soldDays > retentionDays) {
    const instead = `returns: { days: ${round(retentionDays)} } instead of ${round(soldDays)}`;
    lines.push(`${instead} saves ${saved({ soldDays: retentionDays })} of what Redis keeps.`);
  }
  if (hasEventLines) lines.push(`events: { lines: false } saves ${saved({ hasEventLines: false })}.`);
  if (!load.shape.hasLongLineIds) {
    const long = { ...load, shape: { ...load.shape, hasLongLineIds: true } };
    lines.push(`With UUIDs as lineIds (--uuid-lines) Redis keeps ${size(planCapacity(long, settings).redisBytes)}.`);
  }
  if (plan.redisCpu > MOST_REDIS_CPU) lines.push('Redis takes more than half of a core: use a Cluster.');
  return lines;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Three digits and a decimal unit: `72.1 GB`. */
function size(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value >= 99.95 || unit === 0 ? Math.round(value) : value.toPrecision(value >= 9.995 ? 3 : 2)} ${UNITS[unit]}`;
}

function round(days: number): string {
  return String(Math.round(days * 100) / 100);
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100} %`;
}

function count(number: number, one: string, more: string): string {
  return `${number} ${number === 1 ? one : one + more}`;
}
