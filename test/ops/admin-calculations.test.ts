/** What became of a calculation, as told to a support desk. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, singleUseMembers } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import { ask } from './admin-client.ts';

const HOLD_MS = 1_500;
const configuration = configurationOf({
  holdMinutes: HOLD_MS / 60_000,
  moreMembers: [...singleUseMembers('single', 8), memberOf('known-loyalty-id', ['twenty'])],
});
const stage = useSharedService(configuration);

interface Told extends Record<string, unknown> {
  readonly state: string;
  readonly story: string[];
}

async function tell(calculationId: string): Promise<Told> {
  const { status, body } = await ask<Told>(stage.service.opsUrl, `GET /admin/calculations/${calculationId}`);
  expect(status).toBe(200);
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
  const basket = basketOf([{}], { loyaltyId: 'single-0' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId, 'applied', { transactionId: 'receipt-7' }));
  const told = await tell(basket.calculationId);
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

test('superseded, then sold all the same, with two stories', async () => {
  const first = basketOf([{}], { loyaltyId: 'single-1' });
  const second = basketOf([{}], { loyaltyId: 'single-1', supersedesCalculationId: first.calculationId });
  await stage.caller.basket(first);
  await stage.caller.basket(second);
  await stage.caller.sale(saleOf(first.calculationId, 'applied', { transactionId: 'receipt-1' }));
  await stage.caller.sale(saleOf(first.calculationId, 'applied', { transactionId: 'receipt-2' }));
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
  const basket = basketOf([{}], { loyaltyId: 'single-2' });
  await stage.caller.basket(basket);
  const open = await tell(basket.calculationId);
  expect(open.state).toBe('open');
  expect(open.story.at(-1)).toMatch(/No sale event has come yet\.|ended unsold/);
  await until('its end', async () => (await tell(basket.calculationId)).state === 'expired');
  expect(plain((await tell(basket.calculationId)).story).at(-1)).toBe(
    '<time>: no sale event had come, so it ended unsold, and what it held was given back.',
  );
  await stage.caller.sale(saleOf(basket.calculationId, 'applied', { transactionId: 'receipt-3' }));
  const late = await tell(basket.calculationId);
  expect(plain(late.story).slice(2)).toEqual([
    '<time>: no sale event had come in time.',
    '<time>: sale event applied, transaction receipt-3, late.',
    'Consumed: single-use (lifetime): 1 of 1.',
  ]);
});

test('a sale event for a calculation that was never asked for', async () => {
  const calculationId = randomUUID();
  await stage.caller.sale(saleOf(calculationId, 'applied', { transactionId: 'receipt-4' }));
  const told = await tell(calculationId);
  expect(told).toMatchObject({ state: 'unknown', sale: { transactionId: 'receipt-4' } });
  expect(told.story[0]).toContain('No basket call for it has been seen; a sale event named it first.');
});

test('an answer without limits, and a member who is not known', async () => {
  const plainBasket = basketOf([{}], { loyaltyId: 'known-loyalty-id' });
  await stage.caller.basket(plainBasket);
  expect((await tell(plainBasket.calculationId)).story).toHaveLength(2);
  const stranger = basketOf([{}], { loyaltyId: 'nobody' });
  await stage.caller.basket(stranger);
  expect((await tell(stranger.calculationId)).story[0]).toContain('was answered member_not_found');
});
