/** The bounds on calls whose last byte has not arrived: the oldest goes first, and nothing is counted twice. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_UPLOAD_BYTES, MAX_UPLOADS, PATIENCE_MS, Uploads } from '../../src/gateway/uploads.ts';
import { countTimers } from './support/timers.ts';

let uploads: Uploads;
let cut: string[];

beforeEach(() => {
  [uploads, cut] = [new Uploads(), []];
});
afterEach(() => uploads.close());

const begin = (name: string, startMs?: number) => uploads.begin(() => cut.push(name), startMs);

test('one more than there may be cuts the oldest, and only that one', () => {
  const all = Array.from({ length: MAX_UPLOADS }, (_, index) => begin(`${index}`));
  expect([uploads.state.unfinished, cut]).toEqual([MAX_UPLOADS, []]);
  begin('one more');
  expect(cut).toEqual(['0']);
  uploads.finish(all[1]!);
  begin('in its place');
  expect(cut).toEqual(['0']);
  begin('and another');
  expect(cut).toEqual(['0', '2']);
  expect(uploads.state.lost).toMatchObject({ too_many: 2, aborted: 0, late: 0, too_many_bytes: 0, draining: 0 });
});

test('more bytes than may be held cut the oldest until they fit, even the one that grows', () => {
  const [first, second, third] = [begin('first'), begin('second'), begin('third')];
  uploads.hold(first, MAX_UPLOAD_BYTES / 2);
  uploads.hold(second, MAX_UPLOAD_BYTES / 2);
  expect(cut).toEqual([]);
  uploads.hold(third, 1);
  expect([cut, uploads.state.heldBytes]).toEqual([['first'], MAX_UPLOAD_BYTES / 2 + 1]);
  uploads.hold(second, MAX_UPLOAD_BYTES + 1);
  expect([cut, second.isOver, third.isOver]).toEqual([['first', 'second'], true, false]);
  expect([uploads.state.heldBytes, uploads.state.lost.too_many_bytes]).toEqual([1, 2]);
});

test('the patience ends for those that are older than it', () => {
  begin('old', 1000);
  begin('young', 1001);
  uploads.cutLate(1000 + PATIENCE_MS);
  expect(cut).toEqual([]);
  uploads.cutLate(1001 + PATIENCE_MS);
  expect([cut, uploads.state.lost.late, uploads.state.unfinished]).toEqual([['old'], 1, 1]);
});

test('what is over stays over: finished, aborted and cut are counted once', () => {
  const [finished, aborted, late] = [begin('finished'), begin('aborted'), begin('late', 0)];
  uploads.hold(aborted, 500);
  uploads.finish(finished);
  expect([uploads.abort(finished), uploads.abort(aborted), uploads.abort(aborted)]).toEqual([false, true, false]);
  uploads.cutAll();
  uploads.cutAll();
  expect([cut, uploads.abort(late)]).toEqual([['late'], false]);
  const lost = { aborted: 1, late: 0, too_many: 0, too_many_bytes: 0, draining: 1 };
  expect(uploads.state).toEqual({ unfinished: 0, heldBytes: 0, lost });
});

test('an interval has places for 4,096 small chunks, and cuts late uploads at its end, until the service closes', () => {
  vi.useFakeTimers();
  try {
    const timed = new Uploads();
    const placesFree = () => Array.from({ length: 5_000 }, () => timed.takeSmallChunk()).filter(Boolean).length;
    timed.begin(() => cut.push('late'), -PATIENCE_MS - 1_000);
    expect([placesFree(), placesFree(), cut]).toEqual([4_096, 0, []]);
    vi.advanceTimersByTime(250);
    expect([placesFree(), cut]).toEqual([4_096, ['late']]);
    timed.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('uploads keep no process alive', () => {
  const before = countTimers();
  const own = new Uploads();
  expect(countTimers()).toBe(before);
  own.close();
});
