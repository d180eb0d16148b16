/** SIGTERM: readiness goes red, what is in flight is answered, then the process ends with 0. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { cleanUp, managedRedisPid } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { pauseUnderCall } from '../support/in-flight.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { callBytes, RawConnection, requestBytes } from '../support/raw-connection.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

const DEADLINE_MS = 400;

let redis: RedisServer;

beforeAll(async () => {
  redis = await RedisServer.launch();
});

afterAll(async () => {
  try {
    await redis.stop();
  } finally {
    cleanUp();
  }
});

test('SIGINT ends an idle service too, with connections kept alive; the Redis that it was given goes on', async () => {
  const service = await Service.start({ redisUrl: redis.url });
  expect((await fetch(`${service.opsUrl}/nothing`)).status).toBe(404);
  expect((await service.newCaller().basket(basketOf())).status).toBe(200);
  await service.kill('SIGINT');
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(managedRedisPid(service.dataDirectory)).toBeUndefined();
  expect(await redis.client.ping()).toBe('PONG');
});

test('what is in flight is answered, and nothing new is taken', async () => {
  // A machine that stands still lets the deadline pass: then nothing was shown, and all begins anew.
  const drain = async () => (await drainBesideCalls()).every((status) => status === 200);
  await until('a drain in which every call was in time', drain, 90_000);
});

/** Ends a service while 21 calls wait for Redis. Answers with their statuses; a refusal before the deadline is a fault. */
async function drainBesideCalls(): Promise<number[]> {
  const configuration = configurationOf({ deadline: DEADLINE_MS });
  const service = await Service.start({ redisUrl: redis.url, configuration });
  const caller = service.newCaller({ isPatient: false });
  // Calls hang on a Redis that does not answer, well inside their deadline.
  const settled = basketOf();
  await Promise.all([caller.basket(settled), ...Array.from({ length: 20 }, () => caller.basket(basketOf()))]);
  redis.pause();
  const answers: Answer[] = [];
  const sent = [
    ...Array.from({ length: 20 }, () => caller.basket(basketOf())),
    caller.sale(saleOf(settled.calculationId)),
  ];
  const answered = Promise.all(sent.map(async (call) => answers.push(await call)));
  const inFlight = async () => readingOf(await scrape(service), 'loyalty_in_flight') ?? 0;
  await until('the calls to be in flight', async () => (await inFlight()) + answers.length >= sent.length);
  await service.kill('SIGTERM');
  const red = until('a readiness that is not green', async () => (await service.readiness()) !== 200);
  await sleep(40);
  redis.resume();
  await answered;
  for (const { status, durationMs } of answers) {
    if (status !== 200) expect([status, durationMs >= DEADLINE_MS / 2]).toEqual([503, true]);
  }
  await red;
  expect(await service.exited).toEqual({ code: 0, signal: null });
  return answers.map(({ status }) => status);
}

test('readiness is red and metrics are there during the whole drain, with what gateways that ended had counted', async () => {
  const service = await Service.start({ redisUrl: redis.url, env: { PROCESSES: '2' } });
  const caller = service.newCaller({ isPatient: false });
  await until('both gateways', () => service.gateways.length === 2);
  for (let count = 0; count < 20; count += 1) {
    const connection = await RawConnection.open(service.baseUrl);
    // A machine that stands still has a call refused at its deadline.
    await until('an answer in time', async () => {
      connection.write(callBytes(caller.secret, basketOf()));
      const status = (await connection.readAnswer())?.status;
      expect([200, 503]).toContain(status);
      return status === 200;
    });
  }
  const figures = async () => {
    const samples = await scrape(service);
    const counted = readingOf(samples, 'loyalty_requests_total', { status: '200' }) ?? 0;
    return [counted, readingOf(samples, 'loyalty_in_flight')] as const;
  };
  await until('all answers to be counted', async () => (await figures())[0] === 20);
  const { call, before, gateways } = await until('a call in flight in gateways that stand still', async () => {
    const { call } = await pauseUnderCall(service, redis, () => caller.basket(basketOf()));
    const gateways = service.gateways;
    for (const pid of gateways) process.kill(pid, 'SIGSTOP');
    const [before, told] = await figures();
    if (told === 1) return { call, before, gateways };
    // It had ended before they stood still.
    for (const pid of gateways) process.kill(pid, 'SIGCONT');
    redis.resume();
    return undefined;
  });
  // Neither a page that is open nor a request that never becomes whole delays the end.
  const feed = await fetch(`${service.opsUrl}/live`, { headers: { Accept: 'text/event-stream' } });
  const endless = await RawConnection.open(service.opsUrl);
  endless.write(requestBytes('POST /admin/reload HTTP/1.1', ['Host: localhost', 'Content-Length: 2'], ''));
  await service.kill('SIGTERM');
  await until('a red readiness', async () => (await service.readiness()) === 503);
  expect(await figures()).toEqual([before, 1]);
  redis.resume();
  const ask = async (path: string) => (await fetch(`${service.opsUrl}${path}`)).text();
  process.kill(gateways[0]!, 'SIGCONT');
  await until('a gateway that has ended', async () => (await ask('/readyz')).includes('ended'));
  expect(JSON.parse(await ask('/readyz?patient'))).toMatchObject({
    ...{ status: 'not ready', checks: { admission: 'draining' } },
  });
  expect(JSON.parse(await ask('/healthz'))).toMatchObject({ status: 'ok' });
  const samples = await scrape(service);
  expect(readingOf(samples, 'loyalty_requests_total', { status: '200' })).toBeGreaterThanOrEqual(before);
  expect(readingOf(samples, 'loyalty_ready')).toBe(0);
  expect(readingOf(samples, 'loyalty_processes_ended_total')).toBe(0);
  process.kill(gateways[1]!, 'SIGCONT');
  expect(await service.exited).toEqual({ code: 0, signal: null });
  // Redis was paused for longer than its time, or not.
  expect([200, 503]).toContain((await call).status);
  await feed.text().catch(() => undefined);
});

test('neither a Redis that never answers nor a second SIGTERM keeps it from ending, and what stands behind a refusal in its segment is not looked at any more', async () => {
  const service = await Service.start({ redisUrl: redis.url });
  const caller = service.newCaller({ isPatient: false });
  await caller.basket(basketOf());
  const connection = await RawConnection.open(service.baseUrl);
  redis.pause();
  const calls = Array.from({ length: 5 }, () => caller.basket(basketOf()).catch(() => undefined));
  await sleep(60);
  await service.kill('SIGTERM');
  await service.kill('SIGTERM');
  await until('the drain', async () => (await service.readiness()) !== 200);
  const follower = basketOf();
  const unsigned = requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, ['Host: x', 'Content-Length: 2'], '{}');
  connection.write(Buffer.concat([unsigned, callBytes(caller.secret, follower)]));
  const answers = connection.readAnswers();
  expect((await service.exited).code).toBe(0);
  expect((await answers).length).toBeLessThanOrEqual(1);
  await Promise.all(calls);
  redis.resume();
  expect(await redis.client.keys(`*${follower.calculationId}*`)).toEqual([]);
});
