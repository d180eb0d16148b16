/** A line of the log has the fields that are permitted, whatever else its writer has put into it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '@loyalty/contract/errors';
import { pino } from 'pino';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { SIGNATURE_FORM } from '../../src/gateway/authenticate.ts';
import { CallLog } from '../../src/gateway/call-log.ts';
import type { Exchange } from '../../src/gateway/exchange.ts';
import { createAuditLog, openLog } from '../../src/telemetry/log.ts';
import { Stopwatch } from '../../src/telemetry/stopwatch.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

test('a field that nobody permitted does not reach the log', async () => {
  const dir = temporaryDirectory();
  const { log, close } = await openLog({ level: 'trace', dir, process: 1 });
  const callLog = new CallLog(log);
  const details = { field: '/currency', expected: 'NOK', received: 'EUR', content: 'unlisted-detail' };
  const call = {
    ...{ requestId: 'request-1', trace: undefined, isAborted: false, stopwatch: new Stopwatch() },
    refusal: refuse('unknown_currency', { details }),
  };
  const record = {
    ...{ route: '/v1/pos/basket', calculationId: 'calculation-1', code: 'unknown_currency', venueId: 'oslo-central' },
    ...{ terminal: '500123', gap: 7, isAuthentic: true, isLate: true },
    // A later step, or a thread of later code, may put anything into a record.
    ...{ loyaltyId: 'unlisted-member', name: 'unlisted-name', constructor: 'unlisted-constructor' },
  };
  callLog.write(record, call as unknown as Exchange, { status: 422, durationMs: 3 });
  callLog.close();
  await close();
  const [line] = linesIn(dir);
  expect(JSON.stringify(line)).not.toContain('unlisted');
  expect(line).toEqual({
    ...{ level: 'warn', time: expect.any(String), process: 1, msg: 'request', requestId: 'request-1' },
    ...{ route: '/v1/pos/basket', calculationId: 'calculation-1', code: 'unknown_currency', venue: 'oslo-central' },
    ...{ terminal: '500123', gap: 7, late: true, httpStatus: 422, durationMs: 3, phases: {} },
    ...{ field: '/currency', expected: 'NOK', received: 'EUR' },
  });
});

test('no line of any writer has a field that nobody permitted', async () => {
  const dir = temporaryDirectory();
  const { log, close } = await openLog({ level: 'trace', dir, process: 1 });
  const fields = { requestId: 'request-2', loyaltyId: 'unlisted-member', body: { name: 'unlisted-name' } };
  log.warn(fields, 'a line');
  createAuditLog(log).info({ ...fields, action: 'look' }, 'administration');
  await close();
  const lines = linesIn(dir);
  expect(JSON.stringify(lines)).not.toContain('unlisted');
  const own = { time: expect.any(String), process: 1, requestId: 'request-2' };
  expect(lines).toEqual([
    { ...own, level: 'warn', msg: 'a line' },
    { ...own, level: 'info', msg: 'administration', action: 'look' },
  ]);
});

/** What is said of calls that have ended, to a log of some level. */
async function say(play: (log: CallLog) => void, level = 'info'): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(Buffer.from(line).toString()));
  const formatters = { level: (label: string) => ({ level: label }) };
  const calls = new CallLog(pino({ level, base: null, timestamp: false, formatters }, { write }));
  play(calls);
  calls.close();
  return lines;
}

function callOf(more: object = {}): Exchange {
  return {
    requestId: 'r',
    trace: undefined,
    isAborted: false,
    stopwatch: new Stopwatch(),
    ...more,
  } as unknown as Exchange;
}

describe('a request of a known caller', () => {
  const write = async (record: object, call = callOf(), status = 200) => {
    const written = { route: '/v1/pos/basket', isAuthentic: true, ...record };
    const [line] = await say((log) => log.write(written, call, { status, durationMs: 1.5 }));
    return line!;
  };
  const plain = { level: 'info', msg: 'request', requestId: 'r', route: '/v1/pos/basket', durationMs: 1.5, phases: {} };

  test('has a line with its times, its trace, and what became of it', async () => {
    expect(await write({})).toEqual({ ...plain, httpStatus: 200 });
    const stopwatch = new Stopwatch();
    Object.assign(stopwatch.phases, { body: 1, reply: 0.25 });
    const trace = { traceId: 't', spanId: 's' };
    expect(await write({ isReplayed: true }, callOf({ stopwatch, trace }))).toEqual({
      ...{ ...plain, httpStatus: 200, traceId: 't', spanId: 's', replayed: true },
      phases: { body: 1, reply: 0.25 },
    });
    expect(await write({ isLate: true }, callOf({ isAborted: true }))).toEqual({ ...plain, aborted: true, late: true });
  });

  test('has the level of its error, and its details without the form of a signature', async () => {
    const details = (more: object) => callOf({ refusal: refuse('invalid_request', { details: more }) });
    const refused = { code: 'invalid_request', httpStatus: 400 };
    const shown = { field: '/lines/0', received: 'nothing' };
    expect(await write({ code: 'invalid_request' }, details({ ...shown, expected: 'a list' }), 400)).toEqual({
      ...{ ...plain, ...refused, ...shown, expected: 'a list' },
    });
    expect(await write({ code: 'invalid_request' }, details({ ...shown, expected: SIGNATURE_FORM }), 400)).toEqual({
      ...{ ...plain, ...refused, ...shown },
    });
    expect(await write({ code: 'invalid_request' }, callOf({ refusal: refuse('invalid_request') }), 400)).toEqual({
      ...{ ...plain, ...refused },
    });
    expect(await write({ code: 'unknown_currency' }, callOf(), 422)).toMatchObject({ level: 'warn' });
    expect(await write({ code: 'internal_error' }, callOf(), 500)).toMatchObject({ level: 'error' });
  });

  test('has whatever was noted for support, under its own name, and nothing that is told otherwise', async () => {
    const noted = {
      ...{ calculationId: 'c', remote: '10.0.0.1', terminal: 't', status: 'applied', reason: 'r', cause: 'busy' },
      ...{ server: 's', phase: 'commit', result: 'recorded', overRedeemed: 1, clockOffsetSeconds: 2, clockOff: true },
      ...{ clockMovedSeconds: 3, holdsMade: 1, holdsReleased: 2, holdsConsumed: 3, unreplayable: true },
      ...{ ownDiscountsReturned: 1, gap: 2, unrecorded: true, shortages: 4 },
    };
    const otherwise = { isShed: false, isUnfinished: false, gapOfTotal: 0.5 };
    expect(await write({ ...noted, ...otherwise })).toEqual({ ...plain, ...noted, httpStatus: 200 });
  });

  test('has no line where the level is above it', async () => {
    const refused = { route: '/v1/pos/basket', isAuthentic: true, code: 'unknown_currency' };
    const lines = await say((log) => {
      log.write({ route: '/v1/pos/basket', isAuthentic: true }, callOf(), { status: 200, durationMs: 1 });
      log.write(refused, callOf(), { status: 422, durationMs: 1 });
    }, 'warn');
    expect(lines).toMatchObject([{ code: 'unknown_currency' }]);
  });
});

describe('requests that are counted', () => {
  const ended = { status: 503, durationMs: 1 };

  test('are those that were shed, and those whose body never arrived, by their reason', async () => {
    const lines = await say((log) => {
      for (let count = 0; count < 3; count += 1)
        log.write({ route: 'x', isShed: true, isAuthentic: true }, callOf(), ended);
      for (const reason of ['upload', 'drain', 'upload', undefined]) {
        log.write({ route: 'x', isUnfinished: true, ...(reason && { reason }) }, callOf(), ended);
      }
    });
    expect(lines).toEqual([
      { level: 'warn', msg: 'requests shed', code: 'unavailable', reason: 'admission', count: 3 },
      { level: 'info', msg: 'uploads lost', reason: 'upload', count: 2 },
      { level: 'info', msg: 'uploads lost', reason: 'drain', count: 1 },
      { level: 'info', msg: 'uploads lost', reason: 'aborted', count: 1 },
    ]);
  });

  test('are those of strangers beyond a few, by what they met', async () => {
    const lines = await say((log) => {
      for (let count = 0; count < 8; count += 1) {
        log.write({ route: 'unknown', code: 'invalid_request' }, callOf(), { status: 404, durationMs: 1 });
      }
      log.write({ route: '/v1/pos/sale', code: 'invalid_signature' }, callOf(), { status: 401, durationMs: 1 });
    });
    expect(lines.slice(0, 5).map(({ msg, httpStatus }) => [msg, httpStatus])).toEqual(Array(5).fill(['request', 404]));
    expect(lines.slice(5)).toEqual([
      ...[
        {
          level: 'warn',
          msg: 'requests of strangers',
          httpStatus: 404,
          route: 'unknown',
          code: 'invalid_request',
          count: 3,
        },
      ],
      ...[
        {
          level: 'warn',
          msg: 'requests of strangers',
          httpStatus: 401,
          route: '/v1/pos/sale',
          code: 'invalid_signature',
          count: 1,
        },
      ],
    ]);
  });

  test('begin anew each second', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const stranger = (log: CallLog) =>
        log.write({ route: 'unknown', code: 'invalid_request' }, callOf(), { status: 404, durationMs: 1 });
      const lines = await say((log) => {
        for (let second = 0; second < 2; second += 1) {
          for (let count = 0; count < 6; count += 1) stranger(log);
          log.write({ route: 'x', isShed: true }, callOf(), ended);
          log.write({ route: 'x', isUnfinished: true }, callOf(), ended);
          vi.advanceTimersByTime(1_000);
        }
        vi.advanceTimersByTime(1_000);
        log.close();
      });
      const told = lines.filter(({ msg }) => msg !== 'request').map(({ msg, count }) => [msg, count]);
      const second = [
        ['requests shed', 1],
        ['uploads lost', 1],
        ['requests of strangers', 1],
      ];
      expect([lines.length, told]).toEqual([16, [...second, ...second]]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

function linesIn(dir: string): readonly Record<string, unknown>[] {
  const text = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  return text
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
