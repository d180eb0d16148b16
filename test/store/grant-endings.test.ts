/** The pass over grants whose last day is over: what it does with those that it cannot end now. */
import { expect, test } from 'vitest';
import type { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { sweepEndedGrants } from '../../src/store/grant-endings.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNA, BERIT } from './fixture.ts';
import { useOneNode } from './one-node.ts';

/** Grants that a pass looks at. */
const BATCH = 200;
const PAST = { benefitId: 'tea', quantity: 1, to: '2020-01-01' };
const LATER = { ...PAST, to: '2020-01-02' };

const fixture = useOneNode();

const member = (loyaltyId: string, grants: readonly object[]) =>
  ({ programmeId: 'coffee-club', loyaltyId, status: 'active', grants }) as Parameters<typeof writeMembers>[1][number];

/** A store whose commands on a member fail. */
function without(failing: string, error: Error): Store {
  const { store } = fixture;
  const run: Connection['run'] = (key, command) =>
    key === store.keys.member(failing as typeof ANNA) ? Promise.reject(error) : store.connection.run(key, command);
  return { ...store, connection: Object.create(store.connection, { run: { value: run } }) as Connection };
}

const due = () => fixture.redis.client.zrange(fixture.store.keys.grantsDue(), '0', '-1');

test('grants of a master that is away are postponed, and those behind a whole batch of them end', async () => {
  const { store } = fixture;
  const stuck = Array.from({ length: BATCH }, (_, at) => ({ ...PAST, grantId: `g-${at}` }));
  await writeMembers(store, [member('anna', stuck), member('berit', [{ ...LATER, grantId: 'last' }])]);
  const away = without(ANNA, new StoreUnavailable('the master is away'));
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

test('a bug in one of them is told when the others have ended, and it stays due', async () => {
  const { store } = fixture;
  const grants = [{ ...PAST, grantId: 'one' }];
  await writeMembers(store, [member('anna', grants), member('berit', grants)]);
  await expect(sweepEndedGrants(without(ANNA, new Error('a bug')))).rejects.toThrow('a bug');
  expect(await due()).toEqual([`${ANNA} one`]);
});
