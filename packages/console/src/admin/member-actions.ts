import { readSnapshot } from '../../../../src/administration/dry-run.ts';
import { copyMember } from '../../../../src/administration/member-copy.ts';
import { findCounters, giveBack } from '../../../../src/store/give-back.ts';
import { memberToken } from '../../../../src/store/keys.ts';
import { mergeMembers } from '../../../../src/store/merge.ts';
import type { GiveBackBody } from './member-schemas.ts';
import { type Named, ofMember, ofProgramme, MEMBER_PATH as PATH, UNKNOWN } from './members.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';

/**
 * What is done to one member: a use is given back by hand, such as a voucher that was spent by mistake; a lost card is merged
 * into its replacement; and a member gets a copy of everything.
 */

const IN_FILE = 'The configuration file names one of the members: take it out there first.';

export const mergeRoute: AdminRoute = {
  method: 'POST',
  path: `${PATH}/merge`,
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
    conflict:
      'The configuration file names one of the members, one was merged into another member before, or is being merged at this moment: then repeat it.',
  },
  handle: ofProgramme(merge),
};

async function merge(
  { current, programmeId }: Pick<Named, 'current' | 'programmeId'>,
  call: AdminCall,
): Promise<AdminAnswer> {
  const { into } = call.value as { readonly into: string };
  // The path names the member as it was, even if it has been merged by now, or interrupted merges lead in a circle.
  const { loyaltyId = '' } = call.parameters;
  const audit = { programmeId, member: memberToken(programmeId, loyaltyId), into: memberToken(programmeId, into) };
  if (into === loyaltyId) return refused('invalid', 'into: found the member itself, allowed: another one', audit);
  const { environment, store } = current;
  if ([loyaltyId, into].some((id) => environment.findMember(programmeId, id)))
    return refused('conflict', IN_FILE, audit);
  const done = await mergeMembers(store, programmeId, loyaltyId, into);
  if (done.outcome === 'unknown') {
    const which = done.which === 'old' ? 'such member' : 'member with the loyalty ID of `into`';
    return refused('notFound', `Programme ${programmeId} has no ${which}.`, audit);
  }
  if (done.outcome !== 'merged') {
    const which = done.which === 'old' ? 'This member' : 'The member of `into`';
    const other = JSON.stringify(done.into);
    const message =
      done.outcome === 'elsewhere'
        ? `${which} was merged into ${other} before.`
        : `${which} is being merged into ${other} at this moment: repeat it.`;
    return refused('conflict', message, audit);
  }
  return answered({ into, ...done.merged }, { audit: { ...audit, ...done.merged } });
}

export const giveBackRoute: AdminRoute = {
  method: 'POST',
  path: `${PATH}/uses/{counter}/give-back`,
  role: 'write',
  operationId: 'giveBackUse',
  summary: 'Give a use back by hand',
  description:
    'Takes `units` off what the member has consumed of a limit or a grant, never more than are consumed. `counter` is a benefitId, limitId or grantId, or the whole name of a counter as in the events and the copy of a member (`coffee:2026-11-21`, `cake/card-7:*`), percent-encoded. The reason stands in the audit log. Repeated, it gives back again.',
  requestSchema: 'GiveBackBody',
  answerSchema: 'GivenBack',
  failures: {
    invalid: 'The body is not as it should be, or the member has not consumed as much.',
    notFound: `${UNKNOWN} Or nothing is consumed of such a counter.`,
    conflict: 'Several counters are meant: the message names them.',
  },
  handle: ofMember(giveBackTo),
};

async function giveBackTo(named: Named, call: AdminCall): Promise<AdminAnswer> {
  const { units, reason } = call.value as GiveBackBody;
  const { current, programmeId, loyaltyId, token } = named;
  const { counter = '' } = call.parameters;
  const audit = { ...named.audit, counter, units, reason };
  const snapshot = await readSnapshot(current.store, programmeId, loyaltyId);
  const counters = findCounters(snapshot, counter);
  const [usageKey] = counters;
  if (usageKey === undefined) {
    return refused('notFound', `This member has consumed nothing of ${JSON.stringify(counter)}.`, audit);
  }
  if (counters.length > 1) return refused('conflict', `Several are meant, name one: ${counters.join(', ')}.`, audit);
  const done = await giveBack(current.store, token, usageKey, units);
  if (done.outcome === 'merged') return refused('conflict', 'The member is being merged: repeat it.', audit);
  if (done.outcome === 'too_many') {
    return refused('invalid', `units: found ${units}, allowed: 1 to ${done.consumed}, which are consumed`, audit);
  }
  return answered(
    { counter: usageKey, givenBack: units, consumed: done.consumed },
    { audit: { ...audit, counter: usageKey } },
  );
}

/** A copy of everything about one member, for the person who asks for it. */
export const copyMemberRoute: AdminRoute = {
  method: 'GET',
  path: `${PATH}/copy`,
  role: 'read',
  operationId: 'copyMember',
  summary: 'A copy of everything about one member',
  description:
    'The member with its grants, what it has used, its open baskets, and every calculation that is kept with its lines, its sale and its returns; and the loyalty IDs that were merged into it. All keys are searched, which takes seconds where there are many.',
  answerSchema: 'MemberCopy',
  failures: { notFound: UNKNOWN },
  handle: ofMember(async ({ current, programmeId, loyaltyId, audit }) => {
    const copy = await copyMember(current.store, programmeId, loyaltyId);
    return copy ? answered(copy, { audit }) : refused('notFound', 'Nothing is stored of such a member.', audit);
  }),
};
