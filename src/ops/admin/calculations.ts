import { isUuid } from '../../contract/headers.ts';
import type { Environment } from '../../programme/environment.ts';
import { type CalculationRecord, readCalculation } from '../../store/calculation-record.ts';
import { tellStory } from './calculation-story.ts';
import { type AdminRoute, answered, refused } from './route.ts';
import { readUses } from './uses.ts';

/** `GET /admin/calculations/{calculationId}`: the history of a calculation. */
export const readCalculationRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/calculations/{calculationId}',
  role: 'read',
  action: 'read calculation',
  operation: {
    operationId: 'readCalculation',
    summary: 'What became of a calculation',
    description:
      'What is known of it for as long as it is kept (`calculation.retentionDays`), and its story in sentences, in order of time. It holds no loyalty ID: `member` is the token that stands in Redis keys.',
    answerSchema: 'Calculation',
    failures: { invalid: 'No calculation ID.', notFound: 'Never seen, or longer ago than it is kept.' },
  },
  async handle(administration, { parameters }) {
    const { calculationId = '' } = parameters;
    if (!isUuid(calculationId)) {
      return refused('invalid', `calculationId: found ${JSON.stringify(calculationId)}, allowed: a lower-case UUID`);
    }
    const { store, environment } = administration.current();
    const record = await readCalculation(store, calculationId);
    const audit = { calculationId, member: record?.member };
    if (!record) {
      const days = Math.round(store.periods.retentionMs / 86_400_000);
      return refused(
        'notFound',
        `Calculation ${calculationId} was never seen here, or more than ${days} days ago.`,
        audit,
      );
    }
    return answered(describeCalculation(environment, record), { audit });
  },
};

/** A calculation as facts and as a story. */
export function describeCalculation({ venues }: Environment, record: CalculationRecord) {
  const venue = venues.find(({ venueId }) => venueId === record.venueId);
  return { ...structure(record), story: tellStory(record, venue, Date.now()) };
}

function structure(record: CalculationRecord) {
  const { calculationId, state, member, venueId, answered: status, supersededBy, sale, conflicts } = record;
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
