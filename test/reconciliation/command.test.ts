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

const UNKNOWN = {
  calculationId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  transactionId: 'receipt-1',
  total: 6240,
  loyaltyStatus: 'applied',
};

test('findings are written as lines of the file, and bad rows are named', async () => {
  const { place } = stage;
  const file = place.write('transactions.ndjson', [UNKNOWN, { calculationId: 'no UUID' }]);
  const { code, stderr } = await reconcile(file, '--out', place.path('findings.ndjson'));
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}:2: `)]);
  expect(place.read('findings.ndjson')).toMatchObject([{ kind: 'unknown_calculation', transactionId: 'receipt-1' }]);
});

test.each([
  [
    'what is no day',
    [UNKNOWN],
    ['--from', '2026-11-31'],
    /^reconcile: --from: found "2026-11-31", allowed: a day such/,
  ],
  [
    'a last day before the first one',
    [UNKNOWN],
    ['--from', '2026-11-02', '--to', '2026-11-01'],
    /^reconcile: --to: found "2026-11-01", allowed: a day from 2026-11-02 on\n$/,
  ],
  ['a file without rows', ['', ''], [], /^reconcile: \S+ is empty; one line per transaction is required\n$/],
  [
    'findings that cannot be written',
    [UNKNOWN],
    ['--out', 'missing/findings.ndjson'],
    /^reconcile: --out: missing\/findings.ndjson cannot be written \(ENOENT\), allowed: a file in a folder that is there\n$/,
  ],
])('%s is one line and exit code 2, and the findings of before stay', async (_, rows, options, stderr) => {
  const { place } = stage;
  place.write('findings.ndjson', ['{}']);
  const file = place.write('transactions.ndjson', rows);
  const ran = await reconcile(file, '--out', place.path('findings.ndjson'), ...options);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(stderr) });
  expect(place.read('findings.ndjson')).toEqual([{}]);
});

test('transactions that cannot be read are one line and exit code 2', async () => {
  const { directory } = stage.place;
  const { code, stderr } = await reconcile(directory, '--out', stage.place.path('findings.ndjson'));
  expect([code, stderr]).toEqual([2, `reconcile: ${directory} is a folder, allowed: a file\n`]);
});
