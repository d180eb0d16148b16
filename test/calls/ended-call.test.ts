/** The end of a call: by its commit, by its deadline, or because it is much work. Nothing here asks Redis. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RenderedAnswer } from '../../src/calls/answer.ts';
import { calculateBasket, conclude } from '../../src/calls/basket-call.ts';
import { countGivenBefore } from '../../src/calls/loading.ts';
import type { CallFacts, Opened, Task } from '../../src/calls/call.ts';
import { createEventLoopCalls, createRunner, type Patience } from '../../src/calls/runner.ts';
import { encodeContent } from '../../src/calls/stored/encode.ts';
import { storedForm } from '../../src/calls/stored/stored-answer.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { DeadlinePassed } from '../../src/redis/failure.ts';
import { monotonicMs, Stopwatch, WORKER_PHASES } from '../../src/telemetry/stopwatch.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { BASKET, CONTEXT, configuration, environment, MEMBER, NOON_MS, sell } from './support/shop.ts';

const BODY = Buffer.from(JSON.stringify(BASKET));

describe('a commit', () => {
  const { rendered, record } = sell();
  const end = (committed: object, more: Partial<RenderedAnswer> = {}) => {
    const facts: CallFacts = {};
    const outcome = conclude(committed as never, { ...rendered, ...more }, BODY, facts);
    return { outcome, facts, code: outcome.kind === 'refusal' ? outcome.refusal.code : undefined };
  };
  const committed = { outcome: 'committed', holdsMade: 0, holdsReleased: 0, holdsCommon: false };

  test('that was made gives the answer, and notes what it did', () => {
    const { outcome, facts } = end(committed);
    expect(outcome).toEqual({ kind: 'answer', body: rendered.body, isReplayed: false });
    expect(facts).toStrictEqual({ status: 'applied' });
    expect(end({ ...committed, holdsMade: 2, holdsReleased: 1 }, { reason: 'r', ownDiscounts: 3 }).facts).toStrictEqual(
      {
        ...{ status: 'applied', reason: 'r', holdsMade: 2, holdsReleased: 1, ownDiscountsReturned: 3 },
      },
    );
  });

  test('of a choice that may miss something says how much, and whether that is more than a hundredth', () => {
    const missing = (mayMiss: number, total?: number) => {
      const { status: _, ...facts } = end(committed, { mayMiss, total }).facts;
      return facts;
    };
    expect(missing(139.2, 14_000)).toStrictEqual({ choice: 'bounded', mayMiss: 140 });
    expect(missing(140, 14_000)).toStrictEqual({ choice: 'bounded', mayMiss: 140 });
    expect(missing(141, 14_000)).toStrictEqual({ choice: 'bounded', mayMiss: 141, mayMissMuch: true });
    expect(missing(1)).toStrictEqual({ choice: 'bounded', mayMiss: 1, mayMissMuch: true });
    expect(missing(Number.POSITIVE_INFINITY, 14_000)).toStrictEqual({ choice: 'bounded', mayMissMuch: true });
  });

  test('that another call has made gives the answer of that one', () => {
    const replayed = end({ outcome: 'replay', stored: record.answer });
    expect(replayed.outcome).toEqual({ kind: 'answer', body: Buffer.from(rendered.body), isReplayed: true });
    expect(replayed.facts).toEqual({});
    const broken = end({ outcome: 'replay', stored: Buffer.of(1) });
    expect([broken.code, broken.facts]).toEqual(['internal_error', { unreplayable: true }]);
    expect(broken.outcome).toMatchObject({ fault: 'A stored answer cannot be replayed: its format byte is 1' });
  });

  test('that Redis refused is a conflict, or too late', () => {
    expect(end({ outcome: 'conflict' })).toMatchObject({ code: 'idempotency_conflict', facts: {} });
    expect(end({ outcome: 'too_late' })).toMatchObject({
      ...{ code: 'unavailable', outcome: { refusal: { message: 'The call could not be finished in time.' } } },
    });
  });
});

test('discounts that the answer before has given are counted, each once', () => {
  const stored = sell().record.answer!;
  expect(countGivenBefore([10_000, 1_000, 1_000, 7], stored)).toBe(2);
  expect([countGivenBefore([7, 1_000], stored), countGivenBefore([10_000, 10_000], stored)]).toEqual([1, 1]);
  expect(countGivenBefore([10_000], sell({ ...MEMBER, status: 'paused' }).record.answer!)).toBe(0);
  expect(countGivenBefore([10_000], Buffer.of(1))).toBe(0);
});

test("a line of which only the staff's discount was taken off has none of ours", () => {
  const digest = encodeContent({
    ...{ status: 'applied', memberLabel: undefined, receiptFooterText: undefined, discountCode: 'd' },
    ...{ benefits: [{ benefitId: 'b', text: undefined }], removedOrderDiscounts: [], orders: [], gifts: [] },
    effects: [{ benefit: 0, percentHundredths: undefined, overrideUnitPrice: undefined }],
    parts: [
      { line: 0, cut: undefined, isCleared: true, effect: undefined },
      { line: 1, cut: undefined, isCleared: false, effect: { effect: 0, units: 1, amount: 700 } },
    ],
  });
  expect(countGivenBefore([700, 700], storedForm(digest, Buffer.from('{}')))).toBe(1);
});

const taskOf = (more: Partial<Task> = {}): Task => ({
  ...{ route: 'basket', calculationId: BASKET.calculationId, body: new Uint8Array(BODY), redisDeadlineMs: 0 },
  ...{ deadlineMs: monotonicMs() + 60_000, indexEntry: undefined, ...more },
});

describe('a call that is run', () => {
  const waits: Patience = (work) => work;
  const context = CONTEXT;

  test('is refused without any work if it has waited too long', async () => {
    const late = taskOf({ deadlineMs: monotonicMs() + 40 });
    const expected = (phase: string) => ({
      ...{ kind: 'refusal', refusal: { code: 'unavailable' }, facts: { reason: 'deadline', phase }, phases: {} },
    });
    expect(await createRunner(context, waits)(late)).toMatchObject(expected('queue'));
    expect(await createEventLoopCalls(context).looked(late, new Stopwatch())).toMatchObject(expected('lookup'));
  });

  test('is refused for its body, whatever it is', async () => {
    const run = createRunner(context, waits);
    for (const route of ['basket', 'sale'] as const) {
      const result = await run(taskOf({ route, body: new Uint8Array(Buffer.from('{')) }));
      expect(result).toMatchObject({ kind: 'refusal', refusal: { code: 'invalid_request' } });
      expect([Object.keys(result.phases), result.facts]).toEqual([['parse'], {}]);
    }
    const strange = taskOf({ body: new Uint8Array(Buffer.from(JSON.stringify({ ...BASKET, currency: 'SEK' }))) });
    const { facts } = await run(strange);
    expect(facts).toEqual({ venueId: 'oslo-central', terminal: '500123' });
  });

  test('is waited for until its deadline', async () => {
    let until: number | undefined;
    const patience: Patience = (_, deadlineMs) => {
      until = deadlineMs;
      return Promise.reject(new DeadlinePassed());
    };
    const task = taskOf({ body: new Uint8Array(Buffer.from('{')) });
    const result = await createRunner(context, patience)(task);
    expect(result).toMatchObject({ refusal: { code: 'unavailable' }, facts: { reason: 'deadline', phase: 'member' } });
    expect(until).toBe(task.deadlineMs);
  });

  test('is never too much work for a thread', async () => {
    const much: Patience = () => Promise.resolve({ kind: 'too much work', opened: {} as Opened, spent: {} });
    const broken = taskOf({ body: new Uint8Array(Buffer.from('{')) });
    await expect(createRunner(context, much)(broken)).rejects.toThrow('assertion failed');
    const refused = { kind: 'refusal', refusal: { code: 'invalid_request' } };
    expect(await createEventLoopCalls(context).looked(broken, new Stopwatch())).toMatchObject(refused);
  });
});

describe('a basket that was opened', () => {
  const opened = (more: object = {}): Opened =>
    ({
      ...{
        configuration: environment.version,
        token: 't',
        fingerprint: 'f',
        common: new Map(),
        readAtMs: 0,
        ownLines: 2,
      },
      snapshot: { nowMs: NOON_MS, movedMs: 0, member: MEMBER, consumed: new Map(), holds: [], ...more },
    }) as unknown as Opened;
  const calculate = async (own: Opened, patience: number, task: Partial<Task> = {}) => {
    const facts: CallFacts = {};
    const stopwatch = new Stopwatch(undefined, WORKER_PHASES.basket);
    const outcome = await calculateBasket({ ...CONTEXT, patience }, taskOf({ opened: own, ...task }), facts, stopwatch);
    return { outcome, facts };
  };

  test('is passed on with what was opened when it is much work', async () => {
    const { outcome, facts } = await calculate(opened(), 0);
    if (outcome.kind !== 'too much work') throw new Error(outcome.kind);
    expect(outcome.opened).toMatchObject(opened());
    expect('body' in outcome.opened).toBe(false);
    expect(Object.keys(outcome.spent)).toEqual(['parse', 'member', 'price']);
    expect(facts).toStrictEqual({ venueId: 'oslo-central', ownDiscountsReturned: 2, clockOffsetSeconds: 0 });
  });

  test('shows what its phases took before it was handed over, too', async () => {
    const broken = taskOf({ body: new Uint8Array(Buffer.from('{')), spent: { parse: 70_000, member: 80_000 } });
    const { phases } = await createRunner(CONTEXT, (work) => work)(broken);
    expect(phases).toEqual({ parse: expect.any(Number), member: 80_000 });
    expect(phases['parse']).toBeGreaterThan(70_000);
  });

  test('with very many grants is much work before anything is computed', async () => {
    const grants = Array.from({ length: 500 }, (_, at) => ({ benefitId: 'twenty', grantId: `g-${at}`, quantity: 1 }));
    const { outcome, facts } = await calculate(opened({ member: { ...MEMBER, grants } }), 100);
    expect([outcome.kind, facts.clockOffsetSeconds]).toEqual(['too much work', undefined]);
    const task = taskOf({ opened: opened({ member: { ...MEMBER, grants } }) });
    const much = await createEventLoopCalls(CONTEXT).looked(task, new Stopwatch());
    expect(much).toMatchObject({ kind: 'too much work', opened: { configuration: environment.version } });
  });

  test('notes how its clock is off, and how far it was moved for a test', async () => {
    const { facts } = await calculate(opened({ nowMs: NOON_MS - 600_500, movedMs: -1_500 }), 0);
    expect(facts).toMatchObject({ clockOffsetSeconds: 600.5, clockOff: true, clockMovedSeconds: -1.5 });
  });

  test('is refused if its answer fails its own check, and is kept for repair', async () => {
    const bun = { productId: 'bun', name: 'Bun', unitPrice: 500, noDiscount: false, noPercentageDiscount: false };
    const gift = { benefitId: 'gift', kind: 'free_product', audience: 'everyone', productId: 'bun', text: 'A bun' };
    const written = {
      ...configuration,
      venues: configuration.venues.map((venue) => ({ ...venue, products: [bun] })),
      programmes: configuration.programmes.map((programme) => ({ ...programme, benefits: [gift] })),
    };
    const own = loadEnvironment(JSON.stringify(written), 'environment.yaml');
    // As if no check of the configuration had seen it.
    const { products } = own.findVenue('oslo-central', '500123')!;
    (products as Map<string, unknown>).set('bun', { ...bun, productId: '' });
    const repairDir = temporaryDirectory();
    const context = { ...CONTEXT, environment: own, repairDir };
    const task = taskOf({ opened: { ...opened(), configuration: own.version } });
    const calls = Array.from({ length: 64 }, () =>
      calculateBasket(context, task, {}, new Stopwatch(undefined, WORKER_PHASES.basket)),
    );
    // One answer in 64 is compared with the schema; the others go on to the store, which is none here.
    const ended = (await Promise.allSettled(calls)).flatMap((call) => (call.status === 'fulfilled' ? call.value : []));
    expect(ended).toMatchObject([
      { kind: 'refusal', refusal: { code: 'internal_error' }, fault: expect.stringContaining('failed its own check') },
    ]);
    expect(readdirSync(repairDir)).toEqual([`${BASKET.calculationId}.json`]);
    cleanUp();
  });

  test('is not priced when nothing of it could be written any more', async () => {
    await expect(calculate(opened(), 1_000, { deadlineMs: monotonicMs() + 40 })).rejects.toThrow(DeadlinePassed);
  });
});
