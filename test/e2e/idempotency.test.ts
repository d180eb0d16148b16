/** Idempotency (interface, section 4.10): what replays, what conflicts, and what leaves the key free. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { BERGEN, basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { unixSeconds } from '../support/signer.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService(configurationOf({ moreMembers: singleUseMembers('guest', 10) }));

describe('same key, same body: the stored answer, byte for byte', () => {
  const stored: [string, BasketBody][] = [
    ['applied', basketOf()],
    ['applied, 200 lines', randomBasket(new Random(1), 200)],
    ['applied, with a benefit held', basketOf([{}], { loyaltyId: 'guest-0' })],
    ['unchanged', basketOf([{}], { loyaltyId: 'member-plain' })],
    ['unchanged, inactive', basketOf([{}], { loyaltyId: 'member-paused' })],
    ['member_not_found', basketOf([{}], { loyaltyId: 'nobody' })],
  ];
  test.each(stored)('%s', async (_, basket) => {
    const first = await stage.caller.basket(basket);
    expect([first.status, first.isReplayed]).toEqual([200, false]);
    for (let round = 0; round < 3; round += 1) {
      const again = await stage.caller.basket(basket);
      expect([again.status, again.isReplayed]).toEqual([200, true]);
      expect(again.bytes.equals(first.bytes)).toBe(true);
    }
  });

  test('signed anew, with another time and another X-Request-Id', async () => {
    const basket = basketOf();
    const first = await stage.caller.basket(basket);
    const again = await stage.caller.basket(basket, {
      t: unixSeconds() - 60,
      headers: { 'X-Request-Id': randomUUID() },
    });
    expect([again.isReplayed, again.text]).toEqual([true, first.text]);
  });

  test('also after the sale is done', async () => {
    const basket = basketOf([{}], { loyaltyId: 'guest-1' });
    const first = await stage.caller.basket(basket);
    await stage.caller.sale(saleOf(basket.calculationId));
    const again = await stage.caller.basket(basket);
    expect([again.isReplayed, again.text]).toEqual([true, first.text]);
  });
});

describe('same key, different body: 409', () => {
  const first = basketOf();
  const changes: [string, string | object][] = [
    ['another quantity', { ...basketOf([{ quantity: 2 }]), calculationId: first.calculationId }],
    ['another member', { ...first, loyaltyId: 'member-plain' }],
    ['another venue', { ...first, context: BERGEN }],
    ['another time', { ...first, requestedAt: '2026-11-20T12:00:01+01:00' }],
    ['the same fields with a blank more', `${JSON.stringify(first)} `],
    ['an unknown field more', { ...first, extra: 1 }],
    ['a body that would be refused', { ...first, lines: [] }],
    ['a body that is no JSON', 'no json'],
  ];
  test.each(changes)('%s', async (_, body) => {
    const right = await stage.caller.basket(first);
    const headers = { 'Idempotency-Key': first.calculationId };
    const answer = await stage.caller.send(BASKET_PATH, body, { headers });
    expect([answer.status, answer.code]).toEqual([409, 'idempotency_conflict']);
    expect((await stage.caller.basket(first)).text).toBe(right.text);
  });
});

describe('what is refused pins nothing: the key takes a mended body', () => {
  const faults: [string, number, (basket: BasketBody) => object | string][] = [
    ['no JSON', 400, (basket) => JSON.stringify(basket).slice(0, -1)],
    ['a missing field', 400, ({ currency: _, ...rest }) => rest],
    ['another key in the body', 400, (basket) => ({ ...basket, calculationId: randomUUID() })],
    ['an unknown venue', 422, (basket) => ({ ...basket, context: { ...basket.context, baxId: '0' } })],
    ['another currency', 422, (basket) => ({ ...basket, currency: 'USD' })],
    ['a broken total', 422, (basket) => ({ ...basket, totals: { ...basket.totals, total: 0 } })],
    ['too many lines', 422, (basket) => ({ ...basket, lines: new Array(201).fill(basket.lines[0]) })],
    ['too many bytes', 413, (basket) => JSON.stringify(basket) + ' '.repeat(262_144)],
  ];
  test.each(faults)('%s (%d)', async (_, status, spoil) => {
    const basket = basketOf();
    const headers = { 'Idempotency-Key': basket.calculationId };
    const refused = await stage.caller.send(BASKET_PATH, spoil(basket), { headers });
    expect(refused.status).toBe(status);
    const mended = await stage.caller.basket(basket);
    expect([mended.status, mended.isReplayed]).toEqual([200, false]);
  });

  test('a wrong signature', async () => {
    const basket = basketOf();
    expect((await stage.caller.basket(basket, { secret: 'ab'.repeat(32) })).status).toBe(401);
    expect((await stage.caller.basket(basket)).isReplayed).toBe(false);
  });
});

test('a stored answer is not for those who cannot sign', async () => {
  const basket = basketOf();
  await stage.caller.basket(basket);
  const answer = await stage.caller.basket(basket, { secret: 'ab'.repeat(32) });
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

test('a basket and its sale event share a key and do not conflict', async () => {
  const basket = basketOf();
  expect((await stage.caller.basket(basket)).status).toBe(200);
  expect((await stage.caller.sale(saleOf(basket.calculationId))).json().result).toBe('recorded');
  expect((await stage.caller.basket(basket)).isReplayed).toBe(true);
  expect((await stage.caller.sale(saleOf(basket.calculationId))).json().result).toBe('duplicate');
});

test('the key is bound to the body on the stored answer too', async () => {
  const basket = basketOf();
  await stage.caller.basket(basket);
  const other = randomUUID();
  const answer = await stage.caller.send(BASKET_PATH, bytesOf(basket), { headers: { 'Idempotency-Key': other } });
  expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
});
