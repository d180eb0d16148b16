/** The post-sale event (interface, sections 4 and 6): its three results, its conflicts, and what comes late. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { sleep } from '../support/wait.ts';
import type { BasketBody, SaleBody } from '../support/wire.ts';

const HOLD_MS = 1_500;

const stage = useSharedService(
  configurationOf({ holdMinutes: HOLD_MS / 60_000, moreMembers: singleUseMembers('guest', 20) }),
);

let members = 0;

function offer(loyaltyId: string, more: Partial<BasketBody> = {}): BasketBody {
  return basketOf([{}], { loyaltyId, ...more });
}

async function status(basket: BasketBody): Promise<unknown> {
  return (await stage.caller.basket(basket)).json().status;
}

/** The `result` of the event, or the code of its refusal. */
async function report(sale: SaleBody): Promise<unknown> {
  const answer = await stage.caller.sale(sale);
  return answer.status === 200 ? answer.json().result : answer.code;
}

describe('a calculation that was answered', () => {
  const outcomes: [string, Partial<SaleBody>][] = [
    ['applied', {}],
    ['unchanged', {}],
    ['member_not_found', {}],
    ['not_applicable', {}],
    ['failed', { failureReason: 'invalid_response' }],
    ['failed', { failureReason: 'offline' }],
    ['cancelled', {}],
    ['cancelled', { transactionId: 'transaction-1' }],
  ];
  test.each(outcomes)('%s %o: recorded, then duplicate', async (outcome, more) => {
    const basket = offer('member-twenty');
    await status(basket);
    const sale = saleOf(basket.calculationId, outcome, more);
    expect(await report(sale)).toBe('recorded');
    for (let round = 0; round < 3; round += 1) expect(await report(sale)).toBe('duplicate');
  });

  test('the outcome counts, not the bytes', async () => {
    const basket = offer('member-twenty');
    await status(basket);
    const sale = saleOf(basket.calculationId);
    expect(await report(sale)).toBe('recorded');
    const reordered = Object.fromEntries(Object.entries(sale).reverse()) as unknown as SaleBody;
    expect(await report(reordered)).toBe('duplicate');
    expect(await report({ ...sale, receipt: 'unknown field' } as SaleBody)).toBe('duplicate');
  });

  const changes: [string, Partial<SaleBody>, Partial<SaleBody>][] = [
    ['another status', {}, { status: 'unchanged' }],
    ['another transaction', {}, { transactionId: 'another' }],
    ['cancelled after it was sold', {}, { status: 'cancelled' }],
    ['another reason', { status: 'failed', failureReason: 'timeout' }, { failureReason: 'offline' }],
    ['a transaction more', { status: 'cancelled', transactionId: undefined as never }, { transactionId: 'late' }],
  ];
  test.each(changes)('%s is 409, and the first stays', async (_, first, change) => {
    const basket = offer('member-twenty');
    await status(basket);
    const sale = JSON.parse(JSON.stringify({ ...saleOf(basket.calculationId), ...first })) as SaleBody;
    expect(await report(sale)).toBe('recorded');
    expect(await report({ ...sale, ...change })).toBe('idempotency_conflict');
    expect(await report(sale)).toBe('duplicate');
    expect(await report({ ...sale, ...change })).toBe('idempotency_conflict');
  });

  test.each(['member-plain', 'member-paused', 'nobody'])(
    'without a discount (%s) it is settled like any other',
    async (id) => {
      const basket = offer(id);
      await status(basket);
      const sale = saleOf(basket.calculationId, id === 'nobody' ? 'member_not_found' : 'unchanged');
      expect(await report(sale)).toBe('recorded');
      expect(await report(sale)).toBe('duplicate');
    },
  );
});

describe('a calculation that was never seen', () => {
  test('is unknown as often as it is reported, and another outcome is 409', async () => {
    const sale = saleOf(randomUUID(), 'failed');
    expect(await report(sale)).toBe('unknown_calculation');
    expect(await report(sale)).toBe('unknown_calculation');
    expect(await report({ ...sale, failureReason: 'offline' })).toBe('idempotency_conflict');
    expect(await report(saleOf(sale.calculationId, 'cancelled'))).toBe('idempotency_conflict');
    expect(await report(sale)).toBe('unknown_calculation');
  });

  test.each(['failed', 'cancelled', 'applied'])(
    'and was %s: its late basket is answered and holds nothing',
    async (outcome) => {
      const member = `guest-${members++}`;
      const late = offer(member);
      expect(await report(saleOf(late.calculationId, outcome))).toBe('unknown_calculation');
      const answer = await stage.caller.basket(late);
      expect(answer.status).toBe(200);
      expect((await stage.caller.basket(late)).text).toBe(answer.text);
      expect(await status(offer(member))).toBe('applied');
    },
  );

  test('because its basket was refused', async () => {
    const basket = offer('member-twenty', { currency: 'XXX' });
    expect((await stage.caller.basket(basket)).status).toBe(422);
    expect(await report(saleOf(basket.calculationId, 'failed', { failureReason: 'http_error' }))).toBe(
      'unknown_calculation',
    );
  });
});

describe('late', () => {
  test('after the expiry it is still recorded', async () => {
    const basket = offer(`guest-${members++}`);
    expect(await status(basket)).toBe('applied');
    await sleep(HOLD_MS + 300);
    expect(await report(saleOf(basket.calculationId))).toBe('recorded');
    expect(await report(saleOf(basket.calculationId))).toBe('duplicate');
    expect(await status(offer(basket.loyaltyId))).toBe('unchanged');
  });

  test('after the expiry, when another sale has used the benefit meanwhile: booked past the limit', async () => {
    const member = `guest-${members++}`;
    const [first, second] = [offer(member), offer(member)];
    expect(await status(first)).toBe('applied');
    await sleep(HOLD_MS + 300);
    expect(await status(second)).toBe('applied');
    expect(await report(saleOf(first.calculationId))).toBe('recorded');
    expect(await report(saleOf(second.calculationId))).toBe('recorded');
    expect(await status(offer(member))).toBe('unchanged');
  });

  test('after its supersession it is still recorded', async () => {
    const member = `guest-${members++}`;
    const first = offer(member);
    const second = offer(member, { supersedesCalculationId: first.calculationId });
    expect(await status(first)).toBe('applied');
    expect(await status(second)).toBe('applied');
    expect(await report(saleOf(first.calculationId))).toBe('recorded');
    expect(await report(saleOf(second.calculationId, 'cancelled'))).toBe('recorded');
    expect(await status(offer(member))).toBe('unchanged');
  });

  test('cancelled after the expiry takes nothing from whoever holds it now', async () => {
    const member = `guest-${members++}`;
    const [first, second] = [offer(member), offer(member)];
    expect(await status(first)).toBe('applied');
    await sleep(HOLD_MS + 300);
    expect(await status(second)).toBe('applied');
    expect(await report(saleOf(first.calculationId, 'cancelled'))).toBe('recorded');
    expect(await status(offer(member))).toBe('unchanged');
    expect(await report(saleOf(second.calculationId))).toBe('recorded');
  });
});

test('a sale event carries no member, so nothing in its answer depends on one', async () => {
  const basket = offer('member-twenty');
  await status(basket);
  const answer = await stage.caller.sale(saleOf(basket.calculationId));
  expect(answer.text).toBe('{"result":"recorded"}');
});
