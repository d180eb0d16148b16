import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/**
 * What benefits cost, by day: sums over all processes and machines of an environment, for the live page. A hash per day has
 * a field for each sum, `sold.saved coffee-club happy-coffee NOK`, and `!<process>` with the number of that process' last
 * report.
 */

/** Figures of one benefit in one currency. Units and money are whole numbers; money is in minor units. */
export interface CostSums {
  /** Baskets in which the benefit applied. */
  baskets: number;
  units: number;
  saved: number;
}

const FIGURES = ['baskets', 'units', 'saved'] as const;

/** What a process has counted of one benefit on a day since its last report. */
export interface CostChange extends CostSums {
  readonly fate: 'sold' | 'undone';
  readonly programmeId: string;
  readonly benefitId: string;
  readonly currency: string;
}

/** One benefit in one currency on one day. */
export interface DayCost {
  readonly programmeId: string;
  readonly benefitId: string;
  readonly currency: string;
  readonly sold: CostSums;
  /** Of those, what a later event took back. */
  readonly undone: CostSums;
}

/** Days that are shown, and kept. */
export const COST_DAYS = 14;
const DAY_MS = 86_400_000;
/** A day begins at UTC+14 before it does at UTC, and ends at UTC−12. */
const KEPT_MS = (COST_DAYS + 2) * DAY_MS;
const REPORTER = '!';

/** Adds a report of a process to a day (`2026-11-21`). Safe to repeat. Throws `StoreUnavailable`. */
export async function addCosts(
  { connection, keys }: Store,
  day: string,
  report: { readonly process: string; readonly number: number },
  changes: readonly CostChange[],
): Promise<void> {
  const amounts = changes.flatMap(({ fate, programmeId, benefitId, currency, ...sums }) =>
    FIGURES.flatMap((figure) => [`${fate}.${figure} ${programmeId} ${benefitId} ${currency}`, sums[figure]]),
  );
  const endMs = Date.parse(day) + KEPT_MS;
  await runScript(
    connection,
    'add-costs',
    [keys.costs(day)],
    [`${REPORTER}${report.process}`, report.number, endMs, ...amounts],
  );
}

/** Reads the costs of a day, by programme, benefit and currency. Throws `StoreUnavailable`. */
export async function readCosts({ connection, keys }: Store, day: string): Promise<DayCost[]> {
  const fields = await connection.run((client) => client.hgetall(keys.costs(day)));
  const rows = new Map<string, DayCost>();
  for (const field of Object.keys(fields)) {
    if (field.startsWith(REPORTER)) continue;
    const [what = '', programmeId = '', benefitId = '', currency = ''] = field.split(' ');
    const [fate, figure] = what.split('.') as ['sold' | 'undone', keyof CostSums];
    const key = `${programmeId} ${benefitId} ${currency}`;
    const row = rows.get(key) ?? { programmeId, benefitId, currency, sold: noSums(), undone: noSums() };
    rows.set(key, row);
    // A later version may write more; what is not known here is not shown.
    if (row[fate]?.[figure] !== undefined) row[fate][figure] = Number(fields[field]);
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function noSums(): CostSums {
  return { baskets: 0, units: 0, saved: 0 };
}
