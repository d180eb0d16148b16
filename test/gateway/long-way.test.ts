/** The long way of a call, as far as it asks nothing of Redis, and the headers that lead to it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { NotUsual, Task } from '../../src/calls/messages.ts';
import { findHeadFault } from '../../src/gateway/lifecycle.ts';
import { endWithStored, takeLongWay } from '../../src/gateway/long-way.ts';
import type { RequestHead } from '../../src/gateway/request-head.ts';
import { DEADLINE_MS, emptyBucket, INLINE_BYTES, KEY, OPENED, receive } from './support/received-call.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the long way', () => {
  test.each([
    ['a sale event', { kind: 'sale' }],
    ['a body over the bound', { body: 'x'.repeat(INLINE_BYTES + 1) }],
    ['a header with an error', { head: { contentType: 'text/plain' } }],
  ] as const)('%s takes it at once, and an empty bucket comes first', async (_, given) => {
    emptyBucket('basket');
    emptyBucket('sale');
    const { run, caller, tasks, code, record } = receive(given);
    await run();
    expect([code(), caller.header('retry-after'), tasks]).toEqual(['rate_limited', '3', []]);
    expect(record).toMatchObject({ calculationId: KEY, code: 'rate_limited' });
  });

  test('a body of the bound itself goes the usual way, and stays on the event loop', async () => {
    const { run, tasks } = receive({ body: 'x'.repeat(INLINE_BYTES), usual: async () => known });
    await run();
    expect(tasks.map(([way]) => way)).toEqual(['usual', 'looked']);
  });

  test('a key that is none is not noted', async () => {
    emptyBucket('basket');
    const { run, record } = receive({ head: { idempotencyKey: 'till-7' } });
    await run();
    expect(record).toEqual({ route: 'basket', isAuthentic: true, code: 'rate_limited' });
  });

  test('a sale event goes on although its basket was answered, and a large one in a thread', async () => {
    for (const [body, way] of [
      ['{}', 'looked'],
      ['x'.repeat(INLINE_BYTES + 1), 'thread in worker'],
    ] as const) {
      const { context, received, tasks } = receive({ kind: 'sale', body });
      const task = { ...{ route: 'sale', calculationId: KEY, body: received.body }, deadlineMs: 0 } as Task;
      await takeLongWay(context, received, task, { kind: 'known', entry: 'member fingerprint 0 -', redisNowMs: 0 });
      expect(tasks.map(([name]) => name)).toEqual([way]);
    }
  });

  test('a call that the usual way could not open asks for its token', async () => {
    emptyBucket('basket');
    const { run, code, tasks, call } = receive({ usual: async () => ({ kind: 'unopened' }) });
    await run();
    expect([code(), tasks.length]).toEqual(['rate_limited', 1]);
    expect(call.stopwatch.phases).toHaveProperty('lookup');
  });

  test('one that the bucket has refused already does not', async () => {
    const met: NotUsual = { kind: 'refused by the bucket', retryAfterSeconds: 9 };
    const { run, caller, code } = receive({ usual: async () => met });
    await run();
    expect([code(), caller.header('retry-after')]).toEqual(['rate_limited', '9']);
  });

  // Its sale came first: nothing is stored that could be replayed.
  const entry = '- - 0 sale:applied';
  const known: NotUsual = { kind: 'known', entry, redisNowMs: 1_000_000 };

  test('an ID that is known goes on with what was found, and its time by the clock of Redis', async () => {
    const looked = receive({ usual: async () => known });
    await looked.run();
    const [, [way, task]] = looked.tasks as [unknown, [string, Task]];
    expect([looked.tasks.length, way, task.indexEntry, looked.caller.body]).toEqual([
      2,
      'looked',
      entry,
      '{"status":"unchanged"}',
    ]);
    expect(task.redisDeadlineMs).toBeCloseTo(1_000_000 + DEADLINE_MS, 3);
    const much = receive({ usual: async () => known, looked: async () => ({ kind: 'too much work', opened: OPENED }) });
    await much.run();
    expect(much.tasks.map(([name]) => name)).toEqual(['usual', 'looked', 'thread in worker']);
    expect(much.tasks[2]![1]).toMatchObject({ opened: OPENED, indexEntry: entry });
  });

  test('a caller that has gone meanwhile is nobody to go on for', async () => {
    const gone = receive({
      usual: async () => {
        gone.caller.abort();
        return known;
      },
    });
    await gone.run();
    expect(gone.tasks.length).toBe(1);
  });
});

describe('what is stored of a calculation ends its call', () => {
  const STORED = { outcome: 'replay', stored: Buffer.from('stored'), venueId: 'v', status: 'applied' } as const;

  test('the answer is given again, to the same body', async () => {
    const asked: unknown[] = [];
    const replay = (...given: unknown[]) => {
      asked.push(given);
      return { answer: Buffer.from('{"again":1}') };
    };
    const { context, received, caller, record, call } = receive({ context: { replay } });
    expect(await endWithStored(context, received, STORED)).toBe(true);
    expect([caller.body, caller.header('idempotent-replayed')]).toEqual(['{"again":1}', 'true']);
    expect(record).toEqual({ route: 'basket', isReplayed: true, venueId: 'v', status: 'applied' });
    expect([asked, Object.keys(call.stopwatch.phases)]).toEqual([
      [[STORED.stored, received.body]],
      ['replay', 'reply'],
    ]);
  });

  test('nothing is stored: the call goes on', async () => {
    const { context, received, call } = receive();
    expect(await endWithStored(context, received, { outcome: 'none' })).toBe(false);
    expect([call.isOver, Object.keys(call.stopwatch.phases)]).toEqual([false, ['replay']]);
  });

  test('another body had the key', async () => {
    const { context, received, code, record } = receive();
    expect(await endWithStored(context, received, { outcome: 'conflict' })).toBe(true);
    expect([code(), record.code]).toEqual(['idempotency_conflict', 'idempotency_conflict']);
  });

  test('what is stored cannot be given again: a bug, of which nobody hears but us', async () => {
    const { context, received, code, record, faults } = receive();
    expect(await endWithStored(context, received, STORED)).toBe(true);
    expect([code(), faults]).toEqual(['internal_error', ['nothing is replayed here']]);
    expect(record).toEqual({ route: 'basket', unreplayable: true, code: 'internal_error' });
  });

  test('a caller that has gone meanwhile gets nothing, and nothing is noted', async () => {
    const { context, received, caller, record } = receive();
    caller.abort();
    expect(await endWithStored(context, received, STORED)).toBe(true);
    expect(record).toEqual({ route: 'basket' });
  });
});

describe('headers', () => {
  const JSON_TYPE = 'application/json; charset=utf-8';
  const judge = (head: Partial<RequestHead>, calculationId = KEY) => {
    const own = { duplicated: new Set<string>(), idempotencyKey: KEY, contentType: JSON_TYPE };
    const refusal = findHeadFault({ ...own, ...head } as RequestHead, calculationId);
    return refusal && [refusal.code, refusal.message, refusal.details];
  };
  const fault = (field: string, expected: string, received: string) => [
    ...['invalid_request', `The header ${field} is not valid.`, { field, expected, received }],
  ];

  test('that are right', () => {
    expect(judge({})).toBeUndefined();
    expect(judge({ contentEncoding: 'Identity' })).toBeUndefined();
  });

  test('that are missing, wrong or doubled', () => {
    const key = (received: string) => fault('Idempotency-Key', 'one lower-case UUID', received);
    expect(judge({ idempotencyKey: undefined }, '')).toEqual(key('nothing'));
    expect(judge({ idempotencyKey: 'x' }, '')).toEqual(key('something else'));
    expect(judge({ duplicated: new Set(['idempotency-key']) }, '')).toEqual(key('several headers'));
    const type = (received: string) => fault('Content-Type', JSON_TYPE, received);
    expect(judge({ contentType: undefined })).toEqual(type('nothing'));
    expect(judge({ contentType: 'text/plain' })).toEqual(type('something else'));
    expect(judge({ duplicated: new Set(['content-type']) })).toEqual(type('several headers'));
    expect(judge({ contentEncoding: 'gzip' })).toEqual(
      fault('Content-Encoding', 'no content coding', 'something else'),
    );
  });
});
