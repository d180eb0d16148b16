/** The adaptive limit: it falls on a breach, rises when it is reached and all is well, and keeps sale events to their share. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Admission } from '../../src/gateway/admission.ts';
import { until } from '../support/wait.ts';

const BUDGET_MS = 150;
const WINDOW_MS = 100;
const MIN_LIMIT = 100;
const MOST_WINDOWS = 300;
const FEW = 15;

/** Takes in as many calls as are allowed, and returns how many. */
function fill(admission: Admission, kind: 'basket' | 'sale' = 'basket'): number {
  let taken = 0;
  while (admission.admit(kind)) taken += 1;
  return taken;
}

test('calls beyond the limit are shed and counted; a place is free when a call has ended', () => {
  const admission = new Admission(() => BUDGET_MS);
  const taken = fill(admission);
  expect(admission.state).toEqual({ limit: taken, inFlight: taken, shed: 1 });
  admission.leave('basket', 5);
  expect(admission.admit('basket')).toBe(true);
  expect(admission.admit('basket')).toBe(false);
  admission.startDraining();
});

test('sale events get half, and take nothing from baskets', () => {
  const admission = new Admission(() => BUDGET_MS);
  const sales = fill(admission, 'sale');
  const baskets = fill(admission);
  expect(sales).toBe(Math.floor(baskets / 2));
  admission.startDraining();
});

test('slow calls lower the limit, quick ones raise it again while it is reached', async () => {
  const admission = new Admission(() => BUDGET_MS);
  const before = admission.state.limit;
  fill(admission);
  for (let call = 0; call < before; call += 1) admission.leave('basket', 140);
  await sleep(2 * WINDOW_MS);
  const lowered = admission.state.limit;
  expect(lowered).toBeLessThan(before);
  // Busy tests make the timer late, which is a breach too: it may take some windows to rise.
  for (let window = 0; window < 50 && admission.state.limit <= lowered; window += 1) {
    const taken = fill(admission);
    for (let call = 0; call < taken; call += 1) admission.leave('basket', 1);
    await sleep(WINDOW_MS);
  }
  expect(admission.state.limit).toBeGreaterThan(lowered);
  admission.startDraining();
});

test('calls that are refused by a loop without time left get fewer places than those that are refused while it waits', async () => {
  const [busy, waiting] = [new Admission(() => BUDGET_MS), new Admission(() => BUDGET_MS)];
  for (let window = 0; window < MOST_WINDOWS && busy.state.limit >= MIN_LIMIT; window += 1) {
    for (let call = fill(busy); call > 0; call -= 1) busy.leave('basket', call > FEW ? undefined : 1);
    const end = performance.now() + 2 * WINDOW_MS;
    while (performance.now() < end);
    await nextTurn();
  }
  expect(busy.state.limit).toBeLessThan(MIN_LIMIT);
  busy.startDraining();
  for (let window = 0; window < FEW; window += 1) {
    for (let call = fill(waiting); call > 0; call -= 1) waiting.leave('basket', 140);
    await sleep(WINDOW_MS);
  }
  expect(waiting.state.limit).toBeGreaterThanOrEqual(MIN_LIMIT);
  waiting.startDraining();
});

test('refusals of whoever proved nothing do not hide that others wait', async () => {
  const admission = new Admission(() => BUDGET_MS);
  const before = admission.state.limit;
  for (let call = 0; call < 200; call += 1) {
    admission.admit('basket');
    admission.leave('basket', undefined);
  }
  for (let call = 0; call < 5; call += 1) {
    admission.admit('basket');
    admission.leave('basket', 140);
  }
  expect(admission.state.inFlight).toBe(0);
  await until('the limit to fall', () => admission.state.limit < before, 1_000);
  admission.startDraining();
});

test('what slowed calls once is forgotten: an unreached limit goes back to where it began, and no further', async () => {
  const admission = new Admission(() => BUDGET_MS);
  const before = admission.state.limit;
  const calls = 50;
  for (let call = 0; call < calls; call += 1) admission.admit('basket');
  for (let call = 0; call < calls; call += 1) admission.leave('basket', 140);
  await until('the limit to fall', () => admission.state.limit < before);
  await until('the limit to come back', () => admission.state.limit === before, 20_000);
  await sleep(3 * WINDOW_MS);
  expect(admission.state.limit).toBeLessThanOrEqual(before);
  admission.startDraining();
});

test('a limit that nobody reaches stays', async () => {
  const admission = new Admission(() => BUDGET_MS);
  const before = admission.state.limit;
  admission.admit('basket');
  admission.leave('basket', 1);
  await sleep(2 * WINDOW_MS);
  expect(admission.state.limit).toBeLessThanOrEqual(before);
  admission.startDraining();
});

test('it says after each window whether calls were shed in it', async () => {
  const told: boolean[] = [];
  const admission = new Admission(
    () => BUDGET_MS,
    (isShedding) => told.push(isShedding),
  );
  fill(admission);
  await until('a window in which calls were shed', () => told.includes(true));
  await until('one in which none were', () => told.at(-1) === false);
  admission.startDraining();
});
