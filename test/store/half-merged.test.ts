/** A sale and a return that come while a merge is under way: the calculation moves first, and the new member's counter is the one that counts. */

import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { bookReturn, readReturns } from '../../src/store/returns.ts';
import { describeNothing } from '../support/plain-books.ts';
import { ANNA, BERIT, calculate, countUnits, report, useFixture } from './fixture.ts';

const fixture = useFixture();

/** The second step of a merge is done, and its calculations have not moved yet. */
const begin = () => fixture.redis.client.hset(fixture.store.keys.use(ANNA), '!moved', BERIT);

test('a sale consumes what the new member holds, and its event names the new member', async () => {
  const { commit } = await calculate(fixture);
  await begin();
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({
    ...{ outcome: 'recorded', isLate: false, hold: 'consumed' },
  });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect(await findAnswered(fixture.store, commit.calculationId)).toMatchObject({ member: BERIT });
});

test('a return is booked once the new member has the counters and the sale is read anew, and gives back to the new member', async () => {
  const { store } = fixture;
  const { commit } = await calculate(fixture, { kept: Buffer.from('kept') });
  const { calculationId } = commit;
  await report(fixture, calculationId, 'applied');
  const sold = (await findAnswered(store, calculationId))!;
  await begin();
  const back = { returnId: 'a', answer: { refund: 90, lines: [], kept: [] }, givenBack: [['coffee:*', 1]] } as const;
  // What the sale took is counted under the old member still: the till repeats the return.
  await expect(bookReturn(store, sold, back, 0, describeNothing)).rejects.toThrow(StoreUnavailable);
  expect((await findAnswered(store, calculationId))!.member).toBe(ANNA);
  await fixture.redis.client.hdel(store.keys.use(ANNA), 'coffee:*');
  await fixture.redis.client.hset(store.keys.use(BERIT), 'coffee:*', '4');
  expect(await bookReturn(store, sold, back, 0, describeNothing)).toEqual({ outcome: 'moved' });
  const moved = (await findAnswered(store, calculationId))!;
  expect(moved.member).toBe(BERIT);
  expect(await bookReturn(store, moved, back, 0, describeNothing)).toMatchObject({ outcome: 'booked' });
  expect((await countUnits(fixture, BERIT)).consumed).toBe(3);
  expect(await readReturns(store, BERIT, calculationId)).toMatchObject([{ returnId: 'a', number: 1 }]);
});
