/** The limit of admission, window by window, on a clock that stands still until the test moves it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Admission } from '../../src/gateway/admission.ts';

const [BUDGET_MS, WINDOW_MS] = [150, 100];
const [QUICK_MS, SLOW_MS] = [1, 76];

let admission: Admission;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  busyFor(0);
  admission = new Admission(() => BUDGET_MS);
});
afterEach(() => {
  admission.close();
  vi.useRealTimers();
});

const limit = () => admission.state.limit;
const pass = (windows = 1) => vi.advanceTimersByTime(windows * WINDOW_MS);

/** From now on the event loop is busy for this part of each window. */
function busyFor(utilization: number): void {
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ utilization, active: 0, idle: 0 });
}

/** Calls of one window, of which so many take long. */
function calls(count: number, slow = 0, slowMs = SLOW_MS): void {
  for (let call = 0; call < count; call += 1) {
    expect(admission.admit('basket')).toBe(true);
    admission.leave('basket', call < slow ? slowMs : QUICK_MS);
  }
}
/** Fills every place, so that one call is refused. */
function fill(kind: 'basket' | 'sale' = 'basket'): number {
  let taken = 0;
  while (admission.admit(kind)) taken += 1;
  return taken;
}
const empty = (taken: number, kind: 'basket' | 'sale' = 'basket') => {
  for (let call = 0; call < taken; call += 1) admission.leave(kind, QUICK_MS);
};

test('400 calls are let in at first, and 200 sale events beside them', () => {
  expect([fill(), fill('sale')]).toEqual([400, 200]);
  expect(admission.state).toEqual({ limit: 400, inFlight: 600, shed: 2 });
  admission.leave('basket', QUICK_MS);
  expect(admission.inFlight).toBe(599);
});

test('a call is refused at its head only while no place is free, and takes none', () => {
  const taken = fill();
  expect(admission.shedIfFull('basket')).toBe(true);
  expect(admission.shedIfFull('sale')).toBe(false);
  admission.leave('basket', QUICK_MS);
  expect(admission.shedIfFull('basket')).toBe(false);
  expect(admission.state).toEqual({ limit: 400, inFlight: taken - 1, shed: 2 });
});

test('one call in twenty may take longer than half of the budget; more lower the limit by 15 %', () => {
  calls(100, 5);
  pass();
  expect(limit()).toBe(400);
  calls(100, 6);
  pass();
  expect(limit()).toBe(340);
});

test('a call may take just half of the budget', () => {
  calls(10, 10, BUDGET_MS / 2);
  pass();
  expect(limit()).toBe(400);
});

test('the limit falls to 100 at least, of which sale events may have all', () => {
  for (let window = 0; window < 12; window += 1) {
    calls(10, 10);
    pass();
  }
  expect(limit()).toBe(100);
  expect(fill('sale')).toBe(100);
});

test('the limit rises by 3 % in each window in which it is reached, to 2,000 at most', () => {
  empty(fill());
  pass();
  expect(limit()).toBe(412);
  empty(fill());
  pass();
  expect(limit()).toBe(424);
  for (let window = 0; window < 60; window += 1) {
    empty(fill());
    pass();
  }
  expect(limit()).toBe(2_000);
});

test('refused sale events do not raise it, and above its first value it rests when it is not reached', () => {
  empty(fill('sale'), 'sale');
  pass();
  expect(limit()).toBe(400);
  empty(fill());
  pass(5);
  expect(limit()).toBe(412);
});

test('below its first value it recovers without calls, and not beyond', () => {
  calls(10, 10);
  pass();
  calls(10, 10);
  pass();
  expect(limit()).toBe(289);
  pass();
  expect(limit()).toBe(297);
  pass(20);
  expect(limit()).toBe(400);
});

/** A window in which the limit is reached, and so many calls end. */
function crowd(ended: number): void {
  const taken = fill();
  for (let call = 0; call < taken; call += 1) admission.leave('basket', call < ended ? QUICK_MS : undefined);
  for (let call = taken; call < ended; call += 1) calls(1);
  pass();
}

test.each([
  ['as many are let in as it ends in a fifth of the budget', 1, 250, 75],
  ['30 at least', 1, 50, 30],
  ['2,000 at most', 1, 10_000, 2_000],
  ['what it is not busy with counts', 0.91, 364, 120],
  ['more are let in by and by, where it has time left', 0.9, 50, 412],
])('of calls that are refused by an event loop without time left: %s', (_, utilization, ended, expected) => {
  busyFor(utilization);
  crowd(ended);
  expect(limit()).toBe(expected);
});

test('when a crowd has gone, 100 calls are let in at once', () => {
  busyFor(1);
  crowd(50);
  expect(limit()).toBe(30);
  busyFor(0);
  pass();
  expect(limit()).toBe(100);
});

test.each([
  ['as many are let in as it could end within the budget', 0.5, 100, 300],
  ['100 at least', 0.9, 20, 100],
  ['no more than at first', 0.5, 200, 400],
  ['fewer than twenty calls say too little', 1, 19, 400],
])('where nothing is refused: %s', (_, utilization, ended, expected) => {
  busyFor(utilization);
  calls(ended);
  pass();
  expect(limit()).toBe(expected);
});

test.each([
  ['nobody calls', () => undefined],
  [
    'only strangers call',
    () => {
      admission.admit('basket');
      admission.leave('basket', undefined);
    },
  ],
])('what a slow window said is forgotten by and by while %s', (_, call) => {
  busyFor(0.9);
  calls(20);
  pass();
  expect(limit()).toBe(100);
  const next = () => {
    call();
    pass();
    return limit();
  };
  expect([next(), next(), next()]).toEqual([103, 106, 109]);
  for (let window = 0; window < 50; window += 1) next();
  expect(limit()).toBe(400);
});

test.each([
  ['just half of the budget late is none', BUDGET_MS / 2, 400],
  ['later is a breach, as calls waited for the event loop too', BUDGET_MS / 2 + 1, 340],
])('a window that comes %s', (_, lateMs, expected) => {
  const late = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + WINDOW_MS + lateMs);
  pass();
  late.mockRestore();
  expect(limit()).toBe(expected);
});

test('a window that strangers took time of says nothing about the calls of others', () => {
  busyFor(0.5);
  admission.admit('basket');
  admission.leave('basket', undefined);
  calls(50);
  pass();
  expect(limit()).toBe(400);
  calls(50);
  pass();
  expect(limit()).toBe(150);
});

test('the calls of whoever proved nothing are no measure', () => {
  calls(100, 6);
  for (let call = 0; call < 100; call += 1) {
    admission.admit('basket');
    admission.leave('basket', undefined);
  }
  pass();
  expect(limit()).toBe(340);
});

test('a service that is going down moves its limit no more', () => {
  calls(10, 10);
  admission.close();
  pass(3);
  expect(limit()).toBe(400);
});

test('each window says whether calls were shed in it', () => {
  const told: boolean[] = [];
  const other = new Admission(
    () => BUDGET_MS,
    (isShedding) => told.push(isShedding),
  );
  while (other.admit('basket'));
  pass(2);
  expect(told).toEqual([true, false]);
  other.close();
});
