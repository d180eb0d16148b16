import { memberToken } from '../../store/keys.ts';
import { mergeMembers } from '../../store/merge.ts';
import type { Administration } from './administration.ts';
import { auditOf, type Named, UNKNOWN, withProgramme } from './members.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';

/** Merges two members of a programme, such as a lost card and its replacement. */

const FILE = 'The configuration file names one of the members: take it out there first.';

export const mergeRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/programmes/{programmeId}/members/{loyaltyId}/merge',
  role: 'write',
  operationId: 'mergeMember',
  summary: 'Merge a member into another one',
  description:
    'The member `into` gets the grants of this one, what it has used, its open baskets, its sales and their returns; its own status, tier and label stay. From then on calls with the loyalty ID of this one are answered as those of `into`. Grants of one name become one, with the baskets of both. It cannot be undone. It takes a second or more, because all keys are searched; repeat it when it is interrupted: what is done is not done twice.',
  requestSchema: 'MergeBody',
  answerSchema: 'Merge',
  failures: {
    invalid: 'The body is not as it should be, or names the same member.',
    notFound: UNKNOWN,
    conflict: 'The configuration file names one of the members, or one was merged into another member before.',
  },
  handle: (administration, call) => withProgramme(administration, call, merge),
};

async function merge(_: Administration, call: AdminCall, { current, programme }: Named): Promise<AdminAnswer> {
  const { into } = call.value as { readonly into: string };
  // The path names the member as it was, even if it has been merged by now.
  const { programmeId } = programme;
  const { loyaltyId = '' } = call.parameters;
  const audit = { ...auditOf({ current, programme, loyaltyId }), into: memberToken(programmeId, into) };
  if (into === loyaltyId) return refused('invalid', 'into: found the member itself, allowed: another one', audit);
  const { environment, store } = current;
  if ([loyaltyId, into].some((id) => environment.findMember(programmeId, id))) return refused('conflict', FILE, audit);
  const done = await mergeMembers(store, programmeId, loyaltyId, into);
  if (done.outcome === 'unknown') {
    const which = done.which === 'old' ? 'such member' : 'member with the loyalty ID of `into`';
    return refused('notFound', `Programme ${programmeId} has no ${which}.`, audit);
  }
  if (done.outcome === 'elsewhere') {
    const which = done.which === 'old' ? 'This member' : 'The member of `into`';
    const message = `${which} was merged into ${JSON.stringify(done.into)} before.`;
    return refused('conflict', message, audit);
  }
  return answered({ into, ...done.merged }, { audit: { ...audit, ...done.merged } });
}
