import { parseDateTime } from '@loyalty/contract/date-time';
import { type Static, Type } from '@loyalty/contract/schema-type';
import { isStaging } from '../../../../src/programme/environment-name.ts';
import { memberToken } from '../../../../src/store/keys.ts';
import { type Aged, ageCalculations, moveClock } from '../../../../src/store/member-clock.ts';
import { readMember } from '../../../../src/store/members.ts';
import type { Administration, Current } from './administration.ts';
import { expectOneOf } from './invalid-request.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';
import { closed, count, described, instant, number, object, optional, text } from './schema-words.ts';

/** The clock of a test member, which a test moves in staging instead of waiting (src/store/README.md). */

const MAX_MOVED_DAYS = 366;
const MAX_MOVED_MINUTES = 24 * 60;
const USUAL_MOVED_MINUTES = 60;
const SECONDS_PER_DAY = 86_400;

const member = { programmeId: text, loyaltyId: text };

const clock = {
  ...member,
  now: described(instant, 'The time by its clock.'),
  aheadSeconds: described(number, 'Below 0 when its clock is behind, 0 when it is right.'),
  until: optional(described(instant, 'It is right again from here on.')),
};

export const Clock = object(clock);

export const ClockMoved = object({
  ...clock,
  aged: described(
    object({
      bySeconds: number,
      calculations: count,
      holds: described(count, 'That have ended by it.'),
      answers: described(count, 'That are not replayed any more: their keys are free.'),
    }),
    'The calculations of the member that are older now.',
  ),
});

export const ClockMove = closed({
  ...member,
  to: optional(described(instant, 'The time that its clock is to show. This or `aheadSeconds`.')),
  aheadSeconds: optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_MOVED_DAYS * SECONDS_PER_DAY,
      description: 'How far on its clock is to go from where it is.',
    }),
  ),
  forMinutes: optional(Type.Integer({ minimum: 1, maximum: MAX_MOVED_MINUTES, default: USUAL_MOVED_MINUTES })),
});
type ClockMove = Static<typeof ClockMove>;

const PATH = '/admin/clock';
const MS_PER_SECOND = 1000;
const MS_PER_MINUTE = 60_000;
const PRODUCTION = 'This is production, where no clock is moved: there are test members in staging alone.';
const NO_TEST_MEMBER = 'No test member of the configuration; or this is production, where no clock is moved.';
const UNKNOWN = 'No such programme, or the test member is not in it.';

export const moveClockRoute: AdminRoute = {
  method: 'POST',
  path: PATH,
  role: 'write',
  alsoFor: ['vendor'],
  operationId: 'moveClock',
  summary: 'Move the clock of a test member',
  description: `In staging, for a member that \`testMembers\` of the configuration names, and for nobody else. Say the time (\`to\`), or how far to go on from where its clock is (\`aheadSeconds\`); at most ${MAX_MOVED_DAYS} days from the right time. Its baskets are priced as if their \`requestedAt\` were as much later; by as much as its clock has gone ahead its calculations are older, so that holds end, keys are free again and sales come late. Going back makes nothing younger. After \`forMinutes\` (60; at most ${MAX_MOVED_MINUTES}) its clock is right again by itself.`,
  requestSchema: 'ClockMove',
  answerSchema: 'ClockMoved',
  failures: { invalid: 'The body is not as it should be.', forbidden: NO_TEST_MEMBER, notFound: UNKNOWN },
  async handle(administration, call) {
    const move = call.value as ClockMove;
    expectOneOf(move, 'to', 'aheadSeconds');
    return withTestMember(administration, move, (member) => moveTo(member, move));
  },
};

export const resetClockRoute: AdminRoute = {
  method: 'DELETE',
  path: PATH,
  role: 'write',
  alsoFor: ['vendor'],
  operationId: 'resetClock',
  summary: 'Set the clock of a test member right',
  description: 'What has ended meanwhile stays ended. The second time it finds nothing to do and answers 200 again.',
  query: { programmeId: 'Its programme.', loyaltyId: 'The loyalty ID of the test member.' },
  answerSchema: 'Clock',
  failures: { forbidden: NO_TEST_MEMBER, notFound: UNKNOWN },
  handle(administration, { query }: AdminCall) {
    const [programmeId, loyaltyId] = [query.get('programmeId') ?? '', query.get('loyaltyId') ?? ''];
    return withTestMember(administration, { programmeId, loyaltyId }, async (member) => {
      await moveClock(member.current.store, member.token, 0, 0);
      return answered(await readClock(member), { audit: member.audit });
    });
  },
};

export const readClockRoute: AdminRoute = {
  method: 'GET',
  path: PATH,
  role: 'read',
  alsoFor: ['vendor'],
  operationId: 'readClock',
  summary: 'The clocks of all test members',
  description: 'Every test member that a programme knows, with the time of its clock.',
  answerSchema: 'Clocks',
  failures: { forbidden: 'This is production, where no clock is moved.' },
  async handle(administration) {
    const current = administration.current();
    const { name, programmes, testMembers } = current.environment;
    if (!isStaging(name)) return refused('forbidden', PRODUCTION);
    const named = programmes.flatMap(({ programmeId }) =>
      testMembers.map((loyaltyId) => nameMember(current, { programmeId, loyaltyId })),
    );
    const clocks = await Promise.all(named.map(readClock));
    return answered({ clocks: clocks.filter((clock) => clock !== undefined) });
  },
};

interface Named {
  readonly programmeId: string;
  readonly loyaltyId: string;
}

type TestMember = ReturnType<typeof nameMember>;

function nameMember(current: Current, { programmeId, loyaltyId }: Named) {
  const token = memberToken(programmeId, loyaltyId);
  return { current, programmeId, loyaltyId, token, audit: { programmeId, member: token } };
}

/** Only a member that is marked and there, so that no clock is moved by a misspelt name. */
async function withTestMember(
  administration: Administration,
  named: Named,
  handle: (member: TestMember) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const member = nameMember(administration.current(), named);
  const { current, programmeId, loyaltyId, audit } = member;
  const { name, testMembers } = current.environment;
  if (!isStaging(name)) return refused('forbidden', PRODUCTION, audit);
  if (!testMembers.includes(loyaltyId)) {
    const message = `${JSON.stringify(loyaltyId)} is no test member: testMembers of the configuration names them.`;
    return refused('forbidden', message, audit);
  }
  if ((await readClock(member)) === undefined) {
    const message = `Programme ${JSON.stringify(programmeId)} has no member ${JSON.stringify(loyaltyId)}.`;
    return refused('notFound', message, audit);
  }
  return handle(member);
}

/**
 * The calculations are made older first: were the clock moved first and the rest interrupted, a repeated call would find
 * nothing left to do.
 */
async function moveTo(member: TestMember, move: ClockMove): Promise<AdminAnswer> {
  const { store } = member.current;
  const { nowMs, movedMs: before } = await readMember(store, member, false);
  const { to, aheadSeconds = 0, forMinutes = USUAL_MOVED_MINUTES } = move;
  const toMs = to === undefined ? undefined : parseDateTime(to);
  const movedMs = Math.round(toMs === undefined ? before + aheadSeconds * MS_PER_SECOND : toMs - nowMs);
  if (Math.abs(movedMs) > MAX_MOVED_DAYS * 86_400_000) {
    return refused('invalid', `The clock would be more than ${MAX_MOVED_DAYS} days off.`, member.audit);
  }
  const byMs = Math.max(0, movedMs - before);
  const aged: Aged =
    byMs > 0 ? await ageCalculations(store, member.token, byMs) : { calculations: 0, holds: 0, answers: 0 };
  await moveClock(store, member.token, movedMs, forMinutes * MS_PER_MINUTE);
  const seconds = movedMs / MS_PER_SECOND;
  return answered(
    { ...(await readClock(member)), aged: { bySeconds: byMs / MS_PER_SECOND, ...aged } },
    { audit: { ...member.audit, movedSeconds: seconds, aged } },
  );
}

/** The clock of a member; undefined where the programme does not know the member. */
async function readClock({ current, programmeId, loyaltyId, token }: TestMember) {
  const read = await readMember(current.store, { token, programmeId, loyaltyId }, false);
  if (!read.member && !current.environment.findMember(programmeId, loyaltyId)) return undefined;
  const { nowMs, movedMs, clockEndsMs } = read;
  return {
    programmeId,
    loyaltyId,
    now: new Date(nowMs + movedMs).toISOString(),
    aheadSeconds: movedMs / MS_PER_SECOND,
    ...(clockEndsMs !== undefined && { until: new Date(clockEndsMs).toISOString() }),
  };
}
