/** Holds in counters of all members whose calls are over, and what is left undone while Redis is away. */
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { ignoreUnavailable } from '../../src/store/common-endings.ts';
import { holdCommon } from '../../src/store/common-limits.ts';
import { counterOf, expectBooks, giftOf, somebody } from './common-fixture.ts';
import { commitOf, useFixture } from './fixture.ts';

const fixture = useFixture();
const use = { ...giftOf(), counter: counterOf() };

test('of one counter a lost call is looked up after another, and so are two at once', async () => {
  const lose = async () => {
    const { calculationId } = commitOf();
    const hold = { calculationId, member: somebody(), uses: [use], supersedes: undefined, remainingMs: -2000 };
    expect(await holdCommon(fixture.store, hold)).toMatchObject({ outcome: 'held' });
  };
  for (const count of [1, 1, 2]) {
    await Promise.all(Array.from({ length: count }, lose));
    await expectBooks(fixture.store, { consumed: 0, over: 0, held: 0 });
  }
});

test('what Redis keeps from being ended is left to whoever comes later, and a bug is told', () => {
  expect(() => ignoreUnavailable(new StoreUnavailable('the master is away'))).not.toThrow();
  expect(() => ignoreUnavailable(new Error('a bug'))).toThrow('a bug');
});
