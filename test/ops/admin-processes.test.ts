/** The administration of several processes: the primary answers for all of them, and a reload reaches every one. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';
import { OPS_TOKEN } from './admin-client.ts';
import { deskOf } from './desk.ts';

const VENDOR = 'token-of-a-vendor';
const stage = useService({ env: { OPS_TOKEN: `${OPS_TOKEN},till:vendor:${VENDOR}`, PROCESSES: '2' } });

const { call, get, put, refusalOf, ringUp, tell } = deskOf(stage);

/** What so many callers, each with a connection of its own, are answered: the kernel spreads them over the processes. */
async function answers(loyaltyId: string): Promise<(number | undefined)[]> {
  const bodies = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const answer = await stage.service.newCaller().basket(basketOf([{}], { loyaltyId }));
      return answer.json<AppliedBody>().totals?.loyaltyDiscountTotal;
    }),
  );
  return [...new Set(bodies)];
}

const write = (text: string) => writeFileSync(join(stage.service.dataDirectory, 'environment.yaml'), text);

test('members, calculations and the dry run', async () => {
  expect((await put('of-all', ['twenty'])).status).toBe(200);
  expect(await answers('of-all')).toEqual([2_000]);
  const { basket, calculationId, reply } = await ringUp('of-all');
  expect((await call('POST /admin/explain', basket)).body.response).toEqual(reply.json());
  await tell(calculationId);
  expect(await get(`/admin/calculations/${calculationId}`)).toMatchObject({ state: 'sold', venueId: 'oslo-central' });
});

/** What became of a call, for whoever sent it. */
const read = (requestId: string) => call(`GET /admin/requests/${requestId}`, undefined, { token: VENDOR });

/** A caller with a connection of its own, which the kernel gives to either process. */
const caller = () => stage.service.newCaller();

test('an answered call leads to its calculation, and each attempt and the sale too', async () => {
  const basket = basketOf([{}], { loyaltyId: 'member-twenty' });
  const [first, again] = [await caller().basket(basket), await caller().basket(basket)];
  const sold = await caller().sale(saleOf(basket.calculationId));
  for (const answer of [first, again, sold]) {
    const requestId = String(answer.header('x-request-id'));
    const { status, body } = await read(requestId.toUpperCase());
    expect([status, body]).toMatchObject([
      200,
      { calculation: { calculationId: basket.calculationId, state: 'sold', answered: { status: 'applied' } } },
    ]);
    expect(body).not.toHaveProperty('refusal');
    expect(JSON.stringify(body)).not.toContain('member-twenty');
  }
});

test('a refused call says why, each one of many with the same fault, whichever process answered it', async () => {
  const wrong = Array.from({ length: 70 }, () => randomUUID());
  const secret = newSecret();
  for (const requestId of wrong) {
    await caller().basket(basketOf(), { secret, headers: { 'X-Request-Id': requestId } });
  }
  for (const requestId of [wrong[0], wrong[35], wrong[69]]) {
    const { body } = await read(String(requestId));
    expect(body).toMatchObject({
      requestId,
      refusal: { requestId, code: 'invalid_signature', status: 401, route: '/v1/pos/basket', field: 'POS-Signature' },
    });
  }
  const numbers = stage.service.log.filter(({ msg }) => msg === 'request').map((line) => line.process);
  expect(new Set(numbers).size).toBe(2);
  const basket = basketOf();
  const refused = await caller().basket({ ...basket, totals: { ...basket.totals, total: 1 } });
  const { body } = await read(String(refused.header('x-request-id')));
  expect(body.refusal).toMatchObject({
    ...{ code: 'arithmetic_mismatch', field: '/totals/total', expected: 10_000, received: 1 },
    calculationId: basket.calculationId,
  });
});

test('what is not known is 404, and what is no request ID 400', async () => {
  expect((await read(randomUUID())).status).toBe(404);
  expect(await refusalOf('GET /admin/requests/first')).toEqual([400, 'requestId: found "first", allowed: a UUID']);
});

test('the level of the log changes in every process, and the audit log stays', async () => {
  const numbers = () => new Set(stage.service.log.map((line) => line.process));
  await until('every process to have logged', () => [0, 1, 2].every((number) => numbers().has(number)));
  const requests = () => stage.service.log.filter(({ msg }) => msg === 'request').length;
  const set = (level: string) => call('PUT /admin/log-level', { level });
  expect((await set('loud')).status).toBe(400);
  expect(await set('fatal')).toMatchObject({ status: 200, body: { level: 'fatal' } });
  // The message reaches the processes before the calls, which come over the network, or together with the first of them.
  await until('calls without a line', async () => {
    const before = requests();
    await answers('nobody');
    await call('GET /admin/log-level');
    return requests() === before;
  });
  await until('the audit log', () => stage.service.log.some(({ action }) => action === 'read log level'));
  expect(await set('info')).toMatchObject({ status: 200, body: { level: 'info' } });
  const before = requests();
  await until('a line of a call', async () => {
    await answers('nobody');
    return requests() > before;
  });
});

test('a reload is answered when every process runs the new version', async () => {
  const members = [memberOf('member-twenty', ['twenty'])];
  write(JSON.stringify(configurationOf({ programme: { benefits: [{ ...TWENTY, percent: 30 }] }, members })));
  const reloaded = await call('POST /admin/configuration/reload');
  expect(reloaded.status).toBe(200);
  expect(await answers('member-twenty')).toEqual([3_000]);
  expect((await get('/admin/configuration')).version).toBe(reloaded.body.version);
});

test('a bad file is refused once, before any process is disturbed, and the metrics know', async () => {
  write('venues: [');
  const refused = await refusalOf('POST /admin/configuration/reload');
  expect(refused).toEqual([422, expect.stringContaining('environment.yaml')]);
  expect(await answers('member-twenty')).toEqual([3_000]);
  const refusals = () => stage.service.log.filter(({ msg }) => String(msg).startsWith('reload refused')).length;
  await until('the log', () => refusals() > 0);
  await until('the metric', async () => {
    const refusals = readingOf(await scrape(stage.service), 'loyalty_reloads_total', { result: 'refused' });
    return refusals === 1 || refusals === 2;
  });
  expect(refusals()).toBe(1);
});

test('a process that has just ended is named, and runs the new version when it is back', async () => {
  const [victim] = stage.service.gateways;
  process.kill(victim as number, 'SIGKILL');
  await until('its end', () => stage.service.log.some(({ msg }) => String(msg).startsWith('process ended')));
  const members = [memberOf('member-twenty', ['twenty'])];
  write(JSON.stringify(configurationOf({ programme: { benefits: [{ ...TWENTY, percent: 50 }] }, members })));
  const reloaded = await call('POST /admin/configuration/reload');
  // When the process was back before the call, it has taken part in the reload.
  if (reloaded.status !== 200) {
    expect([reloaded.status, reloaded.body.error.message]).toEqual([
      503,
      expect.stringMatching(/process \d has ended/),
    ]);
  }
  await until('readiness', async () => (await stage.service.readiness()) === 200, 20_000);
  expect(await answers('member-twenty')).toEqual([5_000]);
});
