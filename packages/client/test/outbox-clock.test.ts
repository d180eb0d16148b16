/** The outbox while the machine's clock is set: imported from the sources, because only there the sending can be steered. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../../../test/support/wait.ts';
import type { AttemptResult } from '../src/attempt.ts';
import { Outbox, type SaleEnding } from '../src/outbox/outbox.ts';
import { memoryStore, type OutboxRecord } from '../src/outbox/store.ts';
import type { SaleEvent } from '../src/sale.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BACKOFF = { firstDelayMs: 5, longestDelayMs: 20, horizonMs: DAY_MS };

const open: Outbox[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((outbox) => outbox.close()));
});

/** A service that is away until `isUp`. */
const service = { isUp: true, attempts: 0 };

async function openOutbox(records: OutboxRecord[] = [], backoff = BACKOFF) {
  Object.assign(service, { isUp: false, attempts: 0 });
  const endings: SaleEnding[] = [];
  const store = memoryStore();
  await store.append(records);
  const outbox = await Outbox.open({
    store,
    backoff,
    send: async (): Promise<AttemptResult> => {
      service.attempts += 1;
      const body = Buffer.from(service.isUp ? '{"result":"recorded"}' : '{}');
      return { kind: 'answered', status: service.isUp ? 200 : 503, headers: {}, body };
    },
    onEnding: (ending) => endings.push(ending),
    onRetry: () => {},
    onFault: () => {},
  });
  open.push(outbox);
  return { outbox, endings };
}

function sale(): SaleEvent {
  return { calculationId: randomUUID(), status: 'applied', transactionId: 'r-1' };
}

/** Sets the clock; timers go on as before, as those of a machine do. */
function setClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
}

test.each([-31 * DAY_MS, -2 * HOUR_MS, 2 * DAY_MS])(
  'that is set by %i ms during an outage keeps no event back, and ends none',
  async (byMs) => {
    const { outbox, endings } = await openOutbox();
    await outbox.report(sale());
    await until('an outage', () => service.attempts > 0);
    setClock(byMs);
    const attempts = service.attempts;
    await until('the outage to go on', () => service.attempts > attempts + 2);
    await outbox.report(sale());
    service.isUp = true;
    await until('both events to be sent', () => outbox.pending === 0);
    expect(endings.map(({ outcome }) => outcome)).toEqual(['settled', 'settled']);
  },
);

test('an event of an earlier run is as old as the clock says, and never younger than new', async () => {
  const due = (ageMs: number): OutboxRecord => {
    const event = sale();
    return { kind: 'due', calculationId: event.calculationId, atMs: Date.now() - ageMs, event };
  };
  const records = [due(DAY_MS + HOUR_MS), due(-2 * DAY_MS)];
  const { outbox, endings } = await openOutbox(records);
  await until('the old one to be given up', () => endings.length > 0);
  expect(endings).toMatchObject([{ outcome: 'stopped', event: { calculationId: records[0]!.calculationId } }]);
  service.isUp = true;
  await until('the other one to be sent', () => outbox.pending === 0);
});

test('no timer is longer than timers can be', async () => {
  const timer = vi.spyOn(globalThis, 'setTimeout');
  const monthsMs = 90 * DAY_MS;
  const { outbox } = await openOutbox([], { firstDelayMs: monthsMs, longestDelayMs: monthsMs, horizonMs: Infinity });
  await outbox.report(sale());
  await until('an outage', () => service.attempts > 0 && outbox.pending === 1);
  await new Promise(setImmediate);
  const delaysMs = timer.mock.calls.map(([, delayMs]) => delayMs ?? 0);
  expect(Math.max(...delaysMs)).toBeGreaterThan(DAY_MS);
  expect(Math.max(...delaysMs)).toBeLessThan(2 ** 31);
});
