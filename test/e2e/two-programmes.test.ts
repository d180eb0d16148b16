/**
 * Two processes that know a venue under two programmes, as in a configuration that is being rolled out. Duplicates of one
 * call that are in flight at once meet two members; they get one answer, and never a conflict.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { holdCount } from '../support/holds.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';

const ROUNDS = 40;
const DUPLICATES = 8;

let redis: RedisServer;
let services: Service[] = [];
beforeAll(async () => {
  redis = await RedisServer.launch();
  const before = configurationOf({
    programme: { benefits: [TWENTY, SINGLE_USE] },
    members: [memberOf('guest', [SINGLE_USE.benefitId])],
  });
  const after = structuredClone(before);
  for (const venue of after.venues) venue.programmeId = 'tea-club';
  for (const programme of after.programmes) programme.programmeId = 'tea-club';
  for (const member of after.members) member.programmeId = 'tea-club';
  const [first] = await Promise.all([Service.start({ configuration: before, redisUrl: redis.url })]);
  const second = await Service.start({ configuration: after, redisUrl: redis.url, secrets: first.secrets });
  services = [first, second];
}, 120_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await redis.stop();
  cleanUp();
});

test('duplicates in flight get one answer, whoever prices them; another body is a conflict', async () => {
  const callers = services.map((service) => service.newCaller());
  for (let round = 0; round < ROUNDS; round += 1) {
    const basket = basketOf([{}, {}], { loyaltyId: 'guest' });
    const answers = await Promise.all(
      Array.from({ length: DUPLICATES }, (_, at) => patiently(() => callers[at % callers.length]!.basket(basket))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed).length).toBeLessThanOrEqual(1);
    expect(await holdCount(redis)).toBeLessThanOrEqual(1);
    const other = { ...basket, requestedAt: '2026-11-21T12:00:01+01:00' };
    for (const caller of callers) expect((await patiently(() => caller.basket(other))).status).toBe(409);
    expect((await patiently(() => callers[round % 2]!.sale(saleOf(basket.calculationId, 'cancelled')))).status).toBe(
      200,
    );
  }
});
