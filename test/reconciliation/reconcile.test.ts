/** Reconciliation: what the caller's books and ours differ in, from real calculations in a real Redis. */

import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Finding } from '../../packages/tools/src/reconciliation/compare.ts';
import { type Period, reconcile } from '../../packages/tools/src/reconciliation/reconcile.ts';
import { readSoldEvents } from '../../packages/tools/src/reconciliation/sold-events.ts';
import { type BadRow, readTransactions } from '../../packages/tools/src/reconciliation/transactions.ts';
import type { Environment } from '../../src/programme/environment.ts';
import { decide } from '../../src/store/decisions.ts';
import { STREAMS } from '../../src/store/event-stream.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import type { Sale } from '../../src/store/sale.ts';
import { ANNA, calculate, report, useFixture } from '../store/fixture.ts';
import { describeNothing, erase } from '../support/plain-books.ts';

const fixture = useFixture();

/** Bytes that are in use, without what nobody refers to any more. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

async function* bytesOf(rows: Iterable<unknown>): AsyncGenerator<Buffer> {
  for (const row of rows) yield Buffer.from(`${typeof row === 'string' ? row : JSON.stringify(row)}\n`);
}

const VENUES = { venues: [{ venueId: 'oslo-central', timeZone: 'Europe/Oslo' }] } as unknown as Environment;

/** Compares rows; what the file lacks is looked for only where a test has a period. */
async function run(rows: Iterable<unknown>, period: Period = { from: '9999-01-01' }) {
  const findings: Finding[] = [];
  const badRows: BadRow[] = [];
  const result = await reconcile(readTransactions(bytesOf(rows)), {
    store: fixture.store,
    sold: await readSoldEvents(fixture.store, VENUES),
    period,
    onFinding: (finding) => void findings.push(finding),
    onBadRow: (row) => void badRows.push(row),
  });
  return { result, findings, badRows };
}

const transactionOf = (calculationId: string, more: object = {}) => ({
  calculationId,
  transactionId: 't-1',
  total: 100,
  loyaltyStatus: 'applied',
  ...more,
});

async function calculated(status?: string): Promise<string> {
  const { commit } = await calculate(fixture, { uses: [] });
  if (status !== undefined) await report(fixture, commit.calculationId, status);
  return commit.calculationId;
}

test('a sale without us is right where the call may never have come, or was refused', async () => {
  const failed = (failureReason: string, calculationId = randomUUID()) =>
    transactionOf(calculationId, { loyaltyStatus: 'failed', failureReason });
  const told = randomUUID();
  await report(fixture, told, 'failed', { failureReason: 'offline' });
  const refused = randomUUID();
  await report(fixture, refused, 'failed', { failureReason: 'http_error' });
  const timedOut = randomUUID();
  const { findings } = await run([
    failed('offline'),
    failed('connection_error'),
    failed('offline', told),
    failed('http_error'),
    failed('http_error', refused),
    failed('timeout', timedOut),
  ]);
  expect(findings.map(({ calculationId, kind }) => [calculationId, kind])).toEqual([[timedOut, 'unknown_calculation']]);
  const { badRows } = await run([failed(7 as unknown as string)]);
  expect(badRows).toEqual([{ line: 1, fault: 'failureReason: found 7, allowed: a text' }]);
});

test('a sale that the file lacks is found, on the days of the file or on those that are named', async () => {
  const [told, lacking] = [await calculated('applied'), await calculated('failed')];
  await calculated('cancelled');
  await calculated();
  const missing = { kind: 'missing_transaction', calculationId: lacking, transactionId: 't-1', expected: 'failed t-1' };
  const { findings, result } = await run([transactionOf(told)], {});
  expect([findings, result.days]).toEqual([[missing], [expect.any(String)]]);
  const [day = ''] = result.days;
  expect((await run([transactionOf(told)], { from: day, to: day })).findings).toEqual([missing]);
  expect((await run([transactionOf(told)], { to: '2000-01-01' })).findings).toEqual([]);
  // A file with few of the sales of a day is not of that day.
  for (let more = 0; more < 2; more += 1) await calculated('applied');
  expect(await run([transactionOf(told)], {})).toMatchObject({ findings: [], result: { days: [] } });
});

test('what a person has decided against is no sale any more, and what is decided is no conflict', async () => {
  const { store } = fixture;
  const [undone, made] = [await calculated('applied'), await calculated('cancelled')];
  for (const [id, status] of Object.entries({ [undone]: 'cancelled', [made]: 'applied' })) {
    await report(fixture, id, status);
    const sold = (await findAnswered(store, id))!;
    const words = { outcome: 'second', who: 'operator', reason: 'the till was asked' } as const;
    expect(await decide(store, sold, words, describeNothing)).toEqual({ outcome: 'resolved' });
  }
  const { findings } = await run([], { from: '2000-01-01' });
  expect(findings.map(({ kind, calculationId }) => [kind, calculationId])).toEqual([['missing_transaction', made]]);
  expect((await run([transactionOf(made)])).findings).toEqual([]);
  // On a cluster, where the master of its stream is away, an event is in another stream, and one of a booking that was interrupted comes again.
  const { client } = fixture.redis;
  const streams = STREAMS.map((stream) => store.keys.events(stream));
  const entries = (await Promise.all(streams.map((key) => client.xrange(key, '-', '+'))))
    .flat()
    .map(([, words]) => words);
  const isDecision = ([, text = '']: string[]) => (JSON.parse(text) as { result: string }).result === 'resolved';
  const [decisions, others] = [entries.filter(isDecision), entries.filter((words) => !isDecision(words))];
  expect([decisions.length, others.length]).toEqual([2, 4]);
  await client.del(...streams);
  for (const words of decisions) await client.xadd(streams.at(0)!, '*', ...words);
  for (const words of others) await client.xadd(streams.at(-1)!, '*', ...words);
  expect((await run([], { from: '2000-01-01' })).findings).toEqual(findings);
});

test('refunds are compared where the row tells them', async () => {
  const sold = await calculated('applied');
  const { client } = fixture.redis;
  for (const [name, refund] of Object.entries({ first: 30, second: 10 })) {
    await client.hset(fixture.store.keys.returns(ANNA, sold), `r:${name}`, `0 1 ${JSON.stringify([{ refund }, []])}`);
  }
  expect((await run([transactionOf(sold), transactionOf(sold, { refunded: 40 })])).findings).toEqual([]);
  expect((await run([transactionOf(sold, { refunded: 0 })])).findings).toEqual([
    { kind: 'different_refund', calculationId: sold, transactionId: 't-1', expected: 40, received: 0 },
  ]);
  expect((await run([transactionOf(sold, { refunded: -1 })])).badRows).toHaveLength(1);
});

test('an erased member and a sale that is no longer kept are named for what they are, and are no difference', async () => {
  const erased = await calculated('applied');
  await erase(fixture.store, ANNA);
  const { findings, result } = await run([
    transactionOf(erased),
    transactionOf(randomUUID(), { soldAt: '2026-01-02T12:00:00+01:00' }),
    transactionOf(randomUUID(), { soldAt: new Date().toISOString() }),
  ]);
  expect(findings.map(({ kind }) => kind)).toEqual(['erased_member', 'no_longer_kept', 'unknown_calculation']);
  expect(result.matched).toBe(2);
  expect((await run([transactionOf(erased, { soldAt: 'yesterday' })])).badRows).toHaveLength(1);
});

test('each difference is found and named', async () => {
  const missing = await calculated();
  const other = await calculated('cancelled');
  const total = await calculated('applied');
  const failed = await calculated();
  await report(fixture, failed, 'failed', { failureReason: 'timeout' });
  const unknown = randomUUID();
  const toldUnknown = randomUUID();
  await report(fixture, toldUnknown, 'applied');
  const conflicting = await calculated('applied');
  await report(fixture, conflicting, 'cancelled');
  const superseded = await calculated();
  await calculate(fixture, { uses: [], supersedes: { calculationId: superseded, member: undefined } });
  await report(fixture, superseded, 'applied');
  const { findings } = await run([
    transactionOf(missing),
    transactionOf(other),
    transactionOf(total, { total: 99 }),
    // The guest paid the original basket: the answer's total says nothing about it.
    transactionOf(failed, { total: 500, loyaltyStatus: 'failed' }),
    transactionOf(unknown),
    transactionOf(toldUnknown),
    transactionOf(conflicting),
    transactionOf(superseded),
  ]);
  expect(findings.map(({ calculationId, kind }) => [calculationId, kind])).toEqual([
    [missing, 'missing_sale_event'],
    [other, 'different_outcome'],
    [total, 'different_total'],
    [unknown, 'unknown_calculation'],
    [toldUnknown, 'unknown_calculation'],
    [conflicting, 'conflicting_events'],
    [superseded, 'late_sale'],
  ]);
  expect(findings.find(({ kind }) => kind === 'different_total')).toMatchObject({ expected: 100, received: 99 });
});

test('a sale that reports another status than the answer is found, although the books agree with it', async () => {
  const sold = async (answered: string, told: string, more: Partial<Sale> = {}) => {
    const { commit } = await calculate(fixture, { uses: [], status: answered });
    await report(fixture, commit.calculationId, told, more);
    return { calculationId: commit.calculationId, loyaltyStatus: told, ...more };
  };
  const different = [
    await sold('applied', 'unchanged'),
    await sold('applied', 'member_not_found'),
    await sold('unchanged', 'applied'),
    await sold('member_not_found', 'unchanged'),
  ];
  const equal = [
    await sold('unchanged', 'unchanged'),
    await sold('member_not_found', 'member_not_found'),
    // The till kept its own basket, whatever the answer was.
    await sold('applied', 'failed', { failureReason: 'pos_error' }),
    await sold('applied', 'not_applicable'),
  ];
  const { result, findings } = await run([...different, ...equal].map((row) => transactionOf(row.calculationId, row)));
  expect(findings.map(({ calculationId, kind, received }) => [calculationId, kind, received])).toEqual(
    different.map(({ calculationId, loyaltyStatus }) => [calculationId, 'different_outcome', loyaltyStatus]),
  );
  expect(findings[0]).toMatchObject({ expected: 'applied' });
  expect(result.matched).toBe(equal.length);
});

test.each(['not_applicable', 'member_not_found'])(
  '%s without a call has no record, and needs no ID',
  async (status) => {
    const uncalled = transactionOf(randomUUID(), { loyaltyStatus: status });
    const { calculationId: _, ...withoutId } = uncalled;
    const told = randomUUID();
    await report(fixture, told, status);
    const right = [
      ...[uncalled, withoutId],
      ...[null, ''].map((none) => ({ ...uncalled, calculationId: none, failureReason: none })),
    ];
    const { result, findings } = await run([...right, { ...uncalled, calculationId: told }]);
    expect([findings, result.matched]).toEqual([[], 5]);
    // What has a call still needs its ID and its event.
    const open = await calculated();
    const { findings: missing, badRows } = await run([
      { ...uncalled, calculationId: open },
      { ...uncalled, calculationId: 'X' },
      { ...withoutId, loyaltyStatus: 'applied' },
    ]);
    expect(missing).toEqual([{ kind: 'missing_sale_event', calculationId: open, transactionId: 't-1' }]);
    expect(badRows).toEqual([
      { line: 2, fault: expect.stringContaining('calculationId: found "X"') },
      { line: 3, fault: expect.stringContaining('calculationId: found nothing') },
    ]);
  },
);

test('bad rows are named by their line and passed over, and a byte order mark before the first row is no part of it', async () => {
  const good = transactionOf(await calculated('applied'));
  const { result, badRows } = await run([
    `\ufeff${JSON.stringify(good)}`,
    'no json',
    '',
    '[]x',
    'null',
    { ...good, calculationId: 'X' },
    { ...good, total: 1.5 },
    { ...good, loyaltyStatus: 'cancelled' },
    { ...good, transactionId: '' },
    // What ends lines in other programs is a letter of a text in JSON.
    { ...good, note: 'one\u2028row' },
  ]);
  expect(badRows.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7, 8, 9]);
  expect(badRows[0]).toEqual({ line: 2, fault: 'not JSON' });
  expect(result).toMatchObject({ transactions: 2, matched: 2, badRows: 7 });
});

test('books that agree leave nothing to report, and memory does not grow with their rows', async () => {
  const good = transactionOf(await calculated('applied'));
  let atEnd = 0;
  function* many(count: number) {
    for (let row = 1; row <= count; row += 1) {
      if (row === count) atEnd = heapInUse();
      yield good;
    }
  }
  await run(many(5000));
  const before = atEnd;
  const { result, findings } = await run(many(40_000));
  expect(findings).toEqual([]);
  expect(result).toMatchObject({ transactions: 40_000, matched: 40_000, badRows: 0 });
  // Thirty-five thousand more rows kept would be well over this.
  expect(atEnd - before).toBeLessThan(2 * 1024 * 1024);
});

test('of two events with one result the later one stands, whichever stream has it; the day is that of its booking', async () => {
  const { store, redis } = fixture;
  const [id, before] = [randomUUID(), randomUUID()];
  const add = (stream: number, calculationId: string, at: string, status: string) => {
    const event = { calculationId, result: 'recorded', venueId: 'oslo-central', transactionId: 't-1', status, at };
    return redis.client.xadd(store.keys.events(stream), '*', 'event', JSON.stringify(event));
  };
  await add(0, id, '2026-11-20T23:30:00.000Z', 'applied');
  await add(3, id, '2026-11-20T22:30:00.000Z', 'cancelled');
  await add(3, before, '2026-11-20T22:30:00.000Z', 'failed');
  const sold = await readSoldEvents(store, VENUES);
  expect([...sold].map(([name, { day, status }]) => [name, day, status])).toEqual([
    [id, '2026-11-21', 'applied'],
    [before, '2026-11-20', 'failed'],
  ]);
});
