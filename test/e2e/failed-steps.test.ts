/** Steps that no caller waits for, or that come after the commit, meet a key that only a bug explains: the answer is given, and the process stays. */
import { expect, test } from 'vitest';
import { type CounterToken, createKeys } from '../../src/store/keys.ts';
import { basketNow, CLUB, ofAnna, ofBerit, tokenOf } from '../calls/support/club.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';

const keys = createKeys(CLUB.environment);

const stage = useSharedService(CLUB);

const countFailed = async () =>
  (await readingOf(await scrape(stage.service), 'loyalty_events_total', { event: 'failed_step' })) ?? 0;
const isLogged = () =>
  stage.service.output.some((line) => line.includes('"msg":"failed step"') && line.includes('WRONGTYPE'));

test('a basket whose card was swapped is answered, and answered again, though the release fails', async () => {
  const caller = stage.service.newCaller();
  const older = ofAnna();
  expect((await caller.basket(older)).status).toBe(200);
  // Holds are fields of a hash.
  const hold = keys.hold(tokenOf('anna'));
  await stage.redis.client.del(hold);
  await stage.redis.client.set(hold, 'not a hash');
  const before = await countFailed();
  const newer = { ...ofBerit(), supersedesCalculationId: older.calculationId };
  const first = await caller.basket(newer);
  expect(first.status).toBe(200);
  expect((await caller.basket(newer)).bytes).toEqual(first.bytes);
  expect(await countFailed()).toBe(before + 1);
  expect(isLogged()).toBe(true);
});

test('a failure of a step that nobody waits for is counted, and ends no process', async () => {
  const caller = stage.service.newCaller();
  const older = basketNow([{ productGroupId: 'crowd' }], { loyaltyId: 'carla' });
  expect((await caller.basket(older)).status).toBe(200);
  const common = await stage.redis.client.hget(keys.calculation(tokenOf('carla'), older.calculationId), 'common');
  const counter = common?.split('/')[0] as CounterToken;
  // Where a counter has many holds, a sorted set has when they end; it is asked only when one is given back.
  await stage.redis.client.set(keys.holdsDue(counter), 'no sorted set');
  const before = await countFailed();
  const newer = basketNow([{}], { loyaltyId: 'carla', supersedesCalculationId: older.calculationId });
  expect((await caller.basket(newer)).status).toBe(200);
  await until('the failure to be counted', async () => (await countFailed()) > before);
  expect((await caller.basket(ofBerit())).status).toBe(200);
});
