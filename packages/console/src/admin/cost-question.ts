import { formatDate, parseDate } from '@loyalty/engine/compile/calendar';
import { COST_ROW_DAYS, type CostReading } from '../../../../src/store/cost-rows.ts';
import { InvalidRequest, notAllowed, readNames } from './invalid-request.ts';

/** A question about costs: the days, and what the rows are to be told apart by. */

export const DIMENSIONS = ['day', 'venue', 'benefit', 'fundedBy', 'tier', 'share'] as const;
export const READINGS = ['calculation', 'booking'] as const satisfies readonly CostReading[];
export type Dimension = (typeof DIMENSIONS)[number];

export interface CostQuestion {
  readonly from: string;
  readonly to: string;
  readonly by: readonly Dimension[];
  /** By the day of the calculation, or by the day on which something was booked. */
  readonly on: CostReading;
  /** The days of the range, and as many before it; none where not all of these are kept. */
  readonly days: readonly string[];
  readonly daysBefore: readonly string[];
}

const USUAL_DAYS = 30;

/** Reads `from`, `to`, `by` and `on`; `today` ends a range without an end. Throws `InvalidRequest`. */
export function readQuestion(query: URLSearchParams, today: string): CostQuestion {
  const last = readDay(query, 'to', parseDate(today)!);
  const first = readDay(query, 'from', last - USUAL_DAYS + 1);
  const refuse = (words: string) => new InvalidRequest(`from: found ${words}`);
  if (first > last) throw refuse(`${formatDate(first)}, allowed: a day up to ${formatDate(last)}, the day of to`);
  const count = last - first + 1;
  if (count > COST_ROW_DAYS) throw refuse(`${count} days up to the day of to, allowed: ${COST_ROW_DAYS} at most`);
  const oldest = parseDate(today)! - COST_ROW_DAYS;
  if (first < oldest)
    throw refuse(`${formatDate(first)}, allowed: ${formatDate(oldest)} or later; the days before are not kept`);
  const asked = query.get('on') ?? 'calculation';
  const on = READINGS.find((reading) => reading === asked);
  if (!on) throw notAllowed('on', asked, READINGS.join(' or '));
  return {
    from: formatDate(first),
    to: formatDate(last),
    by: readNames(query, 'by', DIMENSIONS, 'benefit'),
    on,
    days: daysFrom(first, last),
    daysBefore: first - count < oldest ? [] : daysFrom(first - count, first - 1),
  };
}

function readDay(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  const day = text === null ? otherwise : parseDate(text);
  if (day === undefined) throw notAllowed(name, text, 'a day such as 2026-11-21');
  return day;
}

function daysFrom(first: number, last: number): string[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, ago) => formatDate(first + ago));
}
