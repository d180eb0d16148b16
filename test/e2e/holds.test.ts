/** Reservations: taken by a calculation, released by cancelling, supersession and time, used up by the sale (interface, section 3). */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { basketOf, OSLO, saleOf } from '../support/baskets.ts';
import { configurationOf, SINGLE_USE, singleUseMembers, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { sleep } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

/** Long enough for a few calls on a busy machine, short enough to wait for. */
const HOLD_MS = 1_800;

const stage = useSharedService(
  configurationOf({
    holdMinutes: HOLD_MS / 60_000,
    moreMembers: singleUseMembers('guest', 40),
    programme: { benefits: [TWENTY, SINGLE_USE] },
  }),
);

let members = 0;

/** A member of one's own for every test, so that the tests may run in any order. */
function nextMember(): string {
  return `guest-${members++}`;
}

function offer(loyaltyId: string, more: Partial<BasketBody> = {}): BasketBody {
  return basketOf([{}], { loyaltyId, ...more });
}

async function status(basket: BasketBody): Promise<unknown> {
  return (await stage.caller.basket(basket)).json().status;
}

async function report(basket: BasketBody, sale: string): Promise<unknown> {
  return (await stage.caller.sale(saleOf(basket.calculationId, sale))).json().result;
}

test('a held benefit is not given again; asking once more for the same calculation changes nothing', async () => {
  const member = nextMember();
  const first = offer(member);
  expect(await status(first)).toBe('applied');
  expect(await status(offer(member))).toBe('unchanged');
  expect(await status(first)).toBe('applied');
  expect(await status(offer(member))).toBe('unchanged');
});

test.each(['cancelled', 'failed', 'unchanged', 'member_not_found', 'not_applicable'])(
  '%s releases it',
  async (outcome) => {
    const member = nextMember();
    const first = offer(member);
    expect(await status(first)).toBe('applied');
    expect(await report(first, outcome)).toBe('recorded');
    expect(await status(offer(member))).toBe('applied');
  },
);

test('applied uses it up for good, also after the time of the hold', async () => {
  const member = nextMember();
  const first = offer(member);
  expect(await status(first)).toBe('applied');
  expect(await report(first, 'applied')).toBe('recorded');
  expect(await status(offer(member))).toBe('unchanged');
  await sleep(HOLD_MS + 300);
  expect(await status(offer(member))).toBe('unchanged');
});

test('time releases it, without anybody having cleaned up', async () => {
  const member = nextMember();
  expect(await status(offer(member))).toBe('applied');
  expect(await status(offer(member))).toBe('unchanged');
  await sleep(HOLD_MS + 300);
  expect(await status(offer(member))).toBe('applied');
});

test('a refused calculation does not lengthen the hold that refused it', async () => {
  const member = nextMember();
  expect(await status(offer(member))).toBe('applied');
  await sleep(HOLD_MS * 0.6);
  expect(await status(offer(member))).toBe('unchanged');
  await sleep(HOLD_MS * 0.4 + 300);
  expect(await status(offer(member))).toBe('applied');
});

test('a superseding calculation takes the hold over', async () => {
  const member = nextMember();
  const first = offer(member);
  const second = offer(member, { supersedesCalculationId: first.calculationId });
  expect(await status(first)).toBe('applied');
  expect(await status(second)).toBe('applied');
  expect(await status(offer(member))).toBe('unchanged');
  expect(await report(second, 'cancelled')).toBe('recorded');
  expect(await status(offer(member))).toBe('applied');
});

test('a chain of changes to one basket holds one benefit, whatever its length', async () => {
  const member = nextMember();
  let last = offer(member);
  expect(await status(last)).toBe('applied');
  for (let change = 0; change < 5; change += 1) {
    last = offer(member, { supersedesCalculationId: last.calculationId });
    expect(await status(last)).toBe('applied');
  }
  expect(await report(last, 'applied')).toBe('recorded');
  expect(await status(offer(member))).toBe('unchanged');
});

test('superseding an unknown calculation leaves nothing for that one to hold', async () => {
  const member = nextMember();
  const late = offer(member);
  expect(await status(basketOf([{}], { supersedesCalculationId: late.calculationId }))).toBe('applied');
  expect((await stage.caller.basket(late)).status).toBe(200);
  expect(await status(offer(member))).toBe('applied');
});

test('a sold calculation is not released by superseding it', async () => {
  const member = nextMember();
  const sold = offer(member);
  expect(await status(sold)).toBe('applied');
  expect(await report(sold, 'applied')).toBe('recorded');
  expect(await status(offer(member, { supersedesCalculationId: sold.calculationId }))).toBe('unchanged');
  expect(await status(offer(member))).toBe('unchanged');
});

test("after a card swap the other member's hold is released", async () => {
  const [member, other] = [nextMember(), nextMember()];
  const first = offer(member);
  expect(await status(first)).toBe('applied');
  expect(await status(offer(other, { supersedesCalculationId: first.calculationId }))).toBe('applied');
  expect(await status(offer(member))).toBe('applied');
  expect(await status(offer(other))).toBe('unchanged');
});

test('a replay of the superseded calculation holds nothing again', async () => {
  const member = nextMember();
  const first = offer(member);
  expect(await status(first)).toBe('applied');
  const second = offer(member, { supersedesCalculationId: first.calculationId });
  expect(await status(second)).toBe('applied');
  expect((await stage.caller.basket(first)).isReplayed).toBe(true);
  expect(await report(second, 'cancelled')).toBe('recorded');
  expect(await status(offer(member))).toBe('applied');
});

test.each([
  ['an unknown venue', { context: { ...OSLO, venueId: 'nowhere' } }, 422],
  ['a currency it does not take', { currency: 'XXX' }, 422],
  ['a broken identity', { totals: { ...basketOf().totals, total: 1 } }, 422],
  ['a missing field', { orderDiscounts: undefined as never }, 400],
])('what is refused holds nothing: %s', async (_, fault, code) => {
  const member = nextMember();
  expect((await stage.caller.send('/v1/pos/basket', offer(member, fault))).status).toBe(code);
  expect(await status(offer(member))).toBe('applied');
});

test('what cannot use the benefit holds nothing', async () => {
  const member = nextMember();
  expect(await status(basketOf([{ noDiscount: true }], { loyaltyId: member }))).toBe('unchanged');
  expect(await status(basketOf([{ existingPercent: 50 }], { loyaltyId: member }))).toBe('unchanged');
  expect(await status(offer(member))).toBe('applied');
});

test('two members, even with names that look alike in a key, hold apart', async () => {
  const [one, two] = [nextMember(), nextMember()];
  expect(await status(offer(one))).toBe('applied');
  expect(await status(offer(two))).toBe('applied');
  expect(await report({ ...offer(one), calculationId: randomUUID() }, 'cancelled')).toBe('unknown_calculation');
  expect(await status(offer(one))).toBe('unchanged');
});
