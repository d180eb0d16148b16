/** Costs over a range of days, from the rows that are kept: what nobody used is a zero, and the range before stands beside. */
import { expect, test } from 'vitest';
import { readQuestion } from '../../packages/console/src/admin/cost-question.ts';
import type { CostReport } from '../../packages/console/src/admin/cost-report.ts';
import { reportCosts } from '../../packages/console/src/admin/cost-report.ts';
import { InvalidRequest } from '../../packages/console/src/admin/invalid-request.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { ALL_BASKETS, addCostRows, BASKETS_WITH_BENEFITS, NO_FUNDERS, noFigures } from '../../src/store/cost-rows.ts';
import { useFixture } from '../store/fixture.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';

const fixture = useFixture();
const TODAY = '2026-11-21';
const GOLD = {
  benefitId: 'gold',
  kind: 'line_percent',
  percent: 5,
  when: { tiers: ['gold'] },
} as unknown as typeof TWENTY;
const [oslo] = configurationOf().venues;
const bergen = { ...oslo!, venueId: 'bergen', terminalSetups: ['b-1'] };
const { environment: _, ...words } = configurationOf({
  programme: { benefits: [TWENTY, GOLD] },
  members: [],
});
const environment = loadEnvironment(
  JSON.stringify({
    ...words,
    environment: 'staging',
    venues: [
      { ...oslo!, currencies: ['NOK'] },
      { ...bergen, currencies: ['NOK'] },
    ],
  }),
  'x.yaml',
);

let number = 0;
/** A basket that was sold, with one benefit or none. */
async function sell(
  day: string,
  venueId: string,
  benefitId: string | undefined,
  saved: number,
  turnover: number,
  tier = '',
) {
  const names = { programmeId: 'coffee-club', venueId, tier, share: '', currency: 'NOK', funders: NO_FUNDERS };
  const given = { ...noFigures(), baskets: 1, units: 1, saved, turnover };
  const rows = [{ ...names, benefitId: ALL_BASKETS, figures: { ...noFigures(), baskets: 1, turnover } }];
  if (benefitId !== undefined) {
    for (const id of [benefitId, BASKETS_WITH_BENEFITS]) rows.push({ ...names, benefitId: id, figures: given });
  }
  number += 1;
  await addCostRows(fixture.store, { calculated: day, booked: day }, { process: 'p', number }, rows);
}

async function ask(query: string): Promise<CostReport> {
  const question = readQuestion(new URLSearchParams(query), TODAY);
  return (await reportCosts(fixture.store, environment, question, TODAY))!;
}

async function fill(): Promise<void> {
  await sell('2026-11-20', oslo!.venueId, 'twenty', 200, 800);
  await sell('2026-11-21', oslo!.venueId, 'twenty', 300, 1_200, 'gold');
  await sell('2026-11-21', oslo!.venueId, undefined, 0, 5_000);
  await sell('2026-11-19', oslo!.venueId, 'twenty', 50, 450);
  await sell('2025-10-20', oslo!.venueId, 'twenty', 7, 7);
}

test('by benefit: the range, the range before, and zero for what nobody used', async () => {
  await fill();
  const { rows, before } = await ask('from=2026-11-20&to=2026-11-21');
  expect(before).toEqual({ from: '2026-11-18', to: '2026-11-19' });
  const none = { soldBaskets: 0, units: 0, saved: 0, turnover: 0 };
  const rest = {
    programmeId: 'coffee-club',
    currency: 'NOK',
    allBaskets: 3,
    allTurnover: 7_000,
    allUndoneTurnover: 0,
    undoneBaskets: 0,
    undoneSaved: 0,
    undoneTurnover: 0,
    ...{ undoneUnits: 0, refunded: 0, conflicts: 0 },
  };
  expect(rows).toEqual([
    { ...rest, benefitId: 'gold', ...none, before: none },
    {
      ...rest,
      benefitId: 'twenty',
      ...{ soldBaskets: 2, units: 2, saved: 500, turnover: 2_000 },
      before: { soldBaskets: 1, units: 1, saved: 50, turnover: 450 },
    },
  ]);
});

test('by day, venue and benefit: a row for each, on every day that has come', async () => {
  await fill();
  const { rows, before, hasAllZeros } = await ask('from=2026-11-20&to=2026-11-30&by=day,venue,benefit');
  expect([before, hasAllZeros]).toEqual([undefined, true]);
  // Two days, two venues, two benefits.
  expect(rows).toHaveLength(8);
  const sold = rows.filter(({ soldBaskets }) => soldBaskets > 0);
  expect(sold.map(({ day, venueId, benefitId, saved }) => [day, venueId, benefitId, saved])).toEqual([
    ['2026-11-20', oslo!.venueId, 'twenty', 200],
    ['2026-11-21', oslo!.venueId, 'twenty', 300],
  ]);
});

test('by venue or tier a basket counts once, and turnover without benefits stands beside', async () => {
  await fill();
  const byVenue = (await ask('from=2026-11-20&to=2026-11-21&by=venue')).rows;
  expect(
    byVenue.map(({ venueId, soldBaskets, turnover, allTurnover }) => [venueId, soldBaskets, turnover, allTurnover]),
  ).toEqual([
    ['bergen', 0, 0, 0],
    [oslo!.venueId, 2, 2_000, 7_000],
  ]);
  const byTier = (await ask('from=2026-11-20&to=2026-11-21&by=tier,share')).rows;
  expect(byTier.map(({ tier, share, saved }) => [tier, share, saved])).toEqual([
    ['', '', 200],
    ['gold', '', 300],
  ]);
});

test('by the day of booking there is what was booked, and no zero that a reload could add to a closed month', async () => {
  await fill();
  const { rows, before } = await ask('from=2026-11-20&to=2026-11-21&on=booking');
  expect(rows.map(({ benefitId, saved, before: earlier }) => [benefitId, saved, earlier?.saved])).toEqual([
    ['twenty', 500, 50],
  ]);
  expect(before).toEqual({ from: '2026-11-18', to: '2026-11-19' });
});

test('a range with too many rows is refused, and its parts together have them', async () => {
  const { connection, keys } = fixture.store;
  for (const day of [10, 11, 12, 13, 14, 15]) {
    const rows = Array.from({ length: 9_000 }, (_, at) => [`v-${at}   coffee-club NOK twenty`, '1 1 5 10']);
    await connection.run(keys.costRows(`2026-11-${day}`), (client, key) => client.hset(key, Object.fromEntries(rows)));
  }
  const month = (from: number, to: number) =>
    ask(`from=2026-11-${from}&to=2026-11-${to}&by=day,venue,benefit,fundedBy&on=booking`);
  expect(await month(10, 15)).toBeUndefined();
  const parts = [await month(10, 13), await month(14, 15)];
  expect(parts.map(({ rows }) => rows.length)).toEqual([36_000, 18_000]);
  const days = new Set(parts.flatMap(({ rows }) => rows.map(({ day }) => day)));
  expect(days.size).toBe(6);
});

test.each([
  ['from=2026-11-32', 'from: found "2026-11-32", allowed: a day such as 2026-11-21'],
  ['from=2026-11-22', 'from: found 2026-11-22, allowed: a day up to 2026-11-21, the day of to'],
  ['from=2025-01-01', 'from: found 690 days up to the day of to, allowed: 400 at most'],
  [
    'from=2025-10-01&to=2025-10-31',
    'from: found 2025-10-01, allowed: 2025-10-17 or later; the days before are not kept',
  ],
  ['by=day,product', 'by: found "product", allowed: any of day, venue, benefit, fundedBy, tier, share, with commas'],
  ['on=sale', 'on: found "sale", allowed: calculation or booking'],
])('a question that has no answer says why: %s', (query, words) => {
  expect(() => readQuestion(new URLSearchParams(query), TODAY)).toThrow(new InvalidRequest(words));
});

test('without words it is about thirty days, by benefit', () => {
  expect(readQuestion(new URLSearchParams(), TODAY)).toMatchObject({
    ...{ from: '2026-10-23', to: TODAY, by: ['benefit'], on: 'calculation' },
  });
});
