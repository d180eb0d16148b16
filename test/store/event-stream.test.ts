/** How far consumer groups have read the event streams, and what a reader may have missed. */
import { expect, test } from 'vitest';
import { isBefore, readStream, readUnread } from '../../src/store/event-stream.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();
const key = (stream: number) => fixture.store.keys.events(stream);
const add = (stream: number, id: string) => fixture.redis.client.xadd(key(stream), id, 'n', '1');
const group = (name: string, streams: readonly number[]) =>
  Promise.all(streams.map((stream) => fixture.redis.client.xgroup('CREATE', key(stream), name, '0', 'MKSTREAM')));
const unread = async () => Object.fromEntries(await readUnread(fixture.store));
const ALL = [0, 1, 2, 3];

test('a group is as far behind as its oldest unread event of any stream', async () => {
  expect(await unread()).toEqual({});
  await group('warehouse', ALL);
  expect(await unread()).toEqual({ warehouse: undefined });
  await add(1, '2000-0');
  await add(2, '1000-5');
  await add(2, '3000-0');
  expect(await unread()).toEqual({ warehouse: 1000 });
  const read = (stream: number) =>
    fixture.redis.client.xreadgroup('GROUP', 'warehouse', 'one', 'COUNT', 1, 'STREAMS', key(stream), '>');
  await read(2);
  expect(await unread()).toEqual({ warehouse: 2000 });
  await read(1);
  expect(await unread()).toEqual({ warehouse: 3000 });
  await read(2);
  expect(await unread()).toEqual({ warehouse: undefined });
});

test('a stream in which it has no group is one that it never reads', async () => {
  await add(3, '500-0');
  await group('forgetful', [0, 1, 2]);
  await group('whole', ALL);
  await fixture.redis.client.xreadgroup('GROUP', 'whole', 'one', 'STREAMS', key(3), '>');
  expect(await unread()).toEqual({ forgetful: 500, whole: undefined });
});

test('nothing is missed while the last read entry is there, or nothing is old enough to have been removed', async () => {
  const { retentionMs } = fixture.store.periods;
  const now = 10 * retentionMs;
  const page = (after: string | undefined) => readStream(fixture.store, 0, after, 10);
  expect(await page('5-0')).toEqual({ entries: [] });
  for (const id of ['1-0', '2-0', `${now}-0`]) await add(0, id);
  expect(await page('1-0')).toMatchObject({
    entries: [{ stream: 0, id: '2-0', words: ['n', '1'] }, { id: `${now}-0` }],
  });
  expect(await page('1-0')).not.toHaveProperty('missedBefore');
  await fixture.redis.client.xtrim(key(0), 'MINID', '=', 2);
  expect(await page('1-0')).toMatchObject({ missedBefore: '2-0' });
  expect(await page('2-0')).not.toHaveProperty('missedBefore');
  expect(await page(undefined)).not.toHaveProperty('missedBefore');
  await fixture.redis.client.xtrim(key(0), 'MAXLEN', '=', 0);
  expect(await page(`${now - retentionMs}-0`)).not.toHaveProperty('missedBefore');
  expect(await page(`${now - retentionMs - 1}-0`)).toEqual({ entries: [], missedBefore: '' });
});

test('IDs are compared as the numbers that they are', () => {
  expect(isBefore('9-0', '10-0')).toBe(true);
  expect(isBefore('10-9', '10-10')).toBe(true);
  expect(isBefore('10-10', '10-10')).toBe(false);
  expect(isBefore('10-0', '9-99')).toBe(false);
  expect(isBefore('10-0', '')).toBe(true);
});
