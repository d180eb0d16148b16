import { createHash } from 'node:crypto';
import type { Programme } from '@loyalty/engine/compile/programme';
import { describeSpentGrant } from '@loyalty/engine/offers/limits';
import { readSnapshot } from '../../../../src/administration/dry-run.ts';
import { eraseWithCertificate } from '../../../../src/administration/erase.ts';
import { createMemberCheck, endedBenefits, grantableBenefits } from '../../../../src/programme/member-check.ts';
import type { MemberEntry } from '../../../../src/programme/schema.ts';
import { writeOwnMembers } from '../../../../src/store/dataset.ts';
import { readHolds } from '../../../../src/store/holds.ts';
import { type MemberToken, memberToken } from '../../../../src/store/keys.ts';
import { changeMember } from '../../../../src/store/member-changes.ts';
import { benefitOfGrant, countersOf, memberFields, type StoredMember } from '../../../../src/store/members.ts';
import { resolveMerged } from '../../../../src/store/merged.ts';
import { pseudonymOf } from '../../../../src/store/pseudonyms.ts';
import { type AskedPeriod, readAskedPeriod } from '../asked-period.ts';
import type { Current } from './administration.ts';
import { throwFault } from './invalid-request.ts';
import { describeGrants, describeHolds, describeLimits, PERIOD_WORDS } from './limits.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';

/** Routes for single members. A member in the configuration file belongs to the file and can only be changed there. */

export const MEMBER_PATH = '/admin/programmes/{programmeId}/members/{loyaltyId}';

export const UNKNOWN = 'No such programme, or no such member in it.';
export const PRECONDITION_FAILED = 'The member is not as `If-Match` says: read it again.';
export const CHANGED = 'The member has changed since it was read, or is not stored: read it again.';
const IN_FILE = 'The configuration file names this member: it is changed or removed there.';

export const readMemberRoute: AdminRoute = {
  method: 'GET',
  path: MEMBER_PATH,
  role: 'read',
  operationId: 'readMember',
  summary: 'A member and what is left of its limits',
  description:
    'The member, and for each limited benefit of the programme the period that is running now in the time zone of its venues: consumed, held by open calculations, over-redeemed and left; the same for each grant with a quantity. The loyalty ID is percent-encoded in the path. `ETag` names what is stored of the member, without its limits and holds. With `period` the limits are those of an earlier period, by the configuration in force; the days of a month or a week, and the months of a year, are listed where something was used.',
  query: { period: PERIOD_WORDS },
  answerSchema: 'MemberState',
  failures: { invalid: 'No period, or one whose counters are no longer kept.', notFound: UNKNOWN },
  handle: ofMember((named, { query }) => {
    const { retentionMs } = named.current.store.periods;
    return tellMember(named, [], readAskedPeriod(query.get('period'), retentionMs, Date.now()));
  }),
};

export const writeMemberRoute: AdminRoute = {
  method: 'PUT',
  path: MEMBER_PATH,
  role: 'write',
  operationId: 'writeMember',
  summary: 'Make or replace a member',
  description:
    'Held to what the configuration file is held to. It takes the place of all that was stored of the member; what it has consumed and holds stays. The next basket call sees it. With `If-Match` it is written only while what is stored still has one of these `ETag`s; `*` stands for any member that is stored.',
  requestSchema: 'MemberBody',
  answerSchema: 'MemberState',
  failures: {
    invalid: 'The body or the loyalty ID is not as it should be; a grant names no benefit of the programme.',
    notFound: 'No such programme.',
    conflict: IN_FILE,
    preconditionFailed: PRECONDITION_FAILED,
  },
  handle: ofMember(writeMemberOf),
};

export const eraseMemberRoute: AdminRoute = {
  method: 'DELETE',
  path: MEMBER_PATH,
  role: 'admin',
  operationId: 'eraseMember',
  summary: 'Erase a member',
  description:
    'Removes the member, what it has used and holds, its calculations, their stored answers and the index entries that lead to them. The next basket call answers `member_not_found`; a sale event for one of its calculations answers `unknown_calculation`. The loyalty IDs that were merged into it go with it. With `certificate=yes` the answer has a certificate of the erasure. The second time it finds nothing and answers 200 again. What stays, without a loyalty ID and without a way back to one, is in docs/operations.md.',
  query: { certificate: '`yes`: the answer has a certificate of the erasure, to be kept as a file.' },
  answerSchema: 'Erased',
  failures: { notFound: 'No such programme.', conflict: IN_FILE },
  handle: ofMember(removeMember),
};

/** The member of a path. `audit` names it in the audit log. */
export interface Named {
  readonly current: Current;
  readonly programme: Programme;
  readonly programmeId: string;
  readonly loyaltyId: string;
  readonly token: MemberToken;
  readonly audit: { readonly programmeId: string; readonly member: MemberToken };
}

type Handler<Found> = (found: Found, call: AdminCall) => Promise<AdminAnswer> | AdminAnswer;

/** Finds the programme of the path and calls the handler with it. */
export function ofProgramme(
  handle: Handler<Pick<Named, 'current' | 'programme' | 'programmeId'>>,
): AdminRoute['handle'] {
  return (administration, call) => {
    const current = administration.current();
    const { programmeId = '' } = call.parameters;
    const { programmes } = current.environment;
    const programme = programmes.find((other) => other.programmeId === programmeId);
    if (programme) return handle({ current, programme, programmeId }, call);
    const known = programmes.map((other) => other.programmeId).join(', ');
    return refused('notFound', `There is no programme ${JSON.stringify(programmeId)}, there is: ${known || 'none'}.`);
  };
}

/** The same, with the member of the path; of a merged member with the one that it was merged into. */
export function ofMember(handle: Handler<Named>): AdminRoute['handle'] {
  return ofProgramme(async (found, call) => {
    const { current, programmeId } = found;
    const loyaltyId = await resolveMerged(current.store, programmeId, call.parameters['loyaltyId'] ?? '');
    const token = memberToken(programmeId, loyaltyId);
    return handle({ ...found, loyaltyId, token, audit: { programmeId, member: token } }, call);
  });
}

/** Refuses a change of a member in the file: the next reload or reconnect would silently undo it. */
export function refuseFileMember({ current, programmeId, loyaltyId, audit }: Named): AdminAnswer | undefined {
  return current.environment.findMember(programmeId, loyaltyId) && refused('conflict', IN_FILE, audit);
}

/** A member that was merged into another one is neither replaced nor erased by its old loyalty ID: both would hit the other one. */
function refuseMerged({ parameters }: AdminCall, named: Named): AdminAnswer | undefined {
  if (parameters['loyaltyId'] === named.loyaltyId) return undefined;
  const message = `This member was merged into ${JSON.stringify(named.loyaltyId)}: change or erase that one, which erases this loyalty ID too.`;
  return refused('conflict', message, named.audit);
}

async function writeMemberOf(named: Named, call: AdminCall): Promise<AdminAnswer> {
  const { current, programme, programmeId, loyaltyId } = named;
  const merged = refuseMerged(call, named);
  if (merged) return merged;
  const value = nameMember(call.value, programmeId, loyaltyId);
  if (value === undefined) return refused('invalid', 'The body names another member than the path.');
  const stored = (await readSnapshot(current.store, programmeId, loyaltyId)).member;
  // A grant that the member has already may be one of a campaign that ended.
  const owned = new Set(stored?.grants.map(benefitOfGrant));
  throwFault(createMemberCheck([programme])(value, owned));
  const entry = value as MemberEntry;
  const member: StoredMember = { ...entry, grants: entry.grants ?? [] };
  const conflict = refuseFileMember(named);
  if (conflict) return conflict;
  const { status, tier, grants } = member;
  const audit = { ...named.audit, status, tier, grants };
  if (!(await writeIfMatched(current, member, call.ifMatch))) return refused('preconditionFailed', CHANGED, audit);
  const known = new Set(stored?.grants.map((grant) => JSON.stringify(grant)));
  const given = grants.filter((grant) => !known.has(JSON.stringify(grant)));
  const answer = await tellMember(named, given);
  return { ...answer, audit };
}

/** Writes the member. Returns false, and writes nothing, when what is stored is not what `If-Match` names. */
async function writeIfMatched({ store }: Current, member: StoredMember, ifMatch: string | undefined): Promise<boolean> {
  if (ifMatch === undefined) {
    await writeOwnMembers(store, [member]);
    return true;
  }
  const change = await changeMember(store, member, (stored) =>
    isAsExpected(ifMatch, stored) ? { outcome: 'write', member } : { outcome: 'refuse', refusal: 'other ETag' },
  );
  return change.outcome === 'write';
}

/**
 * True where a change may be made to what is stored: without `If-Match`, with `*` to any member, otherwise to one of
 * the named states. It compares strongly, as RFC 9110 demands of `If-Match`: a weak tag never matches.
 */
export function isAsExpected(ifMatch: string | undefined, stored: StoredMember | undefined): boolean {
  if (ifMatch === undefined) return true;
  if (!stored) return false;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return ifMatch.trim() === '*' || tags.includes(tagOf(stored));
}

function tagOf(member: StoredMember): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(memberFields(member)))
    .digest('base64url');
  return `"${digest.slice(0, 22)}"`;
}

async function removeMember(named: Named, call: AdminCall): Promise<AdminAnswer> {
  const conflict = refuseMerged(call, named) ?? refuseFileMember(named);
  if (conflict) return conflict;
  const { programmeId, loyaltyId, audit } = named;
  const { certificate, isCompleter } = await eraseWithCertificate(named.current, {
    programmeId,
    loyaltyId,
    by: call.who,
  });
  const { member, calculations } = certificate.erased;
  const isWanted = call.query.get('certificate') === 'yes';
  const told = { erased: { member, calculations }, ...(isWanted && { certificate }) };
  const answer = answered(told, { audit: { ...audit, erased: certificate.erased } });
  return isCompleter ? answer : { ...answer, changesNothing: true };
}

/** Adds the IDs of the path to the body. Returns undefined when the body has other IDs. */
function nameMember(body: unknown, programmeId: string, loyaltyId: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const said: Partial<MemberEntry> = body;
  const { programmeId: saidProgramme = programmeId, loyaltyId: saidId = loyaltyId } = said;
  return saidProgramme === programmeId && saidId === loyaltyId ? { ...said, programmeId, loyaltyId } : undefined;
}

/** Answers with the member, and warns of those of `given`, its new grants, that can give nothing. */
export async function tellMember(
  named: Named,
  given: StoredMember['grants'] = [],
  asked?: AskedPeriod,
): Promise<AdminAnswer> {
  const { current, programme, programmeId, loyaltyId, token, audit } = named;
  const snapshot = await readSnapshot(current.store, programmeId, loyaltyId);
  const inFile = current.environment.findMember(programmeId, loyaltyId);
  const member = snapshot.member ?? inFile;
  if (!member) return refused('notFound', `Programme ${programmeId} has no such member.`, audit);
  const venues = current.environment.venues.filter((venue) => venue.programme.programmeId === programmeId);
  const warnings = given.flatMap((grant) => describeSpentGrant(venues, grant, countersOf(snapshot)) ?? []);
  const state = {
    ...member,
    member: await pseudonymOf(current.store, token),
    source: inFile ? 'configuration' : 'administration',
    limits: describeLimits(current.environment, programme, snapshot, asked),
    granted: describeGrants(member.grants, snapshot),
    endedBenefits: endedBenefits(programmeId, member.grants, grantableBenefits([programme])),
    ...(warnings.length > 0 && { warnings }),
    holds: describeHolds(await readHolds(current.store, token), snapshot.nowMs),
  };
  return answered(state, { etag: tagOf(member), audit });
}
