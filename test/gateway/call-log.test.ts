/** A line of the log has the fields that are permitted, whatever else its writer has put into it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '@loyalty/contract/errors';
import { pino } from 'pino';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { SIGNATURE_FORM } from '../../src/gateway/authenticate.ts';
import { CallLog } from '../../src/gateway/call-log.ts';
import { createAuditLog, openLog } from '../../src/telemetry/log.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { endOf } from './support/ended.ts';

afterAll(cleanUp);

test('a field that nobody permitted does not reach the log', async () => {
  const dir = temporaryDirectory();
  const { log, close } = await openLog({ level: 'trace', dir, process: 1 });
  const callLog = new CallLog(log);
  const details = { field: '/currency', expected: 'NOK', received: 'EUR', content: 'unlisted-detail' };
  const refusal = refuse('unknown_currency', { details });
  const record = {
    ...{ route: '/v1/pos/basket', calculationId: 'calculation-1', code: 'unknown_currency', venueId: 'oslo-central' },
    ...{ terminal: '500123', gap: 7, isLate: true },
    // A later step, or a thread of later code, may put anything into a record.
    ...{ loyaltyId: 'unlisted-member', name: 'unlisted-name', constructor: 'unlisted-constructor' },
    stage: 'known' as const,
    end: endOf({ requestId: 'request-1', status: 422, refusal, durationMs: 3 }),
  };
  callLog.write(record);
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

describe('a request of a known caller', () => {
  const write = async (record: object, end: Parameters<typeof endOf>[0] = {}) => {
    const known = { route: '/v1/pos/basket', stage: 'known' } as const;
    const written = { ...known, ...record, end: endOf({ durationMs: 1.5, ...end }) };
    const [line] = await say((log) => log.write(written));
    return line!;
  };
  const plain = { level: 'info', msg: 'request', requestId: 'r', route: '/v1/pos/basket', durationMs: 1.5, phases: {} };

  test('has a line with its times, its trace, and what became of it', async () => {
    expect(await write({})).toEqual({ ...plain, httpStatus: 200 });
    const phases = { body: 1, reply: 0.25 };
    const trace = { traceId: 't', spanId: 's', parentId: 'p', isSampled: false, response: '' };
    expect(await write({ isReplayed: true }, { phases, trace })).toEqual({
      ...{ ...plain, httpStatus: 200, traceId: 't', spanId: 's', replayed: true },
      phases,
    });
    expect(await write({ isLate: true }, { isAborted: true })).toEqual({ ...plain, aborted: true, late: true });
  });

  test('has the level of its error, and its details without the form of a signature', async () => {
    const details = (more: object) => ({ status: 400, refusal: refuse('invalid_request', { details: more }) });
    const refused = { code: 'invalid_request', httpStatus: 400 };
    const shown = { field: '/lines/0', received: 'nothing' };
    expect(await write({ code: 'invalid_request' }, details({ ...shown, expected: 'a list' }))).toEqual({
      ...{ ...plain, ...refused, ...shown, expected: 'a list' },
    });
    expect(await write({ code: 'invalid_request' }, details({ ...shown, expected: SIGNATURE_FORM }))).toEqual({
      ...{ ...plain, ...refused, ...shown },
    });
    expect(await write({ code: 'invalid_request' }, { status: 400, refusal: refuse('invalid_request') })).toEqual({
      ...{ ...plain, ...refused },
    });
    expect(await write({ code: 'unknown_currency' }, { status: 422 })).toMatchObject({ level: 'warn' });
    expect(await write({ code: 'internal_error' }, { status: 500 })).toMatchObject({ level: 'error' });
  });

  test('has whatever was noted for support, under its own name, and nothing that is told otherwise', async () => {
    const noted = {
      ...{ calculationId: 'c', remote: '10.0.0.1', terminal: 't', status: 'applied', reason: 'r', cause: 'busy' },
      ...{ server: 's', phase: 'commit', result: 'recorded', overRedeemed: 1, clockOffsetSeconds: 2, clockOff: true },
      ...{ clockMovedSeconds: 3, holdsMade: 1, holdsReleased: 2, holdsConsumed: 3, unreplayable: true },
      ...{ ownDiscountsReturned: 1, gap: 2, unrecorded: true, shortages: 4 },
    };
    const otherwise = { gapOfTotal: 0.5 };
    expect(await write({ ...noted, ...otherwise })).toEqual({ ...plain, ...noted, httpStatus: 200 });
  });

  test('has no line where the level is above it', async () => {
    const known = { route: '/v1/pos/basket', stage: 'known' } as const;
    const lines = await say((log) => {
      log.write({ ...known, end: endOf() });
      log.write({ ...known, code: 'unknown_currency', end: endOf({ status: 422 }) });
    }, 'warn');
    expect(lines).toMatchObject([{ code: 'unknown_currency' }]);
  });
});

describe('requests that are counted', () => {
  const end = endOf({ status: 503 });

  test('are those that were shed, and those whose body never arrived, by their reason', async () => {
    const lines = await say((log) => {
      for (let count = 0; count < 3; count += 1) log.write({ route: 'x', stage: 'shed', end });
      for (const reason of ['upload', 'drain', 'upload', undefined]) {
        log.write({ route: 'x', stage: 'unfinished', ...(reason && { reason }), end });
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
        log.write({ route: 'unknown', stage: 'stranger', code: 'invalid_request', end: endOf({ status: 404 }) });
      }
      log.write({ route: '/v1/pos/sale', stage: 'stranger', code: 'invalid_signature', end: endOf({ status: 401 }) });
    });
    expect(lines.slice(0, 5).map(({ msg, httpStatus }) => [msg, httpStatus])).toEqual(Array(5).fill(['request', 404]));
    const beyond = { level: 'warn', msg: 'requests of strangers' };
    expect(lines.slice(5)).toEqual([
      { ...beyond, httpStatus: 404, route: 'unknown', code: 'invalid_request', count: 3 },
      { ...beyond, httpStatus: 401, route: '/v1/pos/sale', code: 'invalid_signature', count: 1 },
    ]);
  });

  test('begin anew each second', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const stranger = (log: CallLog) =>
        log.write({ route: 'unknown', stage: 'stranger', code: 'invalid_request', end: endOf({ status: 404 }) });
      const lines = await say((log) => {
        for (let second = 0; second < 2; second += 1) {
          for (let count = 0; count < 6; count += 1) stranger(log);
          log.write({ route: 'x', stage: 'shed', end });
          log.write({ route: 'x', stage: 'unfinished', end });
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
