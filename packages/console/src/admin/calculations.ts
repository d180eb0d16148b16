import { isUuid } from '@loyalty/contract/headers';
import { resolveConflict } from '../../../../src/administration/resolve-conflict.ts';
import type { BookedReturn } from '../../../../src/store/booked-return.ts';
import { findCalculation } from '../../../../src/store/find-calculation.ts';
import { type Pseudonym, pseudonymOf } from '../../../../src/store/pseudonyms.ts';
import { readRedisMs } from '../../../../src/store/redis-clock.ts';
import { readReturns } from '../../../../src/store/returns.ts';
import { soldMs } from '../../../../src/store/store.ts';
import { allUses, type Decision, type StoredCalculation } from '../../../../src/store/stored-calculation.ts';
import type { Current } from './administration.ts';
import { tellStory } from './calculation-story.ts';
import { notAllowed } from './invalid-request.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';
import type { ResolveBody } from './sale-schemas.ts';
import { readUsageKey } from './uses.ts';

/** `GET /admin/calculations/{calculationId}`: the history of a calculation. */
export const readCalculationRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/calculations/{calculationId}',
  role: 'read',
  operationId: 'readCalculation',
  summary: 'What became of a calculation',
  description:
    'What is known of it for as long as it is kept (`calculation.retentionDays`, of a sold one `returns.days`), and its story in sentences, in order of time. It holds no loyalty ID: `member` is a pseudonym.',
  answerSchema: 'Calculation',
  failures: { invalid: 'No calculation ID.', notFound: 'Never seen, or longer ago than it is kept.' },
  async handle(administration, { parameters }) {
    const calculationId = readId(parameters);
    const { store } = administration.current();
    const record = await findCalculation(store, calculationId);
    if (!record) return unknownCalculation(store, calculationId);
    const audit = { calculationId, member: record.member };
    return answered(await describeCalculation(administration.current(), record), { audit });
  },
};

/** `POST /admin/calculations/{calculationId}/resolve`: a person decides between two outcomes. */
export const resolveConflictRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/calculations/{calculationId}/resolve',
  role: 'write',
  operationId: 'resolveConflict',
  summary: 'Decide between two outcomes of a sale',
  description:
    'Where a sale event reported another outcome than the one before it (409), the first outcome stands until somebody decides here. With `second` limits, grants, costs and the sale become what the second outcome would have made of them, booked on the day of the decision; with `first` nothing changes but that it is decided. The reason stands in the audit log. Repeated, it answers the same.',
  requestSchema: 'ResolveBody',
  answerSchema: 'Calculation',
  failures: {
    invalid: 'No calculation ID, or the body is not as it should be.',
    notFound: 'No such calculation was answered here, or it is no longer kept.',
    conflict:
      'No second outcome was reported, it was decided otherwise before, or goods of the first outcome came back.',
  },
  async handle(administration, { who, parameters, value }) {
    const calculationId = readId(parameters);
    const current = administration.current();
    const { outcome, reason } = value as ResolveBody;
    const done = await resolveConflict(current, calculationId, { outcome, who, reason });
    if (done.kind === 'not_found') return unknownCalculation(current.store, calculationId);
    const audit = { calculationId, member: done.record.member, outcome, reason };
    if (done.kind === 'refused') return refused('conflict', done.message, audit);
    const { isRepeated, isCompleter } = done;
    const answer = answered(await describeCalculation(current, done.record), { audit: { ...audit, isRepeated } });
    return isCompleter ? answer : { ...answer, changesNothing: true };
  },
};

function readId({ calculationId = '' }: AdminCall['parameters']): string {
  if (!isUuid(calculationId)) throw notAllowed('calculationId', calculationId, 'a lower-case UUID');
  return calculationId;
}

function unknownCalculation({ periods }: Current['store'], calculationId: string): AdminAnswer {
  const message = `Calculation ${calculationId} was never seen here, or is no longer kept: ${describeKept(periods)}.`;
  return refused('notFound', message, { calculationId });
}

/** For how long calculations are kept, as a part of a sentence. */
export function describeKept(periods: Current['store']['periods']): string {
  const [days, daysOfSold] = [periods.retentionMs, soldMs(periods)].map((ms) => Math.round(ms / 86_400_000));
  return `baskets are kept for ${days} days, sold ones for ${daysOfSold}`;
}

/** A return as it was booked. */
export function describeReturn({ returnId, atMs, answer: { refund, lines }, returnedAt }: BookedReturn) {
  return { returnId, at: instant(atMs), refund, lines, returnedAt };
}

/** A calculation as facts and as a story. */
export async function describeCalculation({ environment, store }: Current, record: StoredCalculation) {
  const venue = environment.venues.find(({ venueId }) => venueId === record.venueId);
  const pseudonym = record.member && (await pseudonymOf(store, record.member));
  const { member, calculationId, sale } = record;
  const returns = member && sale ? await readReturns(store, member, calculationId) : [];
  const story = tellStory(record, returns, venue, await readRedisMs(store.connection));
  const returned = returns.map(describeReturn);
  return { ...structure(record, pseudonym), ...(returned.length > 0 && { returns: returned }), story };
}

function structure(record: StoredCalculation, member: Pseudonym | undefined) {
  const { calculationId, state, venueId, status, supersededBy, sale, conflicts, second, decision } = record;
  const { answeredAtMs, deadlineMs, total, soldAtMs, isLate, overRedeemed } = record;
  const uses = allUses(record).map(({ usageKey, units, limit }) => ({ ...readUsageKey(usageKey), units, limit }));
  return {
    calculationId,
    state,
    member,
    venueId,
    ...(status !== undefined && { answered: { status, at: instant(answeredAtMs), total } }),
    ...(uses.length > 0 && { held: { until: instant(deadlineMs), uses } }),
    supersededBy,
    ...(sale && { sale: { ...sale, at: instant(soldAtMs), isLate, overRedeemed } }),
    conflicts,
    second,
    ...(decision && { decision: describeDecision(decision) }),
  };
}

export function describeDecision({ atMs, ...decision }: Decision) {
  return { ...decision, at: instant(atMs) };
}

function instant(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}
