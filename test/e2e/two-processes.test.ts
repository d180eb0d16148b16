/** Two services on one Redis act as one: thousands of mixed requests, each sent to whichever comes, and the books agree. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { type Caller, patiently } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { timesCases } from '../support/effort.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import type { AppliedBody, BasketBody } from '../support/wire.ts';

const REQUESTS = timesCases(1_000);
const LANES = 16;
const MEMBERS = 100;

let redis: RedisServer;
let services: Service[];
beforeAll(async () => {
  redis = await RedisServer.launch();
  const members = Array.from({ length: MEMBERS }, (_, index) => memberOf(`single-${index}`, [SINGLE_USE.benefitId]));
  const configuration = configurationOf({
    programme: { benefits: [TWENTY, SINGLE_USE] },
    members: [...members, memberOf('member-twenty', [TWENTY.benefitId])],
  });
  services = await Promise.all([1, 2].map(() => Service.start({ configuration, redisUrl: redis.url })));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await redis.stop();
  cleanUp();
});

/** All that was answered to one calculation. */
interface Told {
  readonly basket: BasketBody;
  readonly bodies: Set<string>;
  fresh: number;
  readonly results: string[];
}

test(`${REQUESTS} mixed requests`, async () => {
  const random = new Random(1);
  const callers = services.map((service) => service.newCaller());
  const told: Told[] = [];
  const either = (): Caller => random.pick(callers);
  let sent = 0;

  const ask = async (entry: Told): Promise<void> => {
    const answer: Answer = await patiently(() => either().basket(entry.basket));
    expect(answer.status).toBe(200);
    entry.bodies.add(answer.text);
    if (!answer.isReplayed) entry.fresh += 1;
  };
  const lane = async (): Promise<void> => {
    while (sent < REQUESTS) {
      sent += 1;
      const known = told.length > 0 && random.chance(0.6) ? random.pick(told) : undefined;
      if (known && random.chance(0.5)) await ask(known);
      else if (known) {
        const sale = saleOf(known.basket.calculationId, random.chance(0.5) ? 'applied' : 'cancelled');
        const answer = await patiently(() => either().sale(sale));
        known.results.push(answer.status === 200 ? String(answer.json()['result']) : String(answer.status));
      } else {
        const loyaltyId = random.chance(0.5) ? 'member-twenty' : `single-${random.between(0, MEMBERS - 1)}`;
        const entry = { basket: basketOf([{}], { loyaltyId }), bodies: new Set<string>(), fresh: 0, results: [] };
        told.push(entry);
        // Both at once: whichever commits first, the other replays.
        await Promise.all(random.chance(0.3) ? [ask(entry), ask(entry)] : [ask(entry)]);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  for (const { bodies, fresh, results } of told) {
    expect(bodies.size).toBe(1);
    expect(fresh).toBeLessThanOrEqual(1);
    expect(results.filter((result) => result === 'recorded').length).toBeLessThanOrEqual(1);
    expect(
      results.filter((result) => !['recorded', 'duplicate', 'unknown_calculation', '409'].includes(result)),
    ).toEqual([]);
  }
  const sold = new Map<string, number>();
  for (const { basket, bodies } of told) {
    const { status } = JSON.parse([...bodies][0] as string) as AppliedBody;
    const key = `${basket.loyaltyId} ${status}`;
    sold.set(key, (sold.get(key) ?? 0) + 1);
  }
  expect(sold.get('member-twenty applied')).toBeGreaterThan(REQUESTS / 100);
  for (const key of await redis.client.keys('*:use:*')) {
    for (const units of Object.values(await redis.client.hgetall(key))) expect(Number(units)).toBeLessThanOrEqual(1);
  }
}, 120_000);
