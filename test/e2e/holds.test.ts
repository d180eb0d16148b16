/**
 * Reservations (interface, section 3), where a wait is needed or several baskets are open. What takes, releases and uses up a
 * hold is in test/corpus and in the kit.
 */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { resultOf } from '../support/caller.ts';
import { configurationOf, SINGLE_USE, singleUseMembers, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { sleep, until } from '../support/wait.ts';
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
  return resultOf(await stage.caller.sale(saleOf(basket.calculationId, sale)));
}

/** Plays a scene anew while a machine that stands still has let the hold end too early, which shows nothing; then it answers false. */
const playInTime = (scene: (member: string) => Promise<boolean>) =>
  until('a scene whose hold did not end too early', () => scene(nextMember()));
const hasEnded = (sentMs: number) => performance.now() - sentMs >= HOLD_MS;

test('a refused calculation does not lengthen the hold that refused it', async () => {
  await playInTime(async (member) => {
    const sentMs = performance.now();
    expect(await status(offer(member))).toBe('applied');
    await sleep(HOLD_MS * 0.6);
    const meanwhile = await status(offer(member));
    if (hasEnded(sentMs)) return false;
    expect(meanwhile).toBe('unchanged');
    await sleep(HOLD_MS * 0.4 + 300);
    expect(await status(offer(member))).toBe('applied');
    return true;
  });
});

test('cancelled after the expiry takes nothing from whoever holds it now', async () => {
  await playInTime(async (member) => {
    const [first, second] = [offer(member), offer(member)];
    expect(await status(first)).toBe('applied');
    await sleep(HOLD_MS + 300);
    const sentMs = performance.now();
    expect(await status(second)).toBe('applied');
    expect(await report(first, 'cancelled')).toBe('recorded');
    const meanwhile = await status(offer(member));
    if (hasEnded(sentMs)) return false;
    expect(meanwhile).toBe('unchanged');
    expect(await report(second, 'applied')).toBe('recorded');
    return true;
  });
});

test('what cannot use the benefit holds nothing', async () => {
  const member = nextMember();
  expect(await status(basketOf([{ noDiscount: true }], { loyaltyId: member }))).toBe('unchanged');
  expect(await status(basketOf([{ existingPercent: 50 }], { loyaltyId: member }))).toBe('unchanged');
  expect(await status(offer(member))).toBe('applied');
});
