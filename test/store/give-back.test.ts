/** Units that a person gives back: never more than are consumed, and never of a member who is another one by now. */
import { expect, test } from 'vitest';
import { giveBack } from '../../src/store/give-back.ts';
import { ANNA, calculate, countUnits, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const give = (units: number) => giveBack(fixture.store, ANNA, 'coffee:*', units);

test('units come back one by one, and not more than there are', async () => {
  for (const units of [2, 1]) {
    const { commit } = await calculate(fixture, { uses: [{ usageKey: 'coffee:*', units, limit: 9 }] });
    await report(fixture, commit.calculationId, 'applied');
  }
  expect(await give(4)).toEqual({ outcome: 'too many', consumed: 3 });
  expect(await give(1)).toEqual({ outcome: 'given back', consumed: 2 });
  expect(await give(2)).toEqual({ outcome: 'given back', consumed: 0 });
  expect(await give(1)).toEqual({ outcome: 'too many', consumed: 0 });
  expect(await countUnits(fixture)).toMatchObject({ consumed: 0 });
});

test('nothing comes back to a member who was merged', async () => {
  await fixture.redis.client.hset(fixture.store.keys.use(ANNA), { '!moved': 'another', 'coffee:*': 3 });
  expect(await give(1)).toEqual({ outcome: 'merged' });
  expect(await countUnits(fixture)).toMatchObject({ consumed: 3 });
});
