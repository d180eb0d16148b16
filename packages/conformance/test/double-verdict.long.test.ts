/** Six callers as processes of their own: the double tells each wrong habit from the others. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { richBasket, SECRET } from '../../client/test/fixture.ts';
import { CONTROL } from '../src/double/provocation.ts';
import { ServiceDouble } from '../src/double/service-double.ts';
import type { Verdict } from '../src/double/verdict.ts';
import type { Habits } from './callers/caller.ts';

const CALLER = join(import.meta.dirname, 'callers', 'caller.ts');
const RUN_LIMIT_MS = 120_000;

const RIGHT: Omit<Habits, 'baseUrl'> = {
  secretHex: SECRET.toString('hex'),
  basket: richBasket(''),
  attempts: { afterNoConnection: 2, afterTimeout: 1, afterSending: 1 },
  patienceMs: 500,
  minimumEventDelayMs: 100,
  honoursRetryAfter: true,
};

const doubles: ServiceDouble[] = [];
afterAll(() => Promise.all(doubles.map((double) => double.close())));

async function startDouble(): Promise<ServiceDouble> {
  const double = await ServiceDouble.start({ secret: SECRET });
  doubles.push(double);
  return double;
}

/** The double's verdict on a caller with these habits, as a tester asks for it. */
async function judge(habits: Partial<Habits>): Promise<{ verdict: Verdict; text: string }> {
  const { baseUrl } = await startDouble();
  const all = JSON.stringify({ ...RIGHT, ...habits, baseUrl });
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', CALLER, all], {
    timeout: RUN_LIMIT_MS,
  });
  const verdict = (await (await fetch(baseUrl + CONTROL.verdict)).json()) as Verdict;
  const text = await (await fetch(`${baseUrl}${CONTROL.verdict}?format=text`)).text();
  return { verdict, text };
}

function wrongRows({ rows }: Verdict): string[] {
  return rows.filter(({ verdict }) => verdict === 'wrong').map(({ code }) => code);
}

// Each caller waits far more than it works, so they wait together.
test.concurrent('a right caller has every row right', { timeout: RUN_LIMIT_MS }, async () => {
  const { verdict, text } = await judge({});
  expect(verdict.rows.filter((row) => row.verdict !== 'right')).toEqual([]);
  expect(verdict).toMatchObject({ verdict: 'right', faults: {}, counts: { wrong: 0, notPlayed: 0 } });
  expect(text).toMatch(/^Verdict: right\. \d+ rows right, 0 wrong, 0 not played\.\n/);
});

test.concurrent('one that never retries', { timeout: RUN_LIMIT_MS }, async () => {
  const { verdict, text } = await judge({ attempts: { afterNoConnection: 1, afterTimeout: 1, afterSending: 1 } });
  expect(verdict.verdict).toBe('wrong');
  expect(Object.keys(verdict.faults)).toEqual(['no-retry']);
  expect(wrongRows(verdict)).toContain('tls-cut-handshake');
  // A machine that stands still brings the only attempt after the refusal, where it looks like the retry.
  expect(wrongRows(verdict).filter((code) => code !== 'tls-cut-handshake' && code !== 'refuse-once')).toEqual([]);
  expect(text).toMatch(
    /^wrong +tls-cut-handshake: .*no second attempt came; one retry is due\. \(interface, section 4\.8\)$/m,
  );
});

test.concurrent('one that makes four attempts after the request was sent', { timeout: RUN_LIMIT_MS }, async () => {
  const { verdict, text } = await judge({ attempts: { afterNoConnection: 2, afterTimeout: 1, afterSending: 4 } });
  expect(verdict.verdict).toBe('wrong');
  expect(Object.keys(verdict.faults)).toEqual(['sent-again-after-loss', 'sent-again-after-answer']);
  expect(verdict.faults['sent-again-after-loss']).toEqual(expect.arrayContaining(['close-after-request', 'cut']));
  expect(verdict.faults['sent-again-after-answer']).toEqual(
    expect.arrayContaining(['error-unavailable', 'bad-gateway']),
  );
  expect(text).toMatch(/^wrong +reset-after-request: 4 attempts arrived/m);
});

test.concurrent('one that retries after time-outs of 2 s', { timeout: RUN_LIMIT_MS }, async () => {
  const { verdict, text } = await judge({
    attempts: { afterNoConnection: 2, afterTimeout: 2, afterSending: 1 },
    patienceMs: 2_000,
  });
  expect(verdict.faults['sent-again-after-timeout']).toEqual(expect.arrayContaining(['hang', 'hang-after-head']));
  expect(verdict.faults['timeout-too-long']).toEqual(expect.arrayContaining(['late', 'hang', 'hang-after-head']));
  expect(
    wrongRows(verdict).filter((code) => !['late', 'hang', 'hang-after-head', 'slow-bytes'].includes(code)),
  ).toEqual([]);
  expect(text).toMatch(
    /^wrong +hang: 2 attempts arrived.*given up after \d{4} ms; the limit of an attempt is 500 ms\./m,
  );
});

test.concurrent('one that hammers events against Retry-After', { timeout: RUN_LIMIT_MS }, async () => {
  const { verdict, text } = await judge({ honoursRetryAfter: false, minimumEventDelayMs: 0 });
  expect(verdict.faults['event-before-retry-after']).toEqual(['sale-rate-limited', 'sale-unavailable']);
  const others = Object.keys(verdict.faults).filter((fault) => fault !== 'event-before-retry-after');
  expect(['', 'event-without-backoff']).toContain(others.join());
  expect(wrongRows(verdict).filter((code) => !code.startsWith('sale-'))).toEqual([]);
  expect(text).toMatch(
    /^wrong +sale-unavailable: An attempt came \d+ ms after an answer with Retry-After: 1\. \(interface, section 4\.12\)/m,
  );
});

test.concurrent('one with a single X-Request-Id', { timeout: RUN_LIMIT_MS }, async () => {
  const { verdict } = await judge({ requestId: crypto.randomUUID() });
  expect(Object.keys(verdict.faults)).toEqual(['request-id-reused']);
  expect(wrongRows(verdict).length).toBeGreaterThan(100);
});
