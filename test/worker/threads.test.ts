/** Threads are pure: what ends one loses no call, and what it gives is what would be given in place. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { PoolUnavailable } from '@loyalty/contract/unavailable';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PricingTask, priceTask } from '../../src/calls/pricing.ts';
import { replayAnswer } from '../../src/calls/stored/stored-answer.ts';
import { checkEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { IMPORTED } from '../../src/threads/imported.ts';
import { PricingPool } from '../../src/threads/pricing-pool.ts';
import { BASKET, configuration, environment, MEMBER, OSLO } from '../calls/support/shop.ts';
import { basketOf } from '../support/baskets.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

const FAR_MS = 60_000;
const checked = (written: object) => checkEnvironment(sourceOf(JSON.stringify(written), 'environment.yaml'));
const inTime = () => monotonicMs() + FAR_MS;

test('a thread imports its code: Node aborts where one is terminated while it requires an ES module', async () => {
  const filename = join(temporaryDirectory(), 'code.mjs');
  writeFileSync(
    filename,
    'Error.stackTraceLimit = 100;\nconst { stack } = new Error();\nexport default () => stack;\n',
  );
  const pool = new Piscina({ filename, maxThreads: 1, ...IMPORTED });
  const stack: string = await pool.run(undefined);
  await pool.destroy();
  expect(stack).toContain('code.mjs');
  expect(stack).not.toContain('require');
});

describe('a pool', () => {
  const workers: Worker[] = [];
  const noteWorker = (worker: Worker) => workers.push(worker);
  const faults: string[] = [];
  let pool: PricingPool;
  beforeAll(async () => {
    process.on('worker', noteWorker);
    const work = { environment: checked(configuration) };
    pool = new PricingPool(2, work, ({ message }) => faults.push(message));
    await pool.start();
    expect(pool.isReady).toBe(true);
  });
  afterAll(async () => {
    await pool?.close();
    process.off('worker', noteWorker);
  });

  const taskOf = (more: Partial<PricingTask> = {}): PricingTask => ({
    body: new TextEncoder().encode(JSON.stringify(BASKET)),
    configuration: environment.version,
    ...{ venueId: 'oslo-central', baxId: '500123' },
    circumstances: {
      ...{ member: MEMBER, requestedAt: BASKET.requestedAt, movedMs: 0, clockOffsetMs: 0, isClockOff: false },
      uses: limitedUses(OSLO, BASKET.requestedAt, MEMBER),
      available: new Map([['pair#items:*', 1]]),
    },
    ...more,
  });

  test('gives what is priced in place, byte for byte, and leaves the body to its caller', async () => {
    const task = taskOf();
    const priced = (await pool.price(task, inTime()))!;
    const here = priceTask(environment, task);
    expect([priced.stored, priced.kept]).toEqual([here.stored, here.kept]);
    expect(Buffer.from(priced.rendered.body)).toEqual(Buffer.from(here.rendered.body));
    const { body: _, ...rest } = here.rendered;
    expect(priced.rendered).toMatchObject(rest);
    expect(task.body.length).toBeGreaterThan(0);
    expect(pool.state).toMatchObject({ threads: 2, expected: 2, queued: 0, handedOver: 1 });
  });

  test('gives a stored answer again, and says where its bytes do not make it', async () => {
    const { body } = taskOf();
    const { rendered, stored } = priceTask(environment, taskOf());
    const replayed = await pool.replay(stored, body);
    expect('answer' in replayed && Buffer.from(replayed.answer)).toEqual(Buffer.from(rendered.body));
    expect(await pool.replay(Buffer.of(1), body)).toEqual(replayAnswer(Buffer.of(1), body));
  });

  test('has nothing for a call of another configuration', async () => {
    const { handedOver } = pool.state;
    expect(await pool.price(taskOf({ configuration: 'another' }), inTime())).toBeUndefined();
    expect(pool.state.handedOver).toBe(handedOver);
  });

  test('prices the call of a thread that was killed under it again, by another one', async () => {
    const { rendered } = priceTask(environment, taskOf());
    const alive = workers.slice(-2);
    const calls = Array.from({ length: 8 }, () => pool.price(taskOf(), inTime()));
    for (const worker of alive) void worker.terminate();
    for (const priced of await Promise.all(calls)) {
      expect(Buffer.from(priced!.rendered.body)).toEqual(Buffer.from(rendered.body));
    }
    await until('the pool to be whole', () => pool.isReady);
    await until('both to be counted', () => pool.state.lost.ended === 2);
    expect(pool.state.lost.stuck).toBe(0);
    // A call that waits for a thread to start is not stuck in one.
    expect(faults.filter((fault) => fault.includes('stuck'))).toEqual([]);
  });

  test('takes the configuration of a reload', async () => {
    const [tea, ...others] = configuration.programmes;
    const written = { ...configuration, programmes: [{ ...tea!, programmeId: 'cocoa-club' }, ...others] };
    const work = { environment: checked(written) };
    await pool.replace(work);
    const task = taskOf();
    expect(await pool.price(task, inTime())).toBeUndefined();
    const priced = await pool.price({ ...task, configuration: work.environment.version }, inTime());
    expect(priced?.rendered.status).toBe('applied');
  });
});

test('a pool whose threads have not started takes no call', async () => {
  const pool = new PricingPool(1, { environment: checked(configuration) }, () => undefined);
  const replay = pool.replay(Buffer.of(1), new Uint8Array(1));
  await expect(replay).rejects.toThrow(PoolUnavailable);
  expect(pool.trouble).toBe('threads are not ready');
  await pool.close();
});

describe('a service', () => {
  const file = join(temporaryDirectory(), 'once');
  const saboteur = `--import=${join(import.meta.dirname, '..', 'faults', 'saboteur.mjs')}`;
  // A thread takes longer to start than one at work may take for a task.
  const slow = { SABOTAGE_WARM_UP_MS: '3000' };
  const stage = useService({
    isPatient: false,
    env: { INLINE_BYTES: '0', WORKERS: '2', NODE_OPTIONS: saboteur, SABOTAGE_ONCE_FILE: file, ...slow },
  });
  const sabotaged = (word: string): BasketBody => basketOf([{ name: `sabotage-${word}` }]);
  const lost = async (cause: string) =>
    readingOf(await scrape(stage.service), 'loyalty_pool_threads_lost_total', { cause });

  test('answers the call whose thread has ended while it had it', async () => {
    const { caller, service } = stage;
    let basket = sabotaged('once');
    // On a busy machine the second thread may be too late.
    await until('an answer', async () => {
      await service.untilReady();
      writeFileSync(file, '');
      basket = sabotaged('once');
      const { status } = await caller.basket(basket);
      // A call that was refused before a thread had it has ended none.
      if (status !== 200) return false;
      expect(existsSync(file)).toBe(false);
      return true;
    });
    await until('the thread to be counted', async () => ((await lost('ended')) ?? 0) > 0);
    expect((await caller.basket(basket)).isReplayed).toBe(true);
    // Calls that wait for the new thread do not end it as stuck while it starts.
    for (let call = 0; call < 45; call += 1) {
      await Promise.all([1, 2, 3].map(() => caller.basket(basketOf())));
      await sleep(100);
    }
    expect(await lost('stuck')).toBe(0);
  });

  test('ends a thread that is stuck, and counts it; its call is refused at the deadline and may come again', async () => {
    const { caller, service } = stage;
    const basket = sabotaged('loop');
    expect((await caller.basket(basket)).status).toBe(503);
    await until('the thread to be counted', async () => (await lost('stuck')) === 1);
    await service.untilReady();
    const { lines } = basketOf();
    await until('its answer', async () => (await caller.basket({ ...basket, lines })).status === 200);
  });
});
