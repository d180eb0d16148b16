/** The pass over grants whose last day is over: what it does with those that it cannot end now. */
import { expect, test } from 'vitest';
import { sweepEndedGrants } from '../../src/store/grant-endings.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { ANNA, BERIT } from './fixture.ts';
import { failingStore } from './meddled-store.ts';
import { useOneNode } from './one-node.ts';

/** Grants that a pass looks at. */
const BATCH = 200;
const PAST = { benefitId: 'tea', quantity: 1, to: '2020-01-01' };
const LATER = { ...PAST, to: '2020-01-02' };

const fixture = useOneNode();

const member = (loyaltyId: string, grants: readonly object[]) =>
  ({ programmeId: 'coffee-club', loyaltyId, status: 'active', grants }) as Parameters<typeof writeMembers>[1][number];

/** A store whose commands on Anna fail. */
const withoutAnna = (error?: Error) =>
  failingStore(fixture.store, (key) => key === fixture.store.keys.member(ANNA), error);

const due = () => fixture.redis.client.zrange(fixture.store.keys.grantsDue(), '0', '-1');

test('grants of a master that is away are postponed, and those behind a whole batch of them end', async () => {
  const { store } = fixture;
  const stuck = Array.from({ length: BATCH }, (_, at) => ({ ...PAST, grantId: `g-${at}` }));
  await writeMembers(store, [member('anna', stuck), member('berit', [{ ...LATER, grantId: 'last' }])]);
  const away = withoutAnna();
  expect(await sweepEndedGrants(away)).toEqual({ isMoreDue: true });
  expect(await sweepEndedGrants(away)).toEqual({ isMoreDue: false });
  const left = await due();
  expect(left).toHaveLength(BATCH);
  expect(left).not.toContain(`${BERIT} last`);
  // Its master is back: nothing has changed but when they are looked at.
  for (const name of left) await fixture.redis.client.zadd(store.keys.grantsDue(), 1, name);
  await sweepEndedGrants(store);
  expect(await due()).toEqual([]);
});

test('a bug in one of them is told, and it is looked at again five seconds later', async () => {
  const { store } = fixture;
  const grants = [{ ...PAST, grantId: 'one' }];
  await writeMembers(store, [member('anna', grants), member('berit', grants)]);
  const bugs: string[] = [];
  store.connection.once('failedStep', ({ message }) => bugs.push(message));
  const beforeMs = Date.now();
  expect(await sweepEndedGrants(withoutAnna(new Error('a bug')))).toEqual({ isMoreDue: false });
  expect(bugs).toEqual(['a bug']);
  expect(await due()).toEqual([`${ANNA} one`]);
  const dueMs = Number(await fixture.redis.client.zscore(store.keys.grantsDue(), `${ANNA} one`));
  expect(dueMs - beforeMs).toBeGreaterThan(4_000);
});
