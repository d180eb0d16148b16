import { hash } from 'node:crypto';
import { addCostRowsScript } from './scripts/environment.ts';
import type { Store } from './store.ts';

/**
 * What benefits cost and sales brought, by day: a hash with a row for each venue, tier, share, currency and benefit that was
 * sold, kept for 400 days.
 * A row's value is its figures, separated by blanks; `!<process>` has the number of that process' last report, `!!rows` how many rows there are.
 *
 * Costs are read by the day of the calculation, or by the day on which something was booked. Almost everything is booked on the
 * day of its calculation and has one row for both. Anything else has two: in `cost-rows` of the day of its calculation a row with a
 * mark, which the other reading leaves out, and a row in `booked-rows` of the day on which it was booked.
 */

/**
 * Figures of sales, of those of them that a return or a decision took back, what returns refunded, and sales of which two outcomes
 * were reported. Money is in minor units.
 */
const COST_FIGURES = [
  'baskets',
  'units',
  'saved',
  'turnover',
  'undoneBaskets',
  'undoneUnits',
  'undoneSaved',
  'undoneTurnover',
  'refunded',
  'conflicts',
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
  /** Who pays for the benefit, or for any benefit of the baskets, each once; '' where nobody is named. */
  readonly funders: readonly string[];
}

/** The days of something in the costs: of the calculation, and on which it was booked. */
export interface CostDays {
  readonly calculated: string;
  readonly booked: string;
}

/** What a day's costs are: of its calculations, or booked on it. */
export type CostReading = 'calculation' | 'booking';

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
/** Enough that no two reporters of a day share a name. */
const REPORTER_CHARACTERS = 16;
/** In the place of a venue; an encoded name has no such sign. */
const MERGED = '+';
/** Behind a row that was booked on another day. */
const ELSEWHERE = '>';
/** Whom a benefit, or a basket without one, has that names nobody who pays. */
export const NO_FUNDERS: readonly string[] = [''];

export function noFigures(): CostFigures {
  return Object.fromEntries(COST_FIGURES.map((figure) => [figure, 0])) as CostFigures;
}

/** Adds figures to others. */
export function addFigures(sums: CostFigures, more: Readonly<Partial<CostFigures>>): void {
  for (const figure of COST_FIGURES) sums[figure] += more[figure] ?? 0;
}

/** Adds a report of a process about a day (`2026-11-21`). Safe to repeat. Throws `StoreUnavailable`. */
export async function addCostRows(
  { connection, keys }: Store,
  { calculated, booked }: CostDays,
  report: { readonly process: string; readonly number: number },
  rows: readonly (CostNames & { readonly figures: CostFigures })[],
  mostRows = MOST_COST_ROWS,
): Promise<void> {
  const addTo = async (costRows: string, day: string, mark: string): Promise<void> => {
    const words = rows.flatMap(({ figures, ...names }) => [
      fieldOf(names, encode(names.venueId), mark),
      fieldOf({ ...names, tier: '', share: '' }, MERGED, mark),
      ...COST_FIGURES.map((figure) => figures[figure]),
    ]);
    await addCostRowsScript(
      connection,
      { costRows },
      {
        ...{ process: `${REPORTER}${report.process}`, report: report.number, forgottenMs: Date.parse(day) + KEPT_MS },
        ...{ mostRows, figures: COST_FIGURES.length, rows: words },
      },
    );
  };
  const isElsewhere = booked !== calculated;
  await addTo(keys.costRows(calculated), calculated, isElsewhere ? ELSEWHERE : '');
  if (isElsewhere) await addTo(keys.bookedRows(booked), booked, '');
}

/**
 * Adds what is counted once and not by a process, such as a return: `what` names it, and is a reporter of its own with one report. Safe to
 * repeat. Throws `StoreUnavailable`.
 */
export async function addCostsOnce(
  store: Store,
  what: string,
  days: CostDays,
  rows: readonly (CostNames & { readonly figures: CostFigures })[],
): Promise<void> {
  const process = hash('sha256', what, 'base64url').slice(0, REPORTER_CHARACTERS);
  await addCostRows(store, days, { process, number: 1 }, rows);
}

/** Reads the rows of a day, in no order. Throws `StoreUnavailable`. */
export async function readCostRows(
  { connection, keys }: Store,
  day: string,
  on: CostReading = 'calculation',
): Promise<CostRow[]> {
  const read = (key: string) => connection.run(key, (client) => client.hgetall(key));
  if (on === 'calculation') return parseRows(await read(keys.costRows(day)), () => true);
  const [own, late] = await Promise.all([read(keys.costRows(day)), read(keys.bookedRows(day))]);
  return [...parseRows(own, (mark) => mark !== ELSEWHERE), ...parseRows(late, () => true)];
}

function parseRows(fields: Readonly<Record<string, string>>, counts: (mark: string) => boolean): CostRow[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    // The name of a venue may begin as a reporter's; a reporter is one word, and a row has several.
    if (!field.includes(' ')) return [];
    const [venue = '', tier = '', share = '', programmeId = '', currency = '', benefitId = '', ...more] =
      field.split(' ');
    const [funders = '', mark = ''] = more;
    if (!counts(mark)) return [];
    const numbers = value.split(' ').map(Number);
    const figures = Object.fromEntries(COST_FIGURES.map((figure, at) => [figure, numbers[at] ?? 0])) as CostFigures;
    const isMerged = venue === MERGED;
    const venueId = isMerged ? '' : decodeURIComponent(venue);
    const who = { tier: decodeURIComponent(tier), share: decodeURIComponent(share) };
    const paid = { funders: funders.split(',').map(decodeURIComponent) };
    return { programmeId, venueId, ...who, currency, benefitId, ...paid, figures, isMerged };
  });
}

function fieldOf({ tier, share, programmeId, currency, benefitId, funders }: CostNames, venue: string, mark: string) {
  const who = `${encode(tier)} ${encode(share)}`;
  // A row without more to say is named as the version before this one names it.
  return `${venue} ${who} ${programmeId} ${currency} ${benefitId} ${funders.map(encode).join(',')} ${mark}`.trimEnd();
}

/** A name from a file may have half a character, which cannot be encoded. */
function encode(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}
