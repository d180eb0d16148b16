/** `npx loyalty reconcile`: a file that cannot be read or written is an error, and no finding. */
import { expect, test } from 'vitest';
import { useWorkplace } from '../members/command.ts';
import { runCommand } from '../support/run-command.ts';
import { environmentOf } from '../support/service.ts';

const stage = useWorkplace();

function reconcile(...args: string[]) {
  const { redis, directory } = stage.place;
  return runCommand(['reconcile', ...args], environmentOf({ redisUrl: redis.url }, directory));
}

const BAD_ROW = { calculationId: 'no UUID' };
const UNKNOWN = {
  calculationId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  transactionId: 'receipt-1',
  total: 6240,
  loyaltyStatus: 'applied',
};

test('findings are written as lines of the file, and bad rows are named', async () => {
  const { place } = stage;
  const file = place.write('transactions.ndjson', [UNKNOWN, BAD_ROW]);
  const { code, stderr } = await reconcile(file, '--out', place.path('findings.ndjson'));
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}:2: `)]);
  expect(place.read('findings.ndjson')).toMatchObject([{ kind: 'unknown_calculation', transactionId: 'receipt-1' }]);
});

test('what is no day is one line and exit code 2', async () => {
  const file = stage.place.write('transactions.ndjson', [UNKNOWN]);
  const { code, stderr } = await reconcile(file, '--from', '2026-11-31', '--out', stage.place.path('findings.ndjson'));
  expect([code, stderr]).toEqual([2, 'reconcile: --from: found "2026-11-31", allowed: a day such as 2026-11-21\n']);
});

test('transactions that cannot be read are one line and exit code 2', async () => {
  const { code, stderr } = await reconcile(stage.place.directory, '--out', stage.place.path('findings.ndjson'));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^reconcile: EISDIR.*\n$/)]);
});

test('findings that cannot be written are one line and exit code 2', async () => {
  const file = stage.place.write('transactions.ndjson', [UNKNOWN]);
  const { code, stderr } = await reconcile(file, '--out', stage.place.path('missing/findings.ndjson'));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^reconcile: ENOENT.*\n$/)]);
});

test('an empty file is no agreement', async () => {
  const file = stage.place.write('transactions.ndjson', ['', '']);
  const { code, stderr } = await reconcile(file, '--out', stage.place.path('findings.ndjson'));
  expect([code, stderr]).toEqual([2, `reconcile: ${file} is empty; one line per transaction is required\n`]);
});
