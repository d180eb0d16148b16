/** What is left of a limit over all members, by what its counter says. */
import { expect, it } from 'vitest';
import { countersAsUsed, leftInCommon } from '../../src/store/common-limits.ts';

const counter = { consumed: 2, overRedeemed: 0, held: 1, own: 0 };

it('is what nobody has consumed or holds, never less than nothing, and nothing if the counter was not read', () => {
  expect([leftInCommon(counter, 10), leftInCommon(counter, 3), leftInCommon(counter, 2)]).toEqual([7, 0, 0]);
  expect(leftInCommon({ ...counter, held: 0 }, 10)).toBe(8);
  expect(leftInCommon(undefined, 10)).toBe(0);
});

it('is known of a basket of the past by what others had then', () => {
  const counters = countersAsUsed(new Map([['gift~programme:*', 4]]));
  expect(counters.get('gift~programme:*')).toEqual({ consumed: 4, overRedeemed: 0, held: 0, own: 0 });
  expect(leftInCommon(counters.get('gift~programme:*'), 5)).toBe(1);
  expect(leftInCommon(counters.get('another~programme:*'), 5)).toBe(5);
});
