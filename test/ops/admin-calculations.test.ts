/** What became of a calculation, as told to a support desk. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { BERGEN } from '../support/baskets.ts';
import { configurationOf, memberOf, singleUseMembers } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import { deskOf } from './desk.ts';

const HOLD_MS = 1_500;
const settings = {
  moreMembers: [...singleUseMembers('single', 8), memberOf('known-loyalty-id', ['twenty'])],
};
const configuration = configurationOf(settings);
const stage = useSharedService(configuration);
const { get, ringUp, sell, tell: report } = deskOf(stage);

interface Told extends Record<string, unknown> {
  readonly state: string;
  readonly story: string[];
}

async function tell(calculationId: string): Promise<Told> {
  const body = await get<Told>(`/admin/calculations/${calculationId}`);
  expect(JSON.stringify(body)).not.toMatch(/known-loyalty-id|single-\d/);
  return body;
}

/** Sentences without what differs from run to run. */
function plain(story: readonly string[]): string[] {
  const time = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d Europe\/Oslo/g;
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
  return story.map((sentence) => sentence.replace(time, '<time>').replace(id, '<id>'));
}

test('answered and sold', async () => {
  const { calculationId } = await sell('single-0', {}, { transactionId: 'receipt-7' });
  const told = await tell(calculationId);
  expect(told).toMatchObject({
    state: 'sold',
    venueId: 'oslo-central',
    answered: { status: 'applied', total: 8_000, at: expect.stringMatching(/Z$/) },
    held: { uses: [{ benefitId: 'single-use', period: '*', units: 1, limit: 1 }] },
    sale: { status: 'applied', transactionId: 'receipt-7', isLate: false, overRedeemed: 0 },
    conflicts: 0,
  });
  expect(plain(told.story)).toEqual([
    '<time>: oslo-central asked, and was answered applied; the guest was to pay 80.00 NOK.',
    'Held until <time>: single-use (lifetime): 1 of 1.',
    '<time>: sale event applied, transaction receipt-7.',
    'Consumed: single-use (lifetime): 1 of 1.',
  ]);
});

test('answered at a venue with several currencies', async () => {
  const { calculationId } = await ringUp('known-loyalty-id', { context: BERGEN, currency: 'EUR' });
  expect(plain((await tell(calculationId)).story)[0]).toBe(
    '<time>: bergen-quay asked, and was answered applied; the guest was to pay 80.00 EUR.',
  );
});

test('superseded, then sold all the same, with two stories', async () => {
  const first = await ringUp('single-1');
  const second = await ringUp('single-1', { supersedesCalculationId: first.calculationId });
  for (const transactionId of ['receipt-1', 'receipt-2'])
    await report(first.calculationId, 'applied', { transactionId });
  const told = await tell(first.calculationId);
  expect(told).toMatchObject({ state: 'sold', supersededBy: second.calculationId, conflicts: 1 });
  expect(plain(told.story).slice(2)).toEqual([
    'Calculation <id> superseded it, and what it held was given back.',
    '<time>: sale event applied, transaction receipt-1, late.',
    'Consumed: single-use (lifetime): 1 of 1.',
    'That is 1 past the limit: over-redeemed.',
    'Once a sale event reported another outcome; it was refused, and the first one stands.',
  ]);
});

test('expired, then sold late', async () => {
  const open = await tell((await ringUp('single-3')).calculationId);
  expect([open.state, open.story.at(-1)]).toEqual(['open', expect.stringMatching(/No sale event has come yet\./)]);
  // Those of the other tests are held for longer than a machine stands still.
  await stage.service.configure(configurationOf({ ...settings, holdMinutes: HOLD_MS / 60_000 }));
  const { calculationId } = await ringUp('single-2');
  await stage.service.configure(configuration);
  await until('its end', async () => (await tell(calculationId)).state === 'expired');
  expect(plain((await tell(calculationId)).story).at(-1)).toBe(
    '<time>: no sale event had come, so it ended unsold, and what it held was given back.',
  );
  await report(calculationId, 'applied', { transactionId: 'receipt-3' });
  const late = await tell(calculationId);
  expect(plain(late.story).slice(2)).toEqual([
    '<time>: no sale event had come in time.',
    '<time>: sale event applied, transaction receipt-3, late.',
    'Consumed: single-use (lifetime): 1 of 1.',
  ]);
});

test('a sale event for a calculation that was never asked for', async () => {
  const calculationId = randomUUID();
  await report(calculationId, 'applied', { transactionId: 'receipt-4' });
  const told = await tell(calculationId);
  expect(told).toMatchObject({ state: 'unknown', sale: { transactionId: 'receipt-4' } });
  expect(told.story[0]).toContain('No basket call for it has been seen; a sale event named it first.');
});

test('an answer without limits, and a member who is not known', async () => {
  const known = await ringUp('known-loyalty-id');
  expect((await tell(known.calculationId)).story).toHaveLength(2);
  const stranger = await ringUp('nobody');
  expect((await tell(stranger.calculationId)).story[0]).toContain('was answered member_not_found');
});
