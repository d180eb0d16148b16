/** The steps of a commit: one where all is in the member's slot, further ones only for a calculation that is elsewhere. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { commitCalculation, findStoredAnswer, findSupersession } from '../../src/store/calculations.ts';
import { calculateCommon, expectBooks, somebody } from './common-fixture.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';
import { countingStore } from './meddled-store.ts';

const fixture = useFixture();

test('a commit is one command, also where it supersedes a calculation of the same member', async () => {
  const { told, store } = countingStore(fixture.store);
  const { calculationId } = (await calculate(fixture)).commit;
  const commit = commitOf({ supersedes: { calculationId, member: ANNA } });
  expect(await commitCalculation(store, commit)).toMatchObject({ holdsMade: 1, holdsReleased: 1 });
  expect(told.count).toBe(1);
  expect(await commitCalculation(store, commit)).toMatchObject({ outcome: 'replay' });
  expect(await commitCalculation(store, commitOf({ member: BERIT }))).toMatchObject({ holdsMade: 1, holdsReleased: 0 });
  expect(told.count).toBe(3);
});

test('a calculation of the same member that was sold is not looked for elsewhere', async () => {
  const { told, store } = countingStore(fixture.store);
  const { calculationId } = (await calculate(fixture)).commit;
  await report(fixture, calculationId, 'applied');
  const commit = commitOf({ uses: [], supersedes: { calculationId, member: ANNA } });
  expect(await commitCalculation(store, commit)).toMatchObject({ outcome: 'committed', holdsReleased: 0 });
  expect(told.count).toBe(1);
});

test('a calculation of another member is released in further steps, and counted with the commit', async () => {
  const { told, store } = countingStore(fixture.store);
  const { calculationId } = (await calculate(fixture)).commit;
  const commit = commitOf({ member: BERIT, supersedes: { calculationId, member: ANNA } });
  expect(await commitCalculation(store, commit)).toMatchObject({ holdsMade: 1, holdsReleased: 1 });
  // The commit, the index, the release and the mark that it is done: no counter of all members has anything to give back.
  expect(told.count).toBe(4);
  expect(await countUnits(fixture, ANNA)).toMatchObject({ held: 0 });
});

test('a stored answer is read in two commands at once, and a calculation that was never seen may be superseded', async () => {
  const { told, store } = countingStore(fixture.store);
  const { calculationId } = (await calculate(fixture)).commit;
  const found = await findStoredAnswer(store, calculationId, ANNA, () => 'print');
  expect([found.outcome, told.count]).toEqual(['replay', 2]);
  expect(findSupersession(calculationId, undefined)).toEqual({ calculationId, member: undefined });
});

test('a commit after its sale holds nothing of a limit over all members, and gives back what its call held', async () => {
  const calculationId = randomUUID();
  await report(fixture, calculationId, 'cancelled');
  const committed = await calculateCommon(fixture.store, { calculationId, member: somebody() });
  expect(committed).toMatchObject({ outcome: 'committed', holdsCommon: false });
  await expectBooks(fixture.store, { consumed: 0, over: 0, held: 0 });
});
