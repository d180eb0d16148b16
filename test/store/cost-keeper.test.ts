/** Costs on their way to Redis: they wait while it is away, and a report that it took without answering counts once. */
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { CostEntry } from '../../src/calls/cost-entry.ts';
import { CostKeeper } from '../../src/process/cost-keeper.ts';
import type { Environment } from '../../src/programme/environment.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { addCostRows, NO_FUNDERS, noFigures, readCostRows } from '../../src/store/cost-rows.ts';
import { configurationOf } from '../support/configuration.ts';
import { until } from '../support/wait.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();
/** What the keepers of a test have logged, and how many entries they have dropped. */
const told: { lines: { level: number; msg: string }[]; dropped: number } = { lines: [], dropped: 0 };
const log = pino({ level: 'info' }, { write: (line: string) => void told.lines.push(JSON.parse(line)) });
const [WARN, ERROR] = [40, 50];
const DAY = new Date().toISOString().slice(0, 10);
const SALE: CostEntry = {
  fate: 'sold',
  ...{ calculated: DAY, booked: DAY },
  programmeId: 'coffee-club',
  venueId: 'oslo central',
  currency: 'NOK',
  turnover: 9_500,
  tier: 'gold',
  share: '',
  benefits: [{ benefitId: 'half', units: 2, saved: 500, fundedBy: '' }],
};

let environment: Environment = loadEnvironment(JSON.stringify(configurationOf()), 'environment.yaml');
const keepers: CostKeeper[] = [];
afterEach(async () => {
  for (const keeper of keepers.splice(0)) await keeper.close();
  Object.assign(told, { lines: [], dropped: 0 });
});

function keep(): CostKeeper {
  const keeper = new CostKeeper(
    () => ({ environment, store: fixture.store }),
    log,
    () => {
      told.dropped += 1;
    },
  );
  keepers.push(keeper);
  return keeper;
}

async function soldOf() {
  const rows = await readCostRows(fixture.store, DAY);
  const { baskets, units, saved } = rows.find(({ benefitId }) => benefitId === 'half')?.figures ?? noFigures();
  return { baskets, units, saved };
}

test('what is counted is in Redis a second later, and the rest at the end', async () => {
  const [one, other] = [keep(), keep()];
  for (let sale = 0; sale < 3; sale += 1) one.add(SALE);
  other.add(SALE);
  await until('both to have told', async () => (await soldOf()).baskets === 4);
  one.add({ ...SALE, benefits: [...SALE.benefits, { benefitId: 'other', units: 1, saved: 7, fundedBy: '' }] });
  await one.close();
  expect(await soldOf()).toEqual({ baskets: 5, units: 10, saved: 2_500 });
});

test('of a sale whose reply was lost, what is ours is counted once Redis says so, and no other sale waits for it', async () => {
  const keeper = keep();
  let isAway = true;
  const isOurs = async () => {
    if (isAway) throw new StoreUnavailable('away');
    return true;
  };
  keeper.add({ ...SALE, isOurs });
  keeper.add({ ...SALE, isOurs: async () => false });
  keeper.add(SALE);
  await until('the others to have been told', async () => (await soldOf()).baskets === 1);
  isAway = false;
  await until('Redis to have said whose it is', async () => (await soldOf()).baskets === 2);
  keeper.add({ ...SALE, isOurs: async () => true });
  await keeper.close();
  expect(await soldOf()).toEqual({ baskets: 3, units: 6, saved: 1_500 });
});

test('rows tell venue, tier and turnover, and every basket once, whatever it was given', async () => {
  const keeper = keep();
  keeper.add({ ...SALE, benefits: [...SALE.benefits, { benefitId: 'other', units: 1, saved: 7, fundedBy: '' }] });
  keeper.add({ ...SALE, benefits: [], tier: '' });
  keeper.add({ ...SALE, fate: 'undone' });
  await keeper.close();
  const rows = await readCostRows(fixture.store, DAY);
  const words = rows.map(({ venueId, tier, currency, benefitId, figures }) =>
    [venueId, tier, currency, benefitId, ...Object.values(figures)].join('|'),
  );
  expect(words.toSorted()).toEqual([
    'oslo central|gold|NOK|+|1|3|507|9500|1|2|500|9500|0|0',
    'oslo central|gold|NOK|=|1|0|0|9500|1|0|0|9500|0|0',
    'oslo central|gold|NOK|half|1|2|500|9500|1|2|500|9500|0|0',
    'oslo central|gold|NOK|other|1|1|7|9500|0|0|0|0|0|0',
    'oslo central||NOK|=|1|0|0|9500|0|0|0|0|0|0',
  ]);
  expect(await fixture.redis.client.pttl(fixture.store.keys.costRows(DAY))).toBeGreaterThan(399 * 86_400_000);
});

test('no benefit is counted among others but in Prometheus', async () => {
  const keeper = keep();
  const benefits = Array.from({ length: 250 }, (_, at) => ({
    benefitId: `b-${at}`,
    units: 1,
    saved: at,
    fundedBy: '',
  }));
  keeper.add({ ...SALE, benefits });
  await keeper.close();
  expect(keeper.costs.rows.some(({ benefitId }) => benefitId === '(others)')).toBe(true);
  const rows = await readCostRows(fixture.store, DAY);
  expect(rows.filter(({ benefitId }) => benefitId.startsWith('b-'))).toHaveLength(250);
  expect(rows.find(({ benefitId }) => benefitId === 'b-249')?.figures.saved).toBe(249);
});

test('a day with too many rows goes on by benefit, and a report that comes again adds nothing', async () => {
  const row = (venueId: string) => ({
    ...SALE,
    venueId,
    ...{ benefitId: 'half', funders: NO_FUNDERS },
    figures: { ...noFigures(), baskets: 1, saved: 5 },
  });
  const report = { process: 'p', number: 1 };
  for (let times = 0; times < 2; times += 1)
    await addCostRows(fixture.store, { calculated: DAY, booked: DAY }, report, ['a', 'b', 'c', 'd', 'a'].map(row), 2);
  const rows = await readCostRows(fixture.store, DAY);
  const words = rows.map(
    ({ venueId, isMerged, figures }) => `${venueId} ${isMerged} ${figures.baskets} ${figures.saved}`,
  );
  expect(words.toSorted()).toEqual([' true 2 10', 'a false 2 10', 'b false 1 5']);
});

test('while Redis is silent costs wait, and what it takes without an answer counts once', async () => {
  const keeper = keep();
  keeper.add(SALE);
  fixture.redis.pause();
  // The report is sent, and nobody knows what became of it.
  await keeper.close();
  await keeper.close();
  // A process that ended now would take it along.
  const lost = { level: ERROR, msg: 'costs lost', days: [DAY], sales: 0 };
  expect(told.lines).toMatchObject([{ level: WARN, msg: 'costs wait' }, lost, lost]);
  keeper.add(SALE);
  fixture.redis.resume();
  await until('Redis to be back', () => fixture.store.connection.isAvailable);
  await until('Redis to have taken the report when it woke', async () => (await soldOf()).baskets === 1);
  await keeper.close();
  expect(await soldOf()).toEqual({ baskets: 2, units: 4, saved: 1_000 });
});

test('where too many days wait, those of others are dropped and counted, and the log says so once', async () => {
  const keeper = keep();
  const days = Array.from({ length: 102 }, (_, at) =>
    new Date(Date.now() - at * 86_400_000).toISOString().slice(0, 10),
  );
  for (const calculated of days) keeper.add({ ...SALE, calculated });
  keeper.add(SALE);
  expect(told.dropped).toBe(2);
  expect(told.lines).toMatchObject([{ level: WARN, msg: 'costs dropped', calculated: days[100], booked: DAY }]);
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
