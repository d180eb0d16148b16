import { type Fault, wrong } from './configuration-error.ts';
import { isStaging } from './environment-name.ts';
import type { EnvironmentFile } from './schema.ts';

/**
 * Rules between the numbers of the environment's file: each number is valid by itself (schema.ts), but two together may
 * break a promise. Defaults are filled in first, so that a single given number is checked too.
 */

/** The numbers that have defaults, all of them given, in the file's own units. */
export type Settings = Pick<EnvironmentFile, 'testMembers' | 'requestedAt'> & {
  /** The environment may have a fault of its own. */
  readonly environment: unknown;
} & { readonly [Name in Numbers]: Required<NonNullable<EnvironmentFile[Name]>> };
type Numbers = 'rateLimit' | 'calculation' | 'returns' | 'latencyBudget';

const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;
const MINUTES_PER_DAY = MINUTES_PER_HOUR * HOURS_PER_DAY;
const MS_PER_DAY = 86_400_000;

/** Finds the contradictory pairs, one of each mapping, in file order. */
export function* findSettingFaults(settings: Settings): Generator<Fault> {
  for (const find of [findPeriodFault, findBudgetFault, findRequestedAtFault, findTestMembersFault]) {
    const fault = find(settings);
    if (fault) yield fault;
  }
}

/**
 * A hold must end first, then the answer that made it, then the calculation. A calculation forgotten before its answer
 * turns a retry of the same basket into 409, because the fingerprint is gone. A calculation forgotten before its hold
 * turns its sale into `unknown_calculation` while the hold still stands. An answer forgotten before its hold makes a
 * retry a new calculation, which may get another price and takes over the hold of the answer that the till has charged.
 */
function findPeriodFault({ calculation }: Settings): Fault | undefined {
  const { holdMinutes, idempotencyHours, retentionDays } = calculation;
  const hold = { days: holdMinutes / MINUTES_PER_DAY, words: `calculation.holdMinutes is ${holdMinutes}` };
  const answer = {
    days: idempotencyHours / HOURS_PER_DAY,
    words: `calculation.idempotencyHours is ${idempotencyHours}`,
  };
  const outlived = [hold, answer].filter(({ days }) => isLonger(days, retentionDays));
  if (outlived.length > 0) {
    const least = roundUp(Math.max(...outlived.map(({ days }) => days)));
    const allowed = `at least ${least}, since ${outlived.map(({ words }) => words).join(' and ')}`;
    return wrong('calculation.retentionDays', retentionDays, allowed);
  }
  if (!isLonger(hold.days, answer.days)) return undefined;
  const allowed = `at most ${roundDown(idempotencyHours * MINUTES_PER_HOUR)}, since ${answer.words}`;
  return wrong('calculation.holdMinutes', holdMinutes, allowed);
}

/**
 * The percentiles must lie below the deadline. The deadline's own bounds, the caller's timeout and the commit margin,
 * are in the schema.
 */
function findBudgetFault({ latencyBudget: { p95, p99, deadline } }: Settings): Fault | undefined {
  if (p95 > p99) return wrong('latencyBudget.p95', p95, `at most p99 (${p99})`);
  return p99 > deadline ? wrong('latencyBudget.p99', p99, `at most deadline (${deadline})`) : undefined;
}

/** Uses of a period are kept for the retention after its end; a basket older than that would find its limits unused. */
function findRequestedAtFault({ requestedAt, calculation: { retentionDays } }: Settings): Fault | undefined {
  if (!requestedAt || !isLonger(requestedAt.pastHours / HOURS_PER_DAY, retentionDays)) return undefined;
  const allowed = `at most ${roundDown(retentionDays * HOURS_PER_DAY)}, since calculation.retentionDays is ${retentionDays}`;
  return wrong('requestedAt.pastHours', requestedAt.pastHours, allowed);
}

/** A moved clock would give real guests what is over, or not yet begun. */
function findTestMembersFault({ environment, testMembers }: Settings): Fault | undefined {
  // Of an environment that is no text the schema says so.
  if (testMembers === undefined || typeof environment !== 'string' || isStaging(environment)) return undefined;
  return wrong('testMembers', testMembers, 'no test members in production, because no clock can be moved there');
}

/** Durations are compared in whole milliseconds, as the service counts them, so that fractions such as a third of a day lose nothing. */
function isLonger(days: number, others: number): boolean {
  return Math.round(days * MS_PER_DAY) > Math.round(others * MS_PER_DAY);
}

/** Four decimals, rounded towards the allowed side, so that the suggested value is valid. */
const PRECISION = 10_000;
const roundUp = (value: number) => Math.ceil(value * PRECISION) / PRECISION;
const roundDown = (value: number) => Math.floor(value * PRECISION) / PRECISION;
