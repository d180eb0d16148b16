/** The events on a real Redis Cluster, where the streams are in other slots than what the events tell of. */

import { expect, test } from 'vitest';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { sweepEndedGrants } from '../../src/store/grant-endings.ts';
import { EVENT_STREAMS, memberToken } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import type { StoredMember } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import { bookReturn, tellReturn } from '../../src/store/returns.ts';
import { calculate, report } from '../store/fixture.ts';
import { describeNothing, erase, sweepOnce } from '../support/plain-books.ts';
import { type ToldEvent, toldEvent } from '../support/told-events.ts';
import { until } from '../support/wait.ts';
import { useCluster } from './use-cluster.ts';

const CLUB = 'coffee-club';
const on = useCluster({ replicas: 0 }, 300);

const named = (loyaltyId: string, grants: StoredMember['grants'] = []): StoredMember => ({
  ...{ programmeId: CLUB, loyaltyId, status: 'active', grants },
});

/** The events, each once, as a consumer counts them. */
async function readEvents(): Promise<ToldEvent[]> {
  const streams = Array.from({ length: EVENT_STREAMS }, (_, stream) => on.store.keys.events(stream));
  const entries = await Promise.all(
    streams.map((key) => on.store.connection.run(key, (client) => client.xrange(key, '-', '+'))),
  );
  return entries.flat().map(([, words]) => toldEvent(words));
}

const resultsOf = async (member: string) =>
  (await readEvents()).filter((event) => event['member'] === member).map(({ result }) => result);

test('a sale, a conflict, a return and an expiry are told after they were booked', async () => {
  const member = memberToken(CLUB, 'guest');
  const [sold, unsold] = await Promise.all([1, 2].map(() => calculate(on, { member, uses: [] })));
  const { calculationId } = sold!.commit;
  expect(await report(on, calculationId, 'applied')).toMatchObject({ outcome: 'recorded', counted: [{}] });
  expect(await report(on, calculationId, 'applied')).toEqual({ outcome: 'duplicate' });
  expect(await report(on, calculationId, 'failed')).toMatchObject({ outcome: 'conflict' });
  const record = (await findAnswered(on.store, calculationId))!;
  const answer = { refund: 10, lines: [{ lineId: '1', quantity: 1, refund: 10 }], kept: [] };
  const back = { returnId: 'r-1', answer, givenBack: [] };
  expect(await bookReturn(on.store, record, back, 0, describeNothing)).toMatchObject({
    outcome: 'booked',
    owesEvent: true,
  });
  await tellReturn(on.store, record, back, describeNothing);
  await until('the expiry', async () => (await sweepOnce(on.store)).expired > 0);
  const own = (await readEvents()).map((event) => [event.calculationId, event.result, event['late']]);
  expect(own.toSorted()).toEqual(
    [
      [calculationId, 'conflict', undefined],
      [calculationId, 'recorded', false],
      [calculationId, 'returned', undefined],
      [unsold!.commit.calculationId, 'expired', undefined],
    ].toSorted(),
  );
});

test('grants, a merge and an erasure are told after they were written', async () => {
  const voucher = { benefitId: 'cake', grantId: 'past', quantity: 1, to: '2020-01-01' };
  await writeMembers(on.store, [named('old', ['tea', voucher]), named('new', ['soup'])]);
  const [old, other] = await Promise.all(['old', 'new'].map((id) => pseudonymOf(on.store, memberToken(CLUB, id))));
  await sweepEndedGrants(on.store);
  await sweepEndedGrants(on.store);
  expect((await resultsOf(old!)).toSorted()).toEqual(['grant_ended', 'granted', 'granted']);
  await writeMembers(on.store, [named('new')]);
  await mergeMembers(on.store, CLUB, 'old', 'new');
  await erase(on.store, memberToken(CLUB, 'new'));
  expect(new Set(await resultsOf(old!))).toEqual(new Set(['granted', 'grant_ended', 'merged', 'erased']));
  expect((await resultsOf(other!)).toSorted()).toEqual(['erased', 'granted', 'revoked']);
  expect(await on.store.connection.run(on.store.keys.grantsDue(), (client, key) => client.exists(key))).toBe(0);
});
