import { createMemberCheck } from '../../../../src/programme/member-check.ts';
import { type Change, changeMember } from '../../../../src/store/member-changes.ts';
import { benefitOfGrant, nameOfGrant, type StoredGrant, type StoredMember } from '../../../../src/store/members.ts';
import { throwFault } from './invalid-request.ts';
import {
  CHANGED,
  isAsExpected,
  MEMBER_PATH,
  type Named,
  ofMember,
  PRECONDITION_FAILED,
  refuseFileMember,
  tellMember,
  UNKNOWN,
} from './members.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, refused } from './route.ts';

/**
 * Routes for the single grants of a member, so that whoever counts stamps needs to know nothing else of the member. Each
 * may be repeated: the same grant has one counter, whatever else was written meanwhile.
 */

const PATH = `${MEMBER_PATH}/grants/{grantId}`;
const FAILURES = {
  notFound: UNKNOWN,
  conflict: 'The configuration file names this member, whose grants are changed there.',
  preconditionFailed: PRECONDITION_FAILED,
};

export const writeGrantRoute: AdminRoute = {
  method: 'PUT',
  path: PATH,
  role: 'write',
  operationId: 'writeGrant',
  summary: 'Give a member a grant',
  description:
    'Adds a grant, or takes the place of the one with this `grantId`; a grant that is a benefitId alone has that name. `quantity` is the number of baskets in which the benefit may apply; `from` and `to` are days, both included. The counter belongs to the grant: giving the same one again, even after it was taken, gives nothing new. A grant that can give nothing, because its counter or a limit of its benefit is used up, is written and answered with `warnings`. Any number of grants may be given to a member at once; `If-Match` limits the change to a member that still has this `ETag`.',
  requestSchema: 'GrantBody',
  answerSchema: 'MemberState',
  failures: { invalid: 'The body is not as it should be, or names no benefit of the programme.', ...FAILURES },
  handle: ofMember(writeGrant),
};

export const removeGrantRoute: AdminRoute = {
  method: 'DELETE',
  path: PATH,
  role: 'write',
  operationId: 'removeGrant',
  summary: 'Take a grant from a member',
  description:
    'The second time it finds nothing and answers 200 again. Open calculations keep their hold of it. Its counter stays.',
  answerSchema: 'MemberState',
  failures: FAILURES,
  handle: ofMember(removeGrant),
};

async function writeGrant(named: Named, call: AdminCall): Promise<AdminAnswer> {
  const { grantId = '' } = call.parameters;
  const said = call.value as Partial<StoredGrant> | null;
  if (typeof said !== 'object' || said === null || Array.isArray(said)) {
    return refused('invalid', 'the body: found no mapping, allowed: a mapping');
  }
  if (said.grantId !== undefined && said.grantId !== grantId) {
    return refused('invalid', 'The body names another grant than the path.');
  }
  const grant = { ...said, grantId } as StoredGrant;
  const change = (grants: Grants): Grants => {
    const at = grants.findIndex((other) => nameOfGrant(other) === grantId);
    return at < 0
      ? [...grants, grant]
      : grants.with(at, grant).filter((other, i) => i <= at || nameOfGrant(other) !== grantId);
  };
  return changeGrants(named, call, change, [grant]);
}

function removeGrant(named: Named, call: AdminCall): Promise<AdminAnswer> {
  const { grantId } = call.parameters;
  return changeGrants(named, call, (grants) => grants.filter((grant) => nameOfGrant(grant) !== grantId));
}

type Grants = StoredMember['grants'];

/**
 * Changes the grants of a stored member. Where somebody else changes the member at the same time, the change is made to
 * what that one wrote; the caller sees 412 only if it sent an `If-Match` that no longer matches.
 */
async function changeGrants(
  named: Named,
  call: AdminCall,
  change: (grants: Grants) => Grants,
  given: Grants = [],
): Promise<AdminAnswer> {
  const { current, programme, programmeId, loyaltyId } = named;
  const audit = { ...named.audit, grantId: call.parameters.grantId };
  const conflict = refuseFileMember(named);
  if (conflict) return conflict;
  const check = createMemberCheck([programme]);
  const decide = (stored: StoredMember | undefined): Change<AdminAnswer> => {
    const refuse = (refusal: AdminAnswer) => ({ outcome: 'refuse', refusal }) as const;
    if (!stored) return refuse(refused('notFound', `Programme ${programmeId} has no such member.`, audit));
    if (!isAsExpected(call.ifMatch, stored)) return refuse(refused('preconditionFailed', CHANGED, audit));
    const member: StoredMember = { ...stored, grants: change(stored.grants) };
    // A grant whose campaign ended is no reason to refuse another one.
    const owned = new Set(stored.grants.map(benefitOfGrant));
    throwFault(check(member, owned));
    return { outcome: 'write', member };
  };
  const changed = await changeMember(current.store, { programmeId, loyaltyId }, decide);
  if (changed.outcome === 'refuse') return changed.refusal;
  const answer = await tellMember(named, given);
  return { ...answer, audit: { ...audit, grants: changed.member.grants } };
}
