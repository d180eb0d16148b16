/** The share of the rate limit that a process allows itself while the environment's bucket is away. */
import { expect, test } from 'vitest';
import type { Connection } from '../../src/redis/connection.ts';
import { localShare, noteProcessCount, takeLocally } from '../../src/store/local-limit.ts';

const LIMIT = { sustained: 50 };
const BURST = 200;
const fresh = () => ({}) as Connection;

test('alone, a process has the whole burst and then the sustained rate', () => {
  const connection = fresh();
  expect(takeLocally(connection, LIMIT, BURST, 250, 1000)).toEqual([200, 20_000]);
  expect(takeLocally(connection, LIMIT, BURST, 5, 1019)[0]).toBe(0);
  expect(takeLocally(connection, LIMIT, BURST, 5, 1100)[0]).toBe(5);
  expect(takeLocally(connection, LIMIT, BURST, 5, 1110)[0]).toBe(0);
});

test('of four processes each has a quarter of both', () => {
  const connections = [fresh(), fresh(), fresh(), fresh()];
  for (const connection of connections) noteProcessCount(connection, 4);
  const atOnce = connections.map((connection) => takeLocally(connection, LIMIT, BURST, 1000, 0)[0]);
  expect(atOnce).toEqual([50, 50, 50, 50]);
  const aSecondLater = connections.map((connection) => takeLocally(connection, LIMIT, BURST, 1000, 1000)[0]);
  expect(aSecondLater.reduce((sum, granted) => sum + granted)).toBe(4 * 12);
});

test('sale events leave half of the burst to baskets', () => {
  const connection = fresh();
  expect(takeLocally(connection, LIMIT, BURST / 2, 1000, 0)[0]).toBe(100);
  expect(takeLocally(connection, LIMIT, BURST, 1000, 0)[0]).toBe(100);
});

test('a share of less than one call lets one call in', () => {
  const connection = fresh();
  noteProcessCount(connection, 16);
  expect(takeLocally(connection, { sustained: 1 }, 2, 5, 0)[0]).toBe(1);
});

test('it is said for a while after a call, and not before one', () => {
  const connection = fresh();
  noteProcessCount(connection, 3);
  expect(localShare(connection, 0)).toBeUndefined();
  takeLocally(connection, LIMIT, BURST, 1, 10);
  expect(localShare(connection, 1000)).toBe(3);
  expect([localShare(connection, 2009), localShare(connection, 2010)]).toEqual([3, undefined]);
});
