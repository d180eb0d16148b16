import { copyMember } from '../../calls/member-copy.ts';
import { auditOf, UNKNOWN, withProgramme } from './members.ts';
import { type AdminRoute, answered, refused } from './route.ts';

/** A copy of everything about one member, for the person who asks for it. */
export const copyMemberRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/programmes/{programmeId}/members/{loyaltyId}/copy',
  role: 'read',
  operationId: 'copyMember',
  summary: 'A copy of everything about one member',
  description:
    'The member with its grants, what it has used, its open baskets, and every calculation that is kept with its lines, its sale and its returns; and the loyalty IDs that were merged into it. All keys are searched, which takes seconds where there are many.',
  answerSchema: 'MemberCopy',
  failures: { notFound: UNKNOWN },
  handle: (administration, call) =>
    withProgramme(administration, call, async (_, __, named) => {
      const { current, programme, loyaltyId } = named;
      const copy = await copyMember(current.store, programme.programmeId, loyaltyId);
      if (!copy) return refused('notFound', `Nothing is stored of such a member.`, auditOf(named));
      return answered(copy, { audit: auditOf(named) });
    }),
};
