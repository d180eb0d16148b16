import { addCostRowsScript } from './scripts/environment.ts';
import type { Store } from './store.ts';

/**
 * What benefits cost and sales brought, by day: a hash with a row for each venue, tier, share, currency and benefit that was
 * sold, kept for 400 days.
 * A row's value is its figures, separated by blanks; `!<process>` has the number of that process' last report, `!!rows` how many rows there are.
 */

/** Figures of sales, and of those of them that a later event took back. Money is in minor units. */
const COST_FIGURES = [
  'baskets',
  'units',
  'saved',
  'turnover',
  'undoneBaskets',
  'undoneUnits',
  'undoneSaved',
  'undoneTurnover',
] as const;
export type CostFigures = Record<(typeof COST_FIGURES)[number], number>;

/** A benefit, or one of two rows about baskets as a whole; no benefitId has these signs. */
export const ALL_BASKETS = '=';
export const BASKETS_WITH_BENEFITS = '+';

/** The names of a row. `tier` and `share` are empty where the member has none. */
export interface CostNames {
  readonly programmeId: string;
  readonly venueId: string;
  readonly tier: string;
  readonly share: string;
  readonly currency: string;
  readonly benefitId: string;
}

export interface CostRow extends CostNames {
  readonly figures: CostFigures;
  /** The day had too many rows, and venue, tier and share of this one are not told apart. */
  readonly isMerged: boolean;
}

/** Days that are kept, with the one that has begun. */
export const COST_ROW_DAYS = 400;
const DAY_MS = 86_400_000;
const KEPT_MS = (COST_ROW_DAYS + 1) * DAY_MS;
/** About 1.3 MB: more are counted by benefit and currency alone. */
export const MOST_COST_ROWS = 10_000;
const REPORTER = '!';
/** In the place of a venue; an encoded name has no such sign. */
const MERGED = '+';

export function noFigures(): CostFigures {
  return Object.fromEntries(COST_FIGURES.map((figure) => [figure, 0])) as CostFigures;
}

/** Adds a report of a process to a day (`2026-11-21`). Safe to repeat. Throws `StoreUnavailable`. */
export async function addCostRows(
  { connection, keys }: Store,
  day: string,
  report: { readonly process: string; readonly number: number },
  rows: readonly (CostNames & { readonly figures: CostFigures })[],
  mostRows = MOST_COST_ROWS,
): Promise<void> {
  const words = rows.flatMap(({ figures, ...names }) => [
    fieldOf(names, encode(names.venueId)),
    fieldOf({ ...names, tier: '', share: '' }, MERGED),
    ...COST_FIGURES.map((figure) => figures[figure]),
  ]);
  await addCostRowsScript(
    connection,
    { costRows: keys.costRows(day) },
    {
      ...{ process: `${REPORTER}${report.process}`, report: report.number, forgottenMs: Date.parse(day) + KEPT_MS },
      ...{ mostRows, figures: COST_FIGURES.length, rows: words },
    },
  );
}

/** Reads the rows of a day, in no order. Throws `StoreUnavailable`. */
export async function readCostRows({ connection, keys }: Store, day: string): Promise<CostRow[]> {
  const fields = await connection.run((client) => client.hgetall(keys.costRows(day)));
  return Object.entries(fields).flatMap(([field, value]) => {
    if (field.startsWith(REPORTER)) return [];
    const [venue = '', tier = '', share = '', programmeId = '', currency = '', benefitId = ''] = field.split(' ');
    const numbers = value.split(' ').map(Number);
    const figures = Object.fromEntries(COST_FIGURES.map((figure, at) => [figure, numbers[at] ?? 0])) as CostFigures;
    const isMerged = venue === MERGED;
    const venueId = isMerged ? '' : decodeURIComponent(venue);
    const who = { tier: decodeURIComponent(tier), share: decodeURIComponent(share) };
    return { programmeId, venueId, ...who, currency, benefitId, figures, isMerged };
  });
}

function fieldOf({ tier, share, programmeId, currency, benefitId }: CostNames, venue: string): string {
  const who = `${encode(tier)} ${encode(share)}`;
  return `${venue} ${who} ${programmeId} ${currency} ${benefitId}`;
}

/** A name from a file may have half a character, which cannot be encoded. */
function encode(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}
