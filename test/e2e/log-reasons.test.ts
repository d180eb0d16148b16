/** A refused call says in the log which field was wrong, who sent it, and why it is unavailable. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { shaOf, useFaultyService } from '../faults/support.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, type CallOptions, SALE_PATH } from '../support/caller.ts';
import { HttpClient } from '../support/http-client.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import type { LogLine } from '../support/service.ts';
import { newSecret, signatureOf } from '../support/signer.ts';
import { sleep, until, within } from '../support/wait.ts';

const stage = useFaultyService({});

/** Sends a call and returns its line of the log. */
async function lineOf(path: string, body: unknown, options: CallOptions = {}): Promise<LogLine> {
  const requestId = randomUUID();
  await stage.caller.send(path, body, { ...options, headers: { ...options.headers, 'X-Request-Id': requestId } });
  return until('the line', () =>
    stage.service.log.find((line) => line.requestId === requestId && line.msg === 'request'),
  );
}

/** Not through a caller, which holds every answer to the interface: with phases, `Server-Timing` is longer than its form. */
async function sendForPhases(path: string, sent: { calculationId: string }, requestId: string): Promise<Answer> {
  const body = bytesOf(sent);
  const client = new HttpClient(stage.service.baseUrl);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'POS-Signature': signatureOf(stage.service.secrets[0] as string, body),
    'Idempotency-Key': sent.calculationId,
    'X-Request-Id': requestId,
    'Server-Timing': 'detail',
  };
  try {
    return await client.send({ path, headers, body });
  } finally {
    client.close();
  }
}

test('standard output holds JSON lines alone, each with the number of its process', async () => {
  await lineOf(BASKET_PATH, basketOf());
  const { output, standardOutput } = stage.service;
  expect(output.some((line) => line.startsWith('Loyalty basket service'))).toBe(true);
  expect(standardOutput.length).toBeGreaterThan(0);
  // The primary is 0.
  for (const line of standardOutput) expect([0, 1]).toContain(JSON.parse(line).process);
});

const sender = { venue: 'oslo-central', terminal: '500123' };

test.each<[string, () => unknown, Record<string, unknown>]>([
  [
    'sums that do not add up',
    () => ({ ...basketOf(), totals: { ...basketOf().totals, total: 1 } }),
    { code: 'arithmetic_mismatch', field: '/totals/total', expected: 10_000, received: 1, ...sender },
  ],
  [
    'an unknown venue',
    () => basketOf([{}], { context: { venueId: 'oslo "north"', cashRegisterId: '1', baxId: '99', channel: 'pos' } }),
    { code: 'venue_not_configured', field: '/context/venueId', venue: 'oslo "north"', terminal: '99' },
  ],
  [
    'an unknown currency',
    () => ({ ...basketOf(), currency: 'SEK' }),
    { code: 'unknown_currency', field: '/currency', expected: 'NOK', received: 'SEK', ...sender },
  ],
  [
    'a fault in the schema',
    () => ({ ...basketOf(), currency: 'kr' }),
    { code: 'invalid_request', field: '/currency', ...sender },
  ],
  ['no JSON', () => JSON.stringify(basketOf()).slice(0, -1), { code: 'invalid_request', expected: 'JSON', ...sender }],
  ['no basket', () => ({ hello: 'world' }), { code: 'invalid_request' }],
])('%s', async (_, body, words) => {
  const line = await lineOf(BASKET_PATH, body());
  expect(line).toMatchObject(words);
  if (!('venue' in words)) expect(line).not.toHaveProperty('venue');
});

test('an answered call has none of that, and a caller without a secret has an address', async () => {
  const answered = await lineOf(BASKET_PATH, basketOf());
  for (const name of ['field', 'expected', 'received', 'remote', 'phase']) expect(answered).not.toHaveProperty(name);
  const refused = await lineOf(BASKET_PATH, basketOf(), { secret: newSecret() });
  expect(refused).toMatchObject({ code: 'invalid_signature', field: 'POS-Signature', remote: '127.0.0.1' });
  const unsigned = await lineOf(BASKET_PATH, basketOf(), { headers: { 'POS-Signature': null } });
  expect(unsigned).toMatchObject({ field: 'POS-Signature', received: 'nothing', remote: '127.0.0.1' });
  expect(unsigned).not.toHaveProperty('expected');
  expect(await lineOf(BASKET_PATH, basketOf(), { t: 1 })).toMatchObject({
    code: 'stale_timestamp',
    remote: '127.0.0.1',
  });
});

/** Their basket is above 16 KB, so a thread prices it. */
const MANY_LINES = 150;
const IN_A_THREAD = 'deadline;desc="worker"';

test.each([
  ['member', 'lease-tokens', 'basket'],
  ['member', 'read-member', 'basket'],
  ['lookup', 'lease-tokens', 'sale'],
  ['member', 'read-member', 'large basket'],
  ['commit', 'commit-calculation', 'basket'],
  ['commit', 'settle-sale', 'sale'],
])('a call that ends at its deadline names its phase: %s (%s)', async (phase, script, kind) => {
  const counted = async () =>
    readingOf(await scrape(stage.service), 'loyalty_unavailable_total', { reason: 'deadline', phase });
  const { requestId, before } = await until('the phase to be told', async () => {
    const before = (await counted()) ?? Number.NaN;
    const basket = kind === 'large basket' ? basketOf(new Array(MANY_LINES).fill({})) : basketOf();
    if (kind === 'sale') await stage.caller.basket(basket);
    const held = stage.proxy.ambush(shaOf(script), { kind: 'hold' });
    const requestId = randomUUID();
    const answer =
      kind === 'sale'
        ? await sendForPhases(SALE_PATH, saleOf(basket.calculationId), requestId)
        : await sendForPhases(BASKET_PATH, basket, requestId);
    // On a busy machine its time may run out before it comes to the script, or Redis be silent: then another one is sent.
    const isMet = await within(
      held.sprung.then(() => true),
      0,
    );
    held.release();
    stage.proxy.disarm();
    // The process may have a leased token left, which lapses within a second.
    if (script === 'lease-tokens' && answer.status === 200) return sleep(1_100).then(() => false);
    if (!isMet) return false;
    expect(answer.status).toBe(503);
    const timing = answer.header('Server-Timing');
    // On a busy machine a thread's word comes after the deadline, and the front end knows of a thread alone.
    if (timing?.endsWith(IN_A_THREAD) && script !== 'commit-calculation') return false;
    expect(timing).toMatch(new RegExp(`^app;dur=\\S+, .*deadline;desc="${phase}"$`));
    return { requestId, before };
  });
  const line = await until('the line', () => stage.service.log.find((entry) => entry.requestId === requestId));
  expect(line).toMatchObject({ code: 'unavailable', reason: 'deadline', phase });
  expect(await counted()).toBe(before + 1);
});

test('an open breaker, and a Redis that refuses, are reasons of their own', async () => {
  stage.redis.pause();
  try {
    const line = await until('the breaker to open', async () => {
      const next = await lineOf(BASKET_PATH, basketOf());
      return next.reason !== 'deadline' && next;
    });
    expect(line).toMatchObject({ code: 'unavailable', reason: 'breaker' });
    expect(line).not.toHaveProperty('phase');
  } finally {
    stage.redis.resume();
    await stage.service.untilReady();
  }
  await stage.redis.client.config('SET', 'maxmemory', '1');
  try {
    const line = await until('a refusal by Redis', async () => {
      const next = await lineOf(BASKET_PATH, basketOf());
      // A machine that stands still has a call refused at its deadline.
      return next.reason !== 'deadline' && next.reason !== 'breaker' && next;
    });
    expect(line).toMatchObject({ code: 'unavailable', reason: 'redis' });
  } finally {
    await stage.redis.client.config('SET', 'maxmemory', '0');
  }
});
