/** The rows of a day's costs as they stand in Redis. */
import { expect, test } from 'vitest';
import { addCostRows, NO_FUNDERS, noFigures, readCostRows } from '../../src/store/cost-rows.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();

test('the costs of a day are kept for 400 days after it; figures that an older version did not know are 0', async () => {
  const { redis, store } = fixture;
  const day = new Date().toISOString().slice(0, 10);
  const names = {
    programmeId: 'club',
    venueId: 'Øst \ud83d',
    tier: 'gold',
    share: 'a 1',
    currency: 'NOK',
    benefitId: 'b',
    funders: ['Dairy, Norway', ''],
  };
  const figures = { ...noFigures(), baskets: 1, undoneTurnover: 7 };
  await addCostRows(store, { calculated: day, booked: day }, { process: 'p', number: 1 }, [{ ...names, figures }]);
  const row = { ...names, venueId: 'Øst \ufffd', figures, isMerged: false };
  expect(await readCostRows(store, day)).toEqual([row]);
  const untilMs = await redis.client.pexpiretime(store.keys.costRows(day));
  expect(untilMs - Date.parse(day)).toBe(401 * 86_400_000);
  await redis.client.hset(store.keys.costRows(day), 'oslo   club NOK b', '3 4');
  expect(await readCostRows(store, day)).toContainEqual({
    ...{ ...names, venueId: 'oslo', tier: '', share: '', funders: NO_FUNDERS },
    ...{ figures: { ...noFigures(), baskets: 3, units: 4 }, isMerged: false },
  });
  // What an older version wrote counts as booked on the day of its calculation.
  expect(await readCostRows(store, day, 'booking')).toHaveLength(2);
});

test('a venue has its rows, whatever sign its name begins with', async () => {
  const venues = ['!pop-up', '!!rows', '+', '>', ' ', '=', '%21', 'a b'];
  const [day, names] = ['2026-11-21', { programmeId: 'club', tier: '', share: '', currency: 'NOK', benefitId: 'b' }];
  const figures = { ...noFigures(), baskets: 1 };
  const rows = venues.map((venueId) => ({ ...names, venueId, funders: NO_FUNDERS, figures }));
  await addCostRows(fixture.store, { calculated: day, booked: day }, { process: 'p', number: 1 }, rows);
  const read = await readCostRows(fixture.store, day);
  expect(read.toSorted((one, other) => venues.indexOf(one.venueId) - venues.indexOf(other.venueId))).toEqual(
    rows.map((row) => ({ ...row, isMerged: false })),
  );
});

test('what is booked on another day has a row on each, for one of the two readings', async () => {
  const { store } = fixture;
  const names = { programmeId: 'club', venueId: 'oslo', tier: '', share: '', currency: 'NOK', benefitId: 'b' };
  const add = (number: number, booked: string, baskets: number) =>
    addCostRows(store, { calculated: '2026-10-31', booked }, { process: 'p', number }, [
      { ...names, funders: ['Dairy'], figures: { ...noFigures(), baskets } },
    ]);
  await add(1, '2026-10-31', 1);
  await add(2, '2026-11-02', 10);
  await add(2, '2026-11-02', 10);
  await add(3, '2026-11-02', 100);
  const read = async (day: string, on: 'calculation' | 'booking') => {
    const rows = await readCostRows(store, day, on);
    expect(rows.every(({ funders }) => funders.join() === 'Dairy')).toBe(true);
    return rows.reduce((sum, { figures }) => sum + figures.baskets, 0);
  };
  expect([await read('2026-10-31', 'calculation'), await read('2026-11-02', 'calculation')]).toEqual([111, 0]);
  expect([await read('2026-10-31', 'booking'), await read('2026-11-02', 'booking')]).toEqual([1, 110]);
});
