import { readSnapshot } from '../../calls/dry-run.ts';
import { findCounters, giveBack } from '../../store/give-back.ts';
import { memberToken } from '../../store/keys.ts';
import type { Administration } from './administration.ts';
import type { GiveBackBody } from './member-schemas.ts';
import { auditOf, type Named, UNKNOWN, withProgramme } from './members.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';

/** A use that is given back by hand, such as a voucher that was spent by mistake. */

export const giveBackRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/programmes/{programmeId}/members/{loyaltyId}/uses/{counter}/give-back',
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
  handle: (administration, call) => withProgramme(administration, call, giveBackTo),
};

async function giveBackTo(_: Administration, call: AdminCall, named: Named): Promise<AdminAnswer> {
  const { units, reason } = call.value as GiveBackBody;
  const { current, programme, loyaltyId } = named;
  const { counter = '' } = call.parameters;
  const audit = { ...auditOf(named), counter, units, reason };
  const snapshot = await readSnapshot(current.store, programme.programmeId, loyaltyId);
  const counters = findCounters(snapshot, counter);
  const [usageKey] = counters;
  if (usageKey === undefined) {
    return refused('notFound', `This member has consumed nothing of ${JSON.stringify(counter)}.`, audit);
  }
  if (counters.length > 1) return refused('conflict', `Several are meant, name one: ${counters.join(', ')}.`, audit);
  const token = memberToken(programme.programmeId, loyaltyId);
  const done = await giveBack(current.store, token, usageKey, units);
  if (done.outcome === 'merged') return refused('conflict', 'The member is being merged: repeat it.', audit);
  if (done.outcome === 'too many') {
    return refused('invalid', `units: found ${units}, allowed: 1 to ${done.consumed}, which are consumed`, audit);
  }
  return answered(
    { counter: usageKey, givenBack: units, consumed: done.consumed },
    { audit: { ...audit, counter: usageKey } },
  );
}
