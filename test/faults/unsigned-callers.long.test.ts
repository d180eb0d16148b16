/**
 * Whoever has no secret must not keep those out who have one: connections that hang up in the middle of a body, bodies that
 * come byte by byte or stop before their end, whole bodies that are signed wrongly, connections that say nothing.
 */
import { afterEach, expect, test } from 'vitest';
import { MAX_UPLOAD_BYTES, MAX_UPLOADS } from '../../src/gateway/uploads.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, patiently } from '../support/caller.ts';
import { pauseUnderCall } from '../support/in-flight.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { RawConnection, requestBytes } from '../support/raw-connection.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service, useService } from '../support/service.ts';
import { signatureOf } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';
import { DEADLINE_MS, faultConfiguration } from './support.ts';

/** A budget that ordinary calls keep also on a busy machine; each unfinished upload of these tests is older. */
const latencyBudget = { p95: 2 * 150, p99: 2 * 150, deadline: DEADLINE_MS };
const OLD_MS = 600;
const stage = useService({ configuration: faultConfiguration({ latencyBudget }), isPatient: false });
const LIMIT = 262_144;
const BASKETS = 100;
const SERVED = 0.99 * BASKETS;

const open = () => RawConnection.open(stage.service.baseUrl);
const opened: RawConnection[] = [];

afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

/** Opens connections that announce a body of so many bytes and send only the first ones of it. */
async function begin(count: number, announced: number, sent: number): Promise<RawConnection[]> {
  const bytes = requestBytes(
    `POST ${BASKET_PATH} HTTP/1.1`,
    ['Host: x', `Content-Length: ${announced}`],
    ' '.repeat(sent),
  );
  const connections = await Promise.all(Array.from({ length: count }, open));
  for (const connection of connections) connection.write(bytes);
  opened.push(...connections);
  return connections;
}

/**
 * Signed baskets one after the other; the number of those that were not shut out. Who is shut out is refused at once; a busy
 * machine lets a call's time run out, or Redis fall silent.
 */
async function countServed(pauseMs = 0): Promise<number> {
  const answers: Answer[] = [];
  const silencedBefore = await countSilenced();
  for (let count = 0; count < BASKETS; count += 1) {
    answers.push(await stage.caller.basket(basketOf()));
    if (pauseMs > 0) await sleep(pauseMs);
  }
  const isShutOut = (answer: Answer) => answer.status !== 200 && answer.durationMs < DEADLINE_MS / 2;
  return answers.filter((answer) => !isShutOut(answer)).length + (await countSilenced()) - silencedBefore;
}

/** Calls that were refused at once because Redis was silent. Those without a right signature do not get as far. */
async function countSilenced(): Promise<number> {
  return readingOf(await scrape(stage.service), 'loyalty_unavailable_total', { reason: 'breaker' }) ?? 0;
}

/** A limit of calls in flight that is no longer at its lowest. */
const RISEN = 150;

/**
 * A machine that stands still lowers the limit for a moment, and it rises again. Callers who lower it all the time hold it at
 * its lowest, 100.
 */
function expectRecovering(limits: readonly number[]): void {
  expect(Math.max(...limits.slice(limits.length / 2))).toBeGreaterThan(RISEN);
}

async function figure(name: string, labels: Record<string, string> = {}): Promise<number> {
  return readingOf(await scrape(stage.service), name, labels) ?? Number.NaN;
}

/** Repeats the attack, one round after the other, while something is measured; returns what was measured. */
async function under<T>(attack: () => Promise<void>, measure: () => Promise<T>): Promise<T> {
  let isOver = false;
  const attacking = (async () => {
    while (!isOver) await attack();
  })();
  try {
    return await measure();
  } finally {
    isOver = true;
    await attacking;
  }
}

const lost = (cause: string) => figure('loyalty_uploads_lost_total', { cause });

test('callers that hang up while they send lower no limit, and slow ones fill no place', async () => {
  const abortedBefore = await lost('aborted');
  const limits: number[] = [];
  const hangUp = async () => {
    const [connection] = (await begin(1, 2000, 10)) as [RawConnection];
    setTimeout(() => connection.reset(), OLD_MS);
    limits.push(await figure('loyalty_admission_limit'));
    await sleep(80);
  };
  await under(hangUp, async () => {
    // As many baskets as one till sends: a few calls in each window, of which one that is slow would be too many.
    expect(await countServed(30)).toBeGreaterThanOrEqual(SERVED);
    await begin(2 * 100, 70, 1);
    expect(await countServed(10)).toBeGreaterThanOrEqual(SERVED);
  });
  expectRecovering(limits);
  await until('the hung up ones to be counted', async () => (await lost('aborted')) - abortedBefore > 20);
  expect(await figure('loyalty_in_flight')).toBe(0);
});

test('bodies that come byte by byte, a hundred new ones a second, do not keep a basket out', async () => {
  const drip = async () => {
    await begin(10, 200, 1);
    for (const connection of opened) connection.write(' ');
    await sleep(100);
  };
  expect(await under(drip, () => countServed(30))).toBeGreaterThanOrEqual(SERVED);
});

test('bodies that stop before their last byte hold a bounded number of bytes, and the oldest is cut for them', async () => {
  const count = Math.ceil((1.2 * MAX_UPLOAD_BYTES) / LIMIT);
  const before = await lost('too_many_bytes');
  const connections = await begin(count, LIMIT, LIMIT - 1);
  await until('the bound to be kept', async () => (await lost('too_many_bytes')) - before > 0);
  expect(await figure('loyalty_uploads_held_bytes')).toBeLessThanOrEqual(MAX_UPLOAD_BYTES);
  const cut = await connections[0]?.readAnswer();
  expect([cut?.status, cut?.code, cut?.header('Retry-After'), cut?.header('Connection')]).toEqual([
    503,
    'unavailable',
    '1',
    'close',
  ]);
  expect(await connections[0]?.closes()).toBe(true);
  expect(await countServed()).toBeGreaterThanOrEqual(SERVED);
});

test('more unfinished bodies than there may be cut the oldest; the youngest is answered when it is whole', async () => {
  const before = await lost('too_many');
  const [oldest] = (await begin(1, 10, 1)) as [RawConnection];
  await until('the first to be on its way', async () => (await figure('loyalty_uploads_unfinished')) >= 1);
  await begin(MAX_UPLOADS - 1, 10, 1);
  const basket = basketOf();
  const body = Buffer.from(JSON.stringify(basket));
  const headers = [
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Idempotency-Key: ${basket.calculationId}`,
    `POS-Signature: ${signatureOf(stage.caller.secret, body)}`,
  ];
  const youngest = await open();
  opened.push(youngest);
  youngest.write(requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, headers, body.subarray(0, -1)));
  await until('one to be cut', async () => (await lost('too_many')) > before);
  expect((await oldest.readAnswer())?.status).toBe(503);
  youngest.write(body.subarray(-1));
  expect((await youngest.readAnswer())?.status).toBe(200);
  expect(await figure('loyalty_uploads_unfinished')).toBeLessThanOrEqual(MAX_UPLOADS);
});

test('a body that takes too long is answered 503 and its connection closed; nothing of it is done', async () => {
  const before = await lost('late');
  const basket = basketOf();
  const body = Buffer.from(JSON.stringify(basket));
  const connection = await open();
  opened.push(connection);
  const headers = ['Host: x', `Idempotency-Key: ${basket.calculationId}`, `Content-Length: ${body.length}`];
  connection.write(requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, headers, body.subarray(0, -1)));
  const answer = await connection.readAnswer(20_000);
  expect([answer?.status, answer?.code, answer?.header('Retry-After')]).toEqual([503, 'unavailable', '1']);
  expect(await connection.closes()).toBe(true);
  expect(await lost('late')).toBeGreaterThan(before);
  expect(await stage.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
  expect((await patiently(() => stage.caller.basket(basket))).isReplayed).toBe(false);
});

test('a flood of whole bodies that are signed wrongly is refused, takes no place and lowers no limit', async () => {
  let refused = 0;
  const limits: number[] = [];
  const flood = async () => {
    const secret = 'ab'.repeat(32);
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.caller.basket(basketOf(), { secret })));
    refused += answers.filter(({ status }) => status === 401).length;
    limits.push(await figure('loyalty_admission_limit'));
    await sleep(30);
  };
  expect(await under(flood, () => countServed(10))).toBeGreaterThanOrEqual(SERVED);
  expect(refused).toBeGreaterThan(BASKETS);
  // On a slow machine the flood may be over before the limit has risen again: then it goes on.
  await until('the limit to rise', async () => {
    await under(flood, () => countServed(2));
    return Math.max(...limits.slice(limits.length / 2)) > RISEN;
  });
});

test('3,000 connections that say nothing keep nobody out', async () => {
  opened.push(...(await Promise.all(Array.from({ length: 3000 }, open))));
  expect(await countServed()).toBeGreaterThanOrEqual(SERVED);
});

test('what is unfinished when the service is told to end is answered 503, and what is in flight is waited for', async () => {
  const redis = await RedisServer.launch();
  const service = await Service.start({ redisUrl: redis.url });
  try {
    const caller = service.newCaller({ isPatient: false });
    await caller.basket(basketOf());
    const connection = await RawConnection.open(service.baseUrl);
    opened.push(connection);
    connection.write(requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, ['Host: x', 'Content-Length: 5'], '1'));
    await until(
      'it to be on its way',
      async () => readingOf(await scrape(service), 'loyalty_uploads_unfinished') === 1,
    );
    // What is in flight is waited for: on a busy machine until its time has run out.
    const { call } = await pauseUnderCall(service, redis, () => caller.basket(basketOf()));
    await service.kill('SIGTERM');
    await until('the drain', async () => (await service.readiness()) !== 200);
    redis.resume();
    const answer = await call;
    expect([200, 503]).toContain(answer.status);
    expect(answer.status === 200 || answer.durationMs > DEADLINE_MS / 2).toBe(true);
    expect((await connection.readAnswer())?.status).toBe(503);
    expect(await service.exited).toEqual({ code: 0, signal: null });
  } finally {
    if (service.isAlive) await service.stop();
    await redis.stop();
  }
});
