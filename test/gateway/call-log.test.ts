/** A line of the log has the fields that are permitted, whatever else its writer has put into it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { refuse } from '../../src/contract/errors.ts';
import type { Call } from '../../src/gateway/call.ts';
import { CallLog } from '../../src/gateway/call-log.ts';
import { createAuditLog, openLog } from '../../src/telemetry/log.ts';
import { Stopwatch } from '../../src/telemetry/stopwatch.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

test('a field that nobody permitted does not reach the log', async () => {
  const dir = temporaryDirectory();
  const { log, close } = await openLog({ level: 'trace', dir, process: 1, compresses: false });
  const callLog = new CallLog(log);
  const details = { field: '/currency', expected: 'NOK', received: 'EUR', content: 'unlisted-detail' };
  const call = {
    ...{ requestId: 'request-1', trace: undefined, isAborted: false, stopwatch: new Stopwatch() },
    refusal: refuse('unknown_currency', { details }),
  };
  const record = {
    ...{ route: '/v1/pos/basket', calculationId: 'calculation-1', code: 'unknown_currency', venueId: 'oslo-central' },
    ...{ terminal: '500123', mayMiss: 7, isAuthentic: true, isLate: true },
    // A later step, or a thread of later code, may put anything into a record.
    ...{ loyaltyId: 'unlisted-member', name: 'unlisted-name', constructor: 'unlisted-constructor' },
  };
  callLog.write(record, call as unknown as Call, { status: 422, durationMs: 3 });
  callLog.close();
  await close();
  const [line] = linesIn(dir);
  expect(JSON.stringify(line)).not.toContain('unlisted');
  expect(line).toEqual({
    ...{ level: 'warn', time: expect.any(String), process: 1, msg: 'request', requestId: 'request-1' },
    ...{ route: '/v1/pos/basket', calculationId: 'calculation-1', code: 'unknown_currency', venue: 'oslo-central' },
    ...{ terminal: '500123', mayMiss: 7, late: true, httpStatus: 422, durationMs: 3, phases: {} },
    ...{ field: '/currency', expected: 'NOK', received: 'EUR' },
  });
});

test('no line of any writer has a field that nobody permitted', async () => {
  const dir = temporaryDirectory();
  const { log, close } = await openLog({ level: 'trace', dir, process: 1, compresses: false });
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

function linesIn(dir: string): readonly object[] {
  const text = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  return text
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
}
