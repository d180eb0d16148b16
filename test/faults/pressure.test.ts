/** The process under pressure from inside: its main thread stands still, a thread loops, the queue is full, sockets pile up. */
import { execFileSync } from 'node:child_process';
import { beforeEach, expect, test } from 'vitest';
import { type Caller, patiently } from '../support/caller.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import {
  basketOf,
  DEADLINE_MS,
  expectApplied,
  expectUnavailable,
  faultConfiguration,
  guestBasket,
  keepCalling,
  residentMegabytes,
  SABOTEUR,
  SLACK_MS,
  sabotaged,
  timed,
  unitsOf,
  untilServed,
} from './support.ts';

const NONE = { consumed: 0, over: 0, held: 0 };

/** Both of its threads are the tests' to block; each test ends with a service that answers. */
const stage = useService({
  configuration: faultConfiguration(),
  // Every basket to a thread: a small one would be priced where it was received.
  env: { NODE_OPTIONS: SABOTEUR, INLINE_BYTES: '0', WORKERS: '2' },
});
beforeEach(async () => {
  await stage.service.untilReady();
  const caller = stage.service.newCaller({ isPatient: false });
  for (let count = 0; count < 20; count += 1) await patiently(() => caller.basket(basketOf()));
});

/** A main thread that stands still for so long, with calls before and behind it. */
async function standStill(blockMs: number): Promise<void> {
  const caller = stage.service.newCaller({ isPatient: false });
  const baskets = Array.from({ length: 30 }, () => guestBasket());
  const under = baskets.slice(0, 15).map((basket) => timed(caller.basket(basket)));
  await sleep(2);
  const blocker = timed(caller.basket(sabotaged(`block-${blockMs}-ms`)));
  await sleep(20);
  const behind = baskets.slice(15).map((basket) => timed(caller.basket(basket)));
  const answers = await Promise.all([...under, ...behind]);
  for (const [index, { answer, waitedMs }] of answers.entries()) {
    const { loyaltyId } = baskets[index] ?? basketOf();
    expect(waitedMs).toBeLessThan(blockMs + DEADLINE_MS + SLACK_MS);
    if (answer.status === 200) expectApplied(answer);
    else expectUnavailable(answer, blockMs + DEADLINE_MS + SLACK_MS);
    if (answer.status === 200) expect((await unitsOf(stage.redis, loyaltyId)).held).toBe(1);
  }
  await blocker;
  // Nothing of what was refused lands later.
  const before = await Promise.all(baskets.map(({ loyaltyId }) => unitsOf(stage.redis, loyaltyId)));
  await untilServed(caller);
  await sleep(DEADLINE_MS);
  expect(await Promise.all(baskets.map(({ loyaltyId }) => unitsOf(stage.redis, loyaltyId)))).toEqual(before);
  for (const basket of baskets) expect((await patiently(() => caller.basket(basket))).status).toBe(200);
  for (const { loyaltyId } of baskets) expect(await unitsOf(stage.redis, loyaltyId)).toEqual({ ...NONE, held: 1 });
}

test.each([300, 700])(
  'a main thread that stands still for %i ms answers late or 503, and leaves one consistent state',
  async (blockMs) => {
    // Our own standstill is not taken for Redis' silence. Where Redis stood still too, all begins anew.
    await until('a standstill without a word of Redis', async () => {
      const { length } = stage.service.log;
      await standStill(blockMs);
      return !stage.service.log.slice(length).some(({ msg }) => msg === 'redis down');
    });
  },
);

test('while one of two threads loops, what the other one gets is answered as ever', async () => {
  const caller = stage.service.newCaller({ isPatient: false });
  // Those that the other thread got did not wait for the loop to be ended. Where the machine stood still meanwhile, all begins anew.
  await until('calls to be served beside the loop', async () => {
    await stage.service.untilReady();
    const stuck = caller.basket(sabotaged('loop'));
    await sleep(50);
    const load = keepCalling(() => caller.basket(basketOf()), 4);
    expectUnavailable(await stuck);
    const servedMeanwhile = load.answers.filter(({ status }) => status === 200).length;
    await until('some hundred calls', () => load.answers.length >= 300);
    await load.stop();
    expect(load.faults).toEqual([]);
    const refused = load.answers.filter((answer) => answer.status !== 200);
    for (const answer of refused) expectUnavailable(answer);
    // Calls that were handed to the thread before it was known to loop: as many as a thread takes at once, and no more. The
    // machine may stand still for a moment and have the four callers of that moment refused.
    return servedMeanwhile > 0 && refused.length <= 16 + 4;
  });
});

test('calls past a full queue are refused at once, those in it at their deadline, and the process is well afterwards', async () => {
  const caller = stage.service.newCaller({ isPatient: false });
  const refusedAtOnce = async () => {
    const samples = await scrape(stage.service);
    const count = (reason: string) => readingOf(samples, 'loyalty_unavailable_total', { reason }) ?? 0;
    return count('threads') + count('admission');
  };
  const before = await refusedAtOnce();
  const stuck = [1, 2].map(() => caller.basket(sabotaged('loop')));
  await sleep(30);
  const baskets = Array.from({ length: 1600 }, () => guestBasket({ loyaltyId: 'guest-0' }));
  const answers = await Promise.all(baskets.map((basket) => timed(caller.basket(basket))));
  for (const answer of await Promise.all(stuck)) expectUnavailable(answer);
  // So many at once keep the caller and the service busy on the same two cores.
  // A new thread may be there for the last ones.
  const refused = answers.filter(({ answer }) => answer.status !== 200);
  for (const { answer } of refused) expectUnavailable(answer, 2 * (DEADLINE_MS + SLACK_MS));
  expect(refused.length).toBeGreaterThan(800);
  // Those that the queue had no place for did not wait for the deadline.
  expect(await refusedAtOnce()).toBeGreaterThan(before);
  await untilServed(caller, 30_000);
  for (let count = 0; count < 100; count += 1) {
    expect((await patiently(() => caller.basket(basketOf()))).status).toBe(200);
  }
});

test('5,000 idle connections cost the others nothing and are cut', { timeout: 120_000 }, async () => {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n']).toString()) || Number.POSITIVE_INFINITY;
  // Each connection is a file of ours and one of the service's.
  const count = Math.min(5000, limit - 500);
  expect(count).toBeGreaterThan(400);
  const before = residentMegabytes(stage.service.gateways[0] ?? 0);
  const caller = stage.service.newCaller();
  const waitMsBefore = await medianWaitMs(caller);
  const idle: RawConnection[] = [];
  for (let at = 0; at < count; at += 100) {
    const batch = Array.from({ length: Math.min(100, count - at) }, () => RawConnection.open(stage.service.baseUrl));
    idle.push(...(await Promise.all(batch)));
  }
  expect(await medianWaitMs(caller)).toBeLessThan(10 * waitMsBefore);
  expect(residentMegabytes(stage.service.gateways[0] ?? 0) - before).toBeLessThan(100);
  const cut = await Promise.all(idle.map((connection) => connection.closes(50_000)));
  expect(cut.filter((isCut) => !isCut)).toEqual([]);
  for (const connection of idle) connection.close();
  expectApplied(await patiently(() => caller.basket(basketOf())));
});

/** How long half of the calls, one after another, take at most. */
async function medianWaitMs(caller: Caller): Promise<number> {
  const waits: number[] = [];
  for (let call = 0; call < 100; call += 1) {
    const { answer, waitedMs } = await timed(patiently(() => caller.basket(basketOf())));
    expectApplied(answer);
    waits.push(waitedMs);
  }
  return waits.sort((a, b) => a - b)[50] as number;
}
