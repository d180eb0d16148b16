import { parseJson } from '../../basket/parse-json.ts';
import type { Programme } from '../../pricing/programme.ts';
import { createMemberCheck } from '../../programme/member-check.ts';
import type { MemberEntry } from '../../programme/schema.ts';
import { eraseMember } from '../../store/erasure.ts';
import { memberToken } from '../../store/keys.ts';
import { readMember, type StoredMember, writeMembers } from '../../store/members.ts';
import type { Administration, Current } from './administration.ts';
import { describeHolds, describeLimits } from './limits.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';

/** Routes for single members. A member in the configuration file belongs to the file and can only be changed there. */

const PATH = '/admin/programmes/{programmeId}/members/{loyaltyId}';

const UNKNOWN = 'No such programme, or no such member in it.';
const IN_FILE = 'The configuration file names this member: it is changed or removed there.';

export const readMemberRoute: AdminRoute = {
  method: 'GET',
  path: PATH,
  operation: {
    operationId: 'readMember',
    summary: 'A member and what is left of its limits',
    description:
      'The member, and for each limited benefit of the programme the period that is running now in the time zone of its venues: consumed, held by open calculations, over-redeemed and left. The loyalty ID is percent-encoded in the path.',
    answerSchema: 'MemberState',
    failures: { notFound: UNKNOWN },
  },
  handle: (administration, call) => withProgramme(administration, call, tellMember),
};

export const writeMemberRoute: AdminRoute = {
  method: 'PUT',
  path: PATH,
  operation: {
    operationId: 'writeMember',
    summary: 'Make or replace a member',
    description:
      'Held to what the configuration file is held to. It takes the place of all that was stored of the member; what it has consumed and holds stays. The next basket call sees it.',
    requestSchema: 'MemberBody',
    answerSchema: 'MemberState',
    failures: {
      invalid: 'The body or the loyalty ID is not as it should be; a grant names no benefit of the programme.',
      notFound: 'No such programme.',
      conflict: IN_FILE,
    },
  },
  handle: (administration, call) => withProgramme(administration, call, replaceMember),
};

export const eraseMemberRoute: AdminRoute = {
  method: 'DELETE',
  path: PATH,
  operation: {
    operationId: 'eraseMember',
    summary: 'Erase a member',
    description:
      'Removes the member, what it has used and holds, its calculations, their stored answers and the index entries that lead to them. The next basket call answers `member_not_found`; a sale event for one of its calculations answers `unknown_calculation`. The second time it finds nothing and answers 200 again. What stays, without a loyalty ID and without a way back to one, is in docs/operations.md.',
    answerSchema: 'Erased',
    failures: { notFound: 'No such programme.', conflict: IN_FILE },
  },
  handle: (administration, call) => withProgramme(administration, call, removeMember),
};

interface Named {
  readonly current: Current;
  readonly programme: Programme;
  readonly loyaltyId: string;
}

type Handler = (administration: Administration, call: AdminCall, named: Named) => Promise<AdminAnswer>;

/** Finds the programme of the path and calls the handler with it. */
async function withProgramme(administration: Administration, call: AdminCall, handle: Handler): Promise<AdminAnswer> {
  const current = administration.current();
  const { programmeId, loyaltyId = '' } = call.parameters;
  const programme = current.environment.programmes.find((other) => other.programmeId === programmeId);
  if (programme) return handle(administration, call, { current, programme, loyaltyId });
  const known = current.environment.programmes.map((other) => other.programmeId).join(', ');
  return refused('notFound', `There is no programme ${JSON.stringify(programmeId)}, there is: ${known || 'none'}.`);
}

/** Refuses a change of a member in the file: the next reload or reconnect would silently undo it. */
function refuseFileMember({ current, programme, loyaltyId }: Named): AdminAnswer | undefined {
  const isInFile = current.environment.findMember(programme.programmeId, loyaltyId) !== undefined;
  return isInFile ? refused('conflict', IN_FILE) : undefined;
}

async function replaceMember(administration: Administration, call: AdminCall, named: Named): Promise<AdminAnswer> {
  const { current, programme, loyaltyId } = named;
  const parsed = parseJson(call.body);
  if (!parsed.ok) return refused('invalid', parsed.refusal.message);
  const value = nameMember(parsed.value, programme.programmeId, loyaltyId);
  if (value === undefined) return refused('invalid', 'The body names another member than the path.');
  const fault = createMemberCheck([programme])(value);
  if (fault) return refused('invalid', `${fault.path || 'the body'}: found ${fault.found}, allowed: ${fault.allowed}`);
  const entry = value as MemberEntry;
  const member: StoredMember = { ...entry, grants: entry.grants ?? [] };
  const conflict = refuseFileMember(named);
  if (conflict) return conflict;
  await writeMembers(current.store, [member]);
  const { programmeId } = programme;
  const { who, requestId } = call;
  const { status, tier, grants } = member;
  const what = {
    action: 'write member',
    programmeId,
    member: memberToken(programmeId, loyaltyId),
    status,
    tier,
    grants,
  };
  administration.log.info({ who, requestId, ...what }, 'administration');
  return tellMember(administration, call, named);
}

async function removeMember(administration: Administration, call: AdminCall, named: Named): Promise<AdminAnswer> {
  const { current, programme, loyaltyId } = named;
  const conflict = refuseFileMember(named);
  if (conflict) return conflict;
  const { programmeId } = programme;
  const member = memberToken(programmeId, loyaltyId);
  const erased = await eraseMember(current.store, member);
  const { who, requestId } = call;
  administration.log.info({ who, requestId, action: 'erase member', programmeId, member, erased }, 'administration');
  return answered({ erased });
}

/** Adds the IDs of the path to the body. Returns undefined when the body has other IDs. */
function nameMember(body: unknown, programmeId: string, loyaltyId: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const said: Partial<MemberEntry> = body;
  const { programmeId: saidProgramme = programmeId, loyaltyId: saidId = loyaltyId } = said;
  return saidProgramme === programmeId && saidId === loyaltyId ? { ...said, programmeId, loyaltyId } : undefined;
}

async function tellMember(_: Administration, __: AdminCall, named: Named): Promise<AdminAnswer> {
  const { current, programme, loyaltyId } = named;
  const { programmeId } = programme;
  const token = memberToken(programmeId, loyaltyId);
  const snapshot = await readMember(current.store, { token, programmeId, loyaltyId }, true);
  const inFile = current.environment.findMember(programmeId, loyaltyId);
  const member = snapshot.member ?? inFile;
  if (!member) return refused('notFound', `Programme ${programmeId} has no such member.`);
  return answered({
    ...member,
    member: token,
    source: inFile ? 'configuration' : 'administration',
    limits: describeLimits(current.environment, programme, snapshot),
    holds: describeHolds(snapshot),
  });
}
