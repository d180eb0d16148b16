import { isUuid } from '@loyalty/contract/headers';
import type { BookedReturn } from '../../../../src/store/booked-return.ts';
import { type CalculationRecord, readCalculation } from '../../../../src/store/calculation-record.ts';
import { type Pseudonym, pseudonymOf } from '../../../../src/store/pseudonyms.ts';
import { readRedisMs } from '../../../../src/store/redis-clock.ts';
import { readReturns } from '../../../../src/store/returns.ts';
import { soldMs } from '../../../../src/store/store.ts';
import type { Current } from './administration.ts';
import { tellStory } from './calculation-story.ts';
import { type AdminRoute, answered, refused } from './route.ts';
import { readUses } from './uses.ts';

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
    const { calculationId = '' } = parameters;
    if (!isUuid(calculationId)) {
      return refused('invalid', `calculationId: found ${JSON.stringify(calculationId)}, allowed: a lower-case UUID`);
    }
    const { store } = administration.current();
    const record = await readCalculation(store, calculationId);
    const audit = { calculationId, member: record?.member };
    if (!record) {
      const kept = describeKept(store.periods);
      return refused(
        'notFound',
        `Calculation ${calculationId} was never seen here, or is no longer kept: ${kept}.`,
        audit,
      );
    }
    return answered(await describeCalculation(administration.current(), record), { audit });
  },
};

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
export async function describeCalculation({ environment, store }: Current, record: CalculationRecord) {
  const venue = environment.venues.find(({ venueId }) => venueId === record.venueId);
  const pseudonym = record.member && (await pseudonymOf(store, record.member));
  const { member, calculationId, sale } = record;
  const returns = member && sale ? await readReturns(store, member, calculationId) : [];
  const story = tellStory(record, returns, venue, await readRedisMs(store.connection));
  const returned = returns.map(describeReturn);
  return { ...structure(record, pseudonym), ...(returned.length > 0 && { returns: returned }), story };
}

function structure(record: CalculationRecord, member: Pseudonym | undefined) {
  const { calculationId, state, venueId, answered: status, supersededBy, sale, conflicts } = record;
  const { answeredAtMs, deadlineMs, total, soldAtMs, isLate, overRedeemed } = record;
  return {
    calculationId,
    state,
    member,
    venueId,
    ...(status !== undefined && { answered: { status, at: instant(answeredAtMs), total } }),
    ...(record.uses !== '' && { held: { until: instant(deadlineMs), uses: readUses(record.uses) } }),
    supersededBy,
    ...(sale && { sale: { ...sale, at: instant(soldAtMs), isLate, overRedeemed } }),
    conflicts,
  };
}

function instant(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}
