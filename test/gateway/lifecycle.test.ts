/** The life of a received call, as far as it asks nothing of Redis: who ends it, with what, and what is noted of it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Door, Task } from '../../src/calls/messages.ts';
import { PoolUnavailable } from '../../src/contract/unavailable.ts';
import type { LifecycleContext } from '../../src/gateway/steps.ts';
import { BreakerOpen, DeadlinePassed, StoreUnavailable } from '../../src/redis/failure.ts';
import { ANSWER, DEADLINE_MS, KEY, OPENED, REFUSED, receive } from './support/received-call.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the usual call is answered, and everything of it is noted', async () => {
  let isOver: boolean | undefined;
  const usual = async (_: Task, door: Door) => {
    isOver = door.isOver();
    expect(door.rateLimit).toEqual({ sustained: 7, burst: 9 });
    return ANSWER;
  };
  const { run, caller, call, record, results, tasks, faults } = receive({ usual });
  const startMs = performance.now();
  await run();
  expect([caller.body, results, faults, isOver, call.isOver]).toEqual([
    ...['{"status":"unchanged"}', [ANSWER], [], false, true],
  ]);
  expect(record).toEqual({
    ...{ route: 'basket', calculationId: KEY, isAuthentic: true, isReplayed: false, venueId: 'v', status: 'unchanged' },
  });
  expect(Object.keys(call.stopwatch.phases)).toEqual(['body', 'signature', 'worker', 'price', 'reply']);
  const [[way, task]] = tasks as [[string, Task]];
  expect([way, tasks.length]).toEqual(['usual', 1]);
  expect(task).toMatchObject({ route: 'basket', calculationId: KEY, redisDeadlineMs: 0, indexEntry: undefined });
  expect(new TextDecoder().decode(task.body)).toBe('{}');
  expect([task.deadlineMs - call.markReceived(), performance.now() - startMs]).toEqual([DEADLINE_MS, 0]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stranger is refused at once: one answer, and the connection is closed', async () => {
  const { run, caller, call, record, tasks } = receive({ head: { signature: 't=1,v1=0' } });
  await run();
  expect([call.refusal?.code, record.remote, record.code]).toEqual([
    ...['invalid_signature', '192.0.2.7', 'invalid_signature'],
  ]);
  expect([record.isAuthentic, record.calculationId, tasks]).toEqual([undefined, undefined, []]);
  expect([caller.header('connection'), Object.keys(call.stopwatch.phases)]).toEqual([
    ...['close', ['body', 'signature', 'reply']],
  ]);
  const known = receive();
  await known.run();
  expect(known.record.remote).toBeUndefined();
});

test('a signature is judged by the second in which its call has arrived', async () => {
  const { run, call } = receive();
  vi.setSystemTime(Date.now() + 299_000);
  await run();
  expect(call.refusal).toBeUndefined();
  const late = receive();
  vi.setSystemTime(Date.now() + 302_000);
  await late.run();
  expect(late.call.refusal?.code).toBe('stale_timestamp');
});

test('at its deadline a call is refused, wherever it is, and what comes later of it is only counted', async () => {
  let resolve: (result: unknown) => void = () => undefined;
  let isOver: () => boolean = () => false;
  const usual = (_: Task, door: Door) => {
    isOver = door.isOver;
    return new Promise((done) => {
      resolve = done;
    });
  };
  const { run, caller, record, code, results, call } = receive({ usual });
  const end = run();
  vi.advanceTimersByTime(DEADLINE_MS - 1);
  expect([caller.body, isOver()]).toEqual([undefined, false]);
  vi.advanceTimersByTime(1);
  expect([code(), isOver()]).toEqual(['unavailable', true]);
  expect(JSON.parse(caller.body!).error.message).toBe('The call could not be finished in time.');
  expect(caller.header('server-timing')).toContain('deadline;desc="parse"');
  expect(record).toMatchObject({ code: 'unavailable', reason: 'deadline', phase: 'parse' });
  resolve(ANSWER);
  await end;
  expect([results, record.status, record.isReplayed]).toEqual([[ANSWER], undefined, undefined]);
  expect(call.stopwatch.phases).not.toHaveProperty('price');
});

describe('what becomes of a call whose work fails', () => {
  const failing = async (error: unknown, context: Partial<LifecycleContext> = {}) => {
    const received = receive({ usual: () => Promise.reject(error), context });
    await received.run();
    expect(vi.getTimerCount()).toBe(0);
    return { ...received, code: received.code() };
  };

  test('Redis says why, and on which server', async () => {
    const { record, code, faults } = await failing(
      new StoreUnavailable('no memory', { redisCause: 'memory' as never, server: 'redis-2:6379' }),
    );
    expect([code, faults]).toEqual(['unavailable', []]);
    expect(record).toMatchObject({ reason: 'redis', cause: 'memory', server: 'redis-2:6379', code: 'unavailable' });
    const silent = await failing(new BreakerOpen('silent'));
    expect(silent.record).toMatchObject({ reason: 'breaker', code: 'unavailable' });
    for (const name of ['cause', 'server', 'phase']) expect(silent.record).not.toHaveProperty(name);
  });

  test('time that ran out names its phase, also to the caller', async () => {
    const { record, caller } = await failing(new DeadlinePassed());
    expect(record).toMatchObject({ reason: 'deadline', phase: 'parse', code: 'unavailable' });
    expect(caller.header('server-timing')).toContain('deadline;desc="parse"');
  });

  test('threads that take nothing', async () => {
    const { record, code } = await failing(new PoolUnavailable('full'));
    expect([code, record.reason, record.phase]).toEqual(['unavailable', 'threads', undefined]);
  });

  test('a bug is reported to us, and the caller reads that it is ours', async () => {
    const bug = await failing(new TypeError('no such thing'));
    expect([bug.code, bug.record.code, bug.record.reason]).toEqual(['internal_error', 'internal_error', undefined]);
    expect(bug.faults).toEqual([expect.stringMatching(/^TypeError: no such thing\n.*lifecycle\.test/s)]);
    const bare = Object.assign(new Error('bare'), { stack: undefined });
    expect((await failing(bare)).faults).toEqual(['bare']);
    expect((await failing('a text')).faults).toEqual(['a text']);
  });

  test('credentials that cannot be read, before anything is begun', async () => {
    const credentials = () => {
      throw new Error('no credentials');
    };
    const { code, tasks, faults } = await failing(undefined, { credentials });
    expect([code, tasks, faults.length]).toEqual(['internal_error', [], 1]);
  });

  test('nothing is noted of a call that is over', async () => {
    const received = receive({
      usual: async () => {
        received.caller.abort();
        throw new StoreUnavailable('gone', { server: 'redis-2:6379' });
      },
    });
    await received.run();
    for (const name of ['reason', 'server', 'code']) expect(received.record).not.toHaveProperty(name);
    const bug = receive({
      usual: async () => {
        bug.caller.abort();
        throw new Error('a bug');
      },
    });
    await bug.run();
    expect([bug.faults.length, bug.record.code]).toEqual([1, undefined]);
  });
});

test('a refusal of the work reaches the caller, its error reaches us, and its phase both', async () => {
  const { run, code, faults, record, caller } = receive({ usual: async () => REFUSED });
  await run();
  expect([code(), record.code, faults]).toEqual(['internal_error', 'internal_error', ['a bug']]);
  expect([record.phase, record.isReplayed]).toEqual(['commit', undefined]);
  expect(caller.header('server-timing')).toContain('deadline;desc="commit"');
  const plain = receive({ usual: async () => ({ ...REFUSED, fault: undefined, facts: {} }) });
  await plain.run();
  expect([plain.code(), plain.faults]).toEqual(['internal_error', []]);
});

test('an answer is owed whatever happens while it is counted', async () => {
  const onResult = () => {
    throw new Error('the disk is full');
  };
  const { run, caller, faults } = receive({ context: { onResult } });
  await run();
  expect([caller.body, faults]).toEqual(['{"status":"unchanged"}', [expect.stringContaining('the disk is full')]]);
});

test('much work goes on in a thread, with what was opened', async () => {
  const { run, tasks, caller } = receive({ usual: async () => ({ kind: 'too much work', opened: OPENED }) });
  await run();
  expect([tasks.map(([way]) => way), tasks[1]![1].opened]).toEqual([['usual', 'thread in worker'], OPENED]);
  expect([caller.body, tasks[1]![1].calculationId]).toEqual(['{"status":"unchanged"}', KEY]);
});

test('while Redis must not be used, nothing is asked of it', async () => {
  const { run, record, tasks, code } = receive({ context: { obstacle: () => 'replica' as never } });
  await run();
  expect([code(), record.reason, record.cause, tasks]).toEqual(['unavailable', 'redis', 'replica', []]);
});
