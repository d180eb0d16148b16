/** Past sales, found by whatever number a guest or a colleague has, and explained as they were priced. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PastBasket } from '../../src/administration/past-basket.ts';
import { memberToken } from '../../src/store/keys.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, singleUseMembers, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import { deskOf } from './desk.ts';

const GUEST = 'guest-at-the-counter';
const configuration = configurationOf({
  moreMembers: [...singleUseMembers('single', 2), Object.assign(memberOf(GUEST, ['twenty']), { tier: 'gold' })],
});
const stage = useSharedService(configuration);
const { call, get, refusalOf } = deskOf(stage);

interface Found {
  readonly calculations: {
    readonly calculation: { readonly calculationId: string; readonly state: string; readonly story: string[] };
    readonly past?: PastBasket;
    readonly notExplained?: string;
  }[];
  readonly refusals: Record<string, unknown>[];
}

async function lookUp(id: string): Promise<Found> {
  const body = await get<Found>(`/admin/look-up?id=${encodeURIComponent(id)}`);
  // The question may name a person, the answer never does.
  expect(JSON.stringify(body)).not.toMatch(/guest-at-the-counter|single-\d/);
  return body;
}

async function sell(basket: BasketBody, transactionId: string): Promise<void> {
  const answer = await stage.caller.basket(basket);
  expect(answer.status).toBe(200);
  expect((await stage.caller.sale(saleOf(basket.calculationId, 'applied', { transactionId }))).status).toBe(200);
}

const coffeeAndCard = (more: Partial<BasketBody> = {}) =>
  basketOf([{ name: 'Filter coffee' }, { name: 'Gift card', noDiscount: true }], { loyaltyId: GUEST, ...more });

test('a receipt tells why one line has 20 % off and the other nothing, also when another configuration is in force', async () => {
  const basket = coffeeAndCard();
  await sell(basket, 'till 4/0815');
  const [before] = (await lookUp('till 4/0815')).calculations;
  expect(before?.calculation).toMatchObject({ calculationId: basket.calculationId, state: 'sold' });
  const { basket: asked, response, explanation, isSame, texts } = before!.past!;
  expect(isSame).toBe(true);
  expect(asked.lines.map(({ orderLinePrice }) => orderLinePrice)).toEqual([10_000, 10_000]);
  expect(response).toMatchObject({ status: 'applied', calculationId: basket.calculationId });
  expect(explanation.changes).toEqual([
    expect.objectContaining({ lineId: 'line-1', benefitId: 'twenty', amount: -2_000 }),
  ]);
  expect(explanation.member).toMatchObject({ status: 'active', tier: 'gold', grants: ['twenty'] });
  expect(explanation.benefits.map(({ benefitId, applied }) => [benefitId, applied])).toEqual([
    ['half-units', false],
    ['single-use', false],
    ['twenty', true],
  ]);
  expect(explanation.benefits[0]).toMatchObject({ reason: expect.any(String) });
  expect(texts).toMatchObject({ twenty: TWENTY.text });
  expect(JSON.stringify(before)).not.toMatch(/Filter coffee|Gift card/);

  const half = { ...configuration, programmes: structuredClone(configuration.programmes) };
  const others = half.programmes[0]!.benefits.filter(({ benefitId }) => benefitId !== TWENTY.benefitId);
  Object.assign(half.programmes[0]!, { benefits: [{ ...TWENTY, percent: 50 }, ...others] });
  const file = join(stage.service.dataDirectory, 'environment.yaml');
  const version = async () => (await get<{ version: string }>('/admin/configuration')).version;
  try {
    writeFileSync(file, JSON.stringify(half));
    await until('the reload', async () => (await version()) !== explanation.configuration);
    const [after] = (await lookUp('till 4/0815')).calculations;
    expect(after?.past).toEqual(before?.past);
  } finally {
    writeFileSync(file, JSON.stringify(configuration, null, 2));
    await until('the reload', async () => (await version()) === explanation.configuration);
  }
});

test('a limit counts as it was when the basket was priced', async () => {
  const [first, second] = [1, 2].map(() => basketOf([{}], { loyaltyId: 'single-0' })) as [BasketBody, BasketBody];
  await sell(first, 'limit-1');
  await sell(second, 'limit-2');
  const reasonOf = async (receipt: string) => {
    const [found] = (await lookUp(receipt)).calculations;
    expect(found?.past?.isSame).toBe(true);
    return found?.past?.explanation.benefits.find(({ benefitId }) => benefitId === 'single-use');
  };
  expect(await reasonOf('limit-1')).toMatchObject({ applied: true, saved: 2_000 });
  expect(await reasonOf('limit-2')).toMatchObject({ applied: false, reason: 'limit_used_up' });
});

test('a receipt number of two shops tells both sales in order of time', async () => {
  const baskets = [coffeeAndCard(), basketOf([{}], { loyaltyId: 'nobody' }), coffeeAndCard()];
  for (const basket of baskets) await sell(basket, '42');
  // The event of a sale that is told again leads there once.
  await stage.caller.sale(saleOf(baskets[0]!.calculationId, 'applied', { transactionId: '42' }));
  const { calculations } = await lookUp('42');
  expect(calculations.map(({ calculation }) => calculation.calculationId)).toEqual(
    baskets.map(({ calculationId }) => calculationId),
  );
  expect(calculations.map(({ past }) => past?.response.status)).toEqual(['applied', 'member_not_found', 'applied']);
});

test('a calculation ID in any case and a loyalty ID lead there too', async () => {
  const basket = basketOf([{}], { loyaltyId: 'single-1' });
  await stage.caller.basket(basket);
  for (const id of [basket.calculationId.toUpperCase(), 'single-1']) {
    const { calculations } = await lookUp(id);
    expect(calculations.map(({ calculation }) => calculation.calculationId)).toEqual([basket.calculationId]);
    expect(calculations[0]?.past?.isSame).toBe(true);
  }
});

test('every attempt at a basket and its sale event are found by their request IDs', async () => {
  const basket = coffeeAndCard();
  const calls = [
    await stage.caller.basket(basket),
    await stage.caller.basket(basket),
    await stage.caller.sale(saleOf(basket.calculationId)),
  ];
  expect(calls.map(({ isReplayed }) => isReplayed)).toEqual([false, true, false]);
  for (const call of calls) {
    const requestId = String(call.header('x-request-id'));
    for (const id of [requestId, requestId.toUpperCase()]) {
      const { calculations } = await lookUp(id);
      expect(calculations.map(({ calculation }) => calculation.calculationId)).toEqual([basket.calculationId]);
    }
  }
});

test('a refused basket is found by its own ID and by its request ID', async () => {
  const wrong = coffeeAndCard();
  wrong.totals = { ...wrong.totals, total: 1 };
  const refused = await stage.caller.basket(wrong);
  expect(refused.status).toBe(422);
  for (const id of [wrong.calculationId, String(refused.header('x-request-id'))]) {
    const { calculations, refusals } = await lookUp(id);
    expect(calculations).toEqual([]);
    expect(refusals).toEqual([
      expect.objectContaining({ code: 'arithmetic_mismatch', field: '/totals/total', expected: 20_000, received: 1 }),
    ]);
  }
});

test('what is not known, or not kept, is said', async () => {
  expect(await refusalOf('GET /admin/look-up?id=never')).toEqual([
    404,
    'Nothing is known under "never": baskets are kept for 7 days, sold ones for 30, and of requests by their own ID the last 20,000 answered and 1,000 refused of each process.',
  ]);
  for (const query of ['', '?id=', `?id=${'x'.repeat(65)}`, '?receipt=1']) {
    expect((await call(`GET /admin/look-up${query}`)).status).toBe(400);
  }
  const emoji = encodeURIComponent('☕️'.repeat(32));
  expect((await call(`GET /admin/look-up?id=${emoji}`)).status).toBe(404);
  // As a version before this one would have left it.
  const basket = coffeeAndCard();
  await sell(basket, 'without-lines');
  const key = `loyalty:staging:calc:{${memberToken('coffee-club', GUEST)}}:${basket.calculationId}`;
  const fields = (await stage.redis.client.hkeys(key)).filter((name) => /^b\d+$/.test(name));
  expect(fields.length).toBeGreaterThan(0);
  expect(await stage.redis.client.object('ENCODING', key)).toBe('listpack');
  await stage.redis.client.hdel(key, ...fields);
  const [found] = (await lookUp('without-lines')).calculations;
  expect(found).toMatchObject({ calculation: { state: 'sold' }, notExplained: 'Nothing is kept of its lines.' });
});

test('what is noted for receipts and configurations ends, and holds no receipt number and no member', async () => {
  await sell(coffeeAndCard(), 'secret-receipt');
  const { client } = stage.redis;
  const keys = await client.keys('loyalty:staging:*');
  expect(keys.join(' ')).not.toContain('secret-receipt');
  const noted = keys.filter((key) => /:(?:receipt|configuration):/.test(key));
  expect(noted.length).toBeGreaterThan(1);
  for (const key of noted) expect(await client.pttl(key)).toBeGreaterThan(0);
});
