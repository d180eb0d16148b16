import type { Environment } from '../../../../src/programme/environment.ts';
import { knownTiers } from '../../../../src/programme/known-tiers.ts';
import { PARTS_KEPT } from '../../../../src/recording/old-records.ts';
import { PART_MEGABYTES } from '../../../../src/recording/record-file.ts';
import type { Settings } from '../../../../src/settings.ts';
import { COST_ROW_DAYS, MOST_COST_ROWS } from '../../../../src/store/cost-rows.ts';
import { LOG_DAYS } from '../../../../src/telemetry/log.ts';

const MS_PER_DAY = 86_400_000;
const BYTES_PER_MEGABYTE = 1024 * 1024;
/** The rows about all baskets of a day, and about those with a benefit. */
const ROWS_BESIDE_BENEFITS = 2;

export type PlannedSettings = ReturnType<typeof plannedSettings>;

/** Reads from settings and environment what decides how much is kept. */
export function plannedSettings(settings: Settings, environment: Environment) {
  const { holdMs, idempotencyMs, retentionMs, soldMs } = environment.calculation;
  const { recording, processes, workers, logLevel } = settings;
  return {
    answerDays: idempotencyMs / MS_PER_DAY,
    holdDays: holdMs / MS_PER_DAY,
    retentionDays: retentionMs / MS_PER_DAY,
    /** How long a sold basket is kept so that goods of it can be returned. */
    soldDays: soldMs / MS_PER_DAY,
    hasEventLines: environment.hasEventLines,
    /** Rows of costs a day, and the days for which they are kept. */
    costRows: Math.min(MOST_COST_ROWS, countCostRows(environment)),
    costDays: COST_ROW_DAYS,
    /** False when the log is not made of calls, because `LOG_LEVEL` is above `info`. */
    logsCalls: !['warn', 'error', 'fatal'].includes(logLevel),
    logDays: LOG_DAYS,
    /** The recorded share of baskets, and the files that are kept of each process, with the one that is being written. */
    recording: recording && {
      share: recording.sample,
      files: PARTS_KEPT + 1,
      fileBytes: PART_MEGABYTES * BYTES_PER_MEGABYTE,
    },
    processes,
    workers,
  };
}

/** Rows of a day on which every benefit is sold at every venue, to members of every tier and of none. */
function countCostRows(environment: Environment): number {
  const tiers = knownTiers(environment);
  return environment.venues.reduce((sum, { programme: { programmeId, benefits }, currencies }) => {
    const rows = ROWS_BESIDE_BENEFITS + benefits.length;
    return sum + rows * (1 + (tiers.get(programmeId)?.size ?? 0)) * currencies.length;
  }, 0);
}
