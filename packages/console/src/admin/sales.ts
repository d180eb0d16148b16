import { parseDateTime } from '@loyalty/contract/date-time';
import { dateIn, formatDate, parseDate } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../../../../src/programme/environment.ts';
import { findCalculation } from '../../../../src/store/find-calculation.ts';
import { membersOfCard } from '../../../../src/store/merged.ts';
import { pseudonymOf } from '../../../../src/store/pseudonyms.ts';
import { readRedisMs } from '../../../../src/store/redis-clock.ts';
import { type SoldEvent, searchSales } from '../../../../src/store/sale-search.ts';
import type { Store } from '../../../../src/store/store.ts';
import { startOfDay } from '../days.ts';
import type { Current } from './administration.ts';
import { describeDecision } from './calculations.ts';
import { InvalidRequest, notAllowed } from './invalid-request.ts';
import { type AdminRoute, answered } from './route.ts';
import { CONFLICT_STATES } from './sale-schemas.ts';

/** Search of sales by where, when, who, how it ended, why and which benefit, for whoever has no receipt. */

const USUAL_SALES = 50;
const MOST_SALES = 500;
const DAY_MS = 86_400_000;

export const searchSalesRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/sales',
  role: 'read',
  operationId: 'searchSales',
  summary: 'Sales by venue, time, member, status, reason and benefit',
  description:
    'Settled calculations, newest first, from the event stream: for as long as `calculation.retentionDays`, up to 90 days back. A sale of which two outcomes were reported has the first one, until a person decides for the second one: then it has that one, at the time of the decision. A search looks at 40,000 events at most; where there may be more, `next` is the `to` of the search that goes on. `/admin/look-up` explains each. It holds no loyalty ID. `npx loyalty schema --events` prints the schema of the events themselves.',
  query: {
    venueId: 'The venue.',
    from: 'A day at the venue (`2026-11-21`; without venueId at the first venue), or an instant; without it the day of `to`.',
    to: 'The last day, or an instant up to which; without it now.',
    member: 'A loyalty ID, or the pseudonym of an earlier answer.',
    status:
      'Of the sale event (`applied`, `unchanged`, `failed`, `cancelled`), or `expired`, `returned`, `conflict`, `unknown_calculation`. Without it, all sale events of known calculations.',
    conflict: `Conflicts alone: ${CONFLICT_STATES.join(', ')}.`,
    answered: 'Of the answer: `applied`, `unchanged` or `member_not_found`.',
    reason: 'Why the answer left the basket unchanged, such as `basket_too_small`; or why the sale failed.',
    benefitId: 'A benefit that the sale gave.',
    limit: `How many: ${USUAL_SALES} without it, ${MOST_SALES} at most.`,
  },
  answerSchema: 'Sales',
  failures: { invalid: 'A day, an instant, a limit or a state of a conflict that is none.' },
  async handle(administration, { query }) {
    const current = administration.current();
    const range = readRange(query, current.environment, await readRedisMs(current.store.connection));
    const limit = query.get('limit') ?? String(USUAL_SALES);
    if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST_SALES) {
      throw notAllowed('limit', limit, `a whole number from 1 to ${MOST_SALES}`);
    }
    const wanted = query.get('conflict');
    if (wanted !== null && !CONFLICT_STATES.some((state) => state === wanted)) {
      throw notAllowed('conflict', wanted, 'open, decided or unbooked');
    }
    const isMatch = matcherOf(query, await membersOf(current, query.get('member')));
    const conflicts = new Map<string, Conflict>();
    const matches = async (event: SoldEvent) => {
      if (!isMatch(event)) return false;
      if (event.result !== 'conflict') return true;
      const conflict = await readConflict(current.store, event.calculationId!);
      conflicts.set(event.calculationId!, conflict);
      return wanted === null || conflict.conflict === wanted;
    };
    const { events, beforeMs } = await searchSales(current.store, { ...range, matches, most: Number(limit) });
    const next = beforeMs === undefined ? {} : { next: new Date(beforeMs).toISOString() };
    const sales = events.map((event) => ({
      ...describe(event),
      ...(event.result === 'conflict' && conflicts.get(event.calculationId!)),
    }));
    return answered({ sales, ...next }, { audit: { found: events.length } });
  },
};

/** Days are those of the venue, from midnight to midnight; an instant is one everywhere. */
function readRange(
  query: URLSearchParams,
  { venues }: Environment,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const venueId = query.get('venueId');
  const timeZone = (venues.find((venue) => venue.venueId === venueId) ?? venues[0])?.timeZone ?? 'UTC';
  const to = readMoment(query, 'to', timeZone, nowMs + 1);
  const from = readMoment(query, 'from', timeZone, startOfDay(dateIn(timeZone, to.endMs - 1), timeZone)!);
  if (from.startMs >= to.endMs)
    throw new InvalidRequest('from: found a time behind that of to, allowed: an earlier one');
  const oldestMs = nowMs - 90 * DAY_MS;
  return { fromMs: Math.max(oldestMs, from.startMs), toMs: to.endMs };
}

function readMoment(query: URLSearchParams, name: string, timeZone: string, otherwise: number) {
  const text = query.get(name);
  if (text === null) return { startMs: otherwise, endMs: otherwise };
  const instant = parseDateTime(text);
  if (instant !== undefined) return { startMs: instant, endMs: instant };
  const startMs = startOfDay(text, timeZone);
  if (startMs === undefined) {
    throw notAllowed(name, text, 'a day such as 2026-11-21, or a time such as 2026-11-21T14:00:00+01:00');
  }
  // There is no day behind the year 9999.
  const endMs = startOfDay(formatDate(parseDate(text)! + 1), timeZone) ?? startMs + DAY_MS;
  return { startMs, endMs };
}

/** The pseudonyms that an ID may stand for: itself, and those of the loyalty ID in each programme, of all cards that are its member. */
async function membersOf(
  { environment, store }: Current,
  member: string | null,
): Promise<ReadonlySet<string> | undefined> {
  if (member === null) return undefined;
  const programmes = environment.programmes.map(({ programmeId }) => membersOfCard(store, programmeId, member));
  const tokens = (await Promise.all(programmes)).flat();
  return new Set([member, ...(await Promise.all(tokens.map((token) => pseudonymOf(store, token))))]);
}

type Conflict = Awaited<ReturnType<typeof readConflict>>;

/** What became of a conflict. Only outcomes of an answered calculation are booked, and its record alone has the second one. */
async function readConflict(store: Store, calculationId: string) {
  const { state, second, decision } = (await findCalculation(store, calculationId)) ?? {};
  if (decision) return { conflict: 'decided', decision: describeDecision(decision) } as const;
  return { conflict: second && state !== 'unknown' ? 'open' : 'unbooked' } as const;
}

function matcherOf(query: URLSearchParams, members: ReadonlySet<string> | undefined): (event: SoldEvent) => boolean {
  const [venueId, status, wasAnswered] = [query.get('venueId'), query.get('status'), query.get('answered')];
  const [reason, benefitId] = [query.get('reason'), query.get('benefitId')];
  const usual = query.has('conflict') ? 'conflict' : 'recorded';
  return (event) => {
    const kind = event.result === 'recorded' ? event.status : event.result;
    if (status === null ? event.result !== usual : kind !== status) return false;
    if (query.has('conflict') && event.result !== 'conflict') return false;
    if (venueId !== null && event.venueId !== venueId) return false;
    if (wasAnswered !== null && event.answered !== wasAnswered) return false;
    if (reason !== null && event.reason !== reason && event.failureReason !== reason) return false;
    if (benefitId !== null && !givenBy(event).some((benefit) => benefit.benefitId === benefitId)) return false;
    return members === undefined || (event.member !== undefined && members.has(event.member));
  };
}

/** What the sale gave. A cancelled or expired one tells what was offered, which nobody got. */
function givenBy({ result, status, benefits = [] }: SoldEvent) {
  return result === 'recorded' && status === 'applied' ? benefits : [];
}

function describe(event: SoldEvent) {
  const { calculationId, transactionId, failureReason, answered: answer, reason, returnId, refund } = event;
  const { venueId, programmeId, member, currency, atMs, late = false, result, status } = event;
  const benefits = givenBy(event).map(({ benefitId, units, saved }) => ({ benefitId, units, saved }));
  return {
    at: new Date(atMs).toISOString(),
    calculationId,
    status: result === 'recorded' ? status : result,
    transactionId,
    failureReason,
    answered: answer,
    reason,
    venueId,
    programmeId,
    member,
    currency,
    benefits,
    isLate: late,
    returnId,
    refund,
  };
}
