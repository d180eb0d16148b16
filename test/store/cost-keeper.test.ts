/** Costs on their way to Redis: they wait while it is away, and a report that it took without answering counts once. */
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { Redemption } from '../../src/calls/messages.ts';
import { CostKeeper } from '../../src/process/cost-keeper.ts';
import type { Environment } from '../../src/programme/environment.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { type DayCost, readCosts } from '../../src/store/costs.ts';
import { configurationOf } from '../support/configuration.ts';
import { until } from '../support/wait.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();
const log = pino({ level: 'silent' });
const DAY = new Date().toISOString().slice(0, 10);
const SALE: Redemption = {
  fate: 'sold',
  day: DAY,
  programmeId: 'coffee-club',
  currency: 'NOK',
  benefits: [{ benefitId: 'half', units: 2, saved: 500 }],
};

let environment: Environment = loadEnvironment(JSON.stringify(configurationOf()), 'environment.yaml');
const keepers: CostKeeper[] = [];
afterEach(async () => {
  for (const keeper of keepers.splice(0)) await keeper.close();
});

function keep(): CostKeeper {
  const keeper = new CostKeeper(() => ({ environment, store: fixture.store }), log);
  keepers.push(keeper);
  return keeper;
}

async function soldOf(): Promise<DayCost['sold'] | undefined> {
  return (await readCosts(fixture.store, DAY)).find(({ benefitId }) => benefitId === 'half')?.sold;
}

test('what is counted is in Redis a second later, and the rest at the end', async () => {
  const [one, other] = [keep(), keep()];
  for (let sale = 0; sale < 3; sale += 1) one.add(SALE);
  other.add(SALE);
  await until('both to have told', async () => (await soldOf())?.baskets === 4);
  one.add({ ...SALE, benefits: [...SALE.benefits, { benefitId: 'other', units: 1, saved: 7 }] });
  await one.close();
  expect(await soldOf()).toEqual({ baskets: 5, units: 10, saved: 2_500 });
});

test('while Redis is silent costs wait, and what it takes without an answer counts once', async () => {
  const keeper = keep();
  keeper.add(SALE);
  fixture.redis.pause();
  // The report is sent, and nobody knows what became of it.
  await keeper.close();
  keeper.add(SALE);
  fixture.redis.resume();
  await until('Redis to be back', () => fixture.store.connection.isAvailable);
  await until('Redis to have taken the report when it woke', async () => (await soldOf())?.baskets === 1);
  await keeper.close();
  expect(await soldOf()).toEqual({ baskets: 2, units: 4, saved: 1_000 });
});

test('benefits of the configuration have their rows at once, and after a reload', () => {
  const keeper = keep();
  const names = () => keeper.costs.rows.map(({ benefitId, currency }) => `${benefitId} ${currency}`);
  const expected = environment.venues[0]!.programme.benefits.length;
  expect(names().length).toBeGreaterThanOrEqual(expected);
  const [first] = environment.venues;
  environment = { ...environment, venues: [{ ...first!, currencies: ['ISK'] }] };
  keeper.expectBenefits();
  expect(names().filter((name) => name.endsWith(' ISK'))).not.toEqual([]);
});
