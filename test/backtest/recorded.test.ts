/** What the service records, a rehearsal reads: the programme in force gives again what was answered. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { runCommand } from '../support/run-command.ts';
import { Service } from '../support/service.ts';

afterAll(cleanUp);

/** Which members it is for, their pseudonyms do not say. */
const HALF = {
  ...TWENTY,
  benefitId: 'half',
  audience: 'everyone',
  percent: 5,
  when: { share: { from: 0, below: 50, salt: 'half' } },
} as const;

test('a recording rehearsed with the programme that made it shows no difference, where a window closes half of it too', async () => {
  const redis = await RedisServer.launch();
  const dataDirectory = temporaryDirectory();
  const env = { RECORD_FILE: join(dataDirectory, 'recordings', 'baskets.ndjson'), RECORD_SAMPLE: '1' };
  const service = await Service.start({
    redisUrl: redis.url,
    dataDirectory,
    env,
    configuration: configurationOf({
      requestedAt: { pastHours: 2, aheadMinutes: 10 },
      programme: { benefits: [TWENTY, SINGLE_USE, HALF] },
    }),
  });
  const caller = service.newCaller();
  const random = new Random(11);
  const members = ['member-twenty', 'member-plain', 'member-single', 'member-paused', 'member-nobody'];
  for (let index = 0; index < 40; index += 1) {
    const distanceMs = random.pick([0, -3 * 3_600_000]);
    const more = {
      loyaltyId: random.pick(members),
      requestedAt: new Date(Date.now() + distanceMs).toISOString(),
    };
    const basket = index % 4 === 0 ? basketOf([{}], more) : randomBasket(random, random.between(1, 8), more);
    expect((await patiently(() => caller.basket(basket))).status).toBe(200);
    const sale = saleOf(basket.calculationId, index % 8 === 7 ? 'cancelled' : 'applied');
    for (let times = 0; times < 2 && index % 8 > 0; times += 1) await patiently(() => caller.sale(sale));
    if (index % 8 > 0) continue;
    // The guest puts something back, and pays for the rest.
    const rest = basketOf([{}], { ...more, supersedesCalculationId: basket.calculationId });
    expect((await patiently(() => caller.basket(rest))).status).toBe(200);
  }
  await service.stop();
  await redis.stop();

  const folder = join(dataDirectory, 'recordings');
  const files = readdirSync(folder).map((name) => join(folder, name));
  const configuration = join(dataDirectory, 'environment.yaml');
  const args = ['backtest', ...files, '--config', configuration, '--against', configuration];
  const { stdout } = await runCommand([...args, '--out', join(dataDirectory, 'report')], {});
  const ended = '30 sold, 5 superseded by a later basket, 5 given up, 5 without a sale event';
  expect(stdout).toContain(`45 in the input: ${ended}`);
  expect(stdout).toContain('30 priced by both, 0 of them differ');
  expect(stdout).toMatch(/twenty +NOK/);
  expect(stdout).toMatch(/half 0-50 +NOK/);
  expect(stdout).toMatch(/half 50-100 +NOK/);
  expect(stdout).not.toContain('another total');
  expect(stdout).not.toContain('could not be read');
});
