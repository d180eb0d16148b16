import { randomUUID } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { basketOf, pickItem, type TillPlace } from '../../../simulator/src/goods.ts';
import { Random } from '../../../simulator/src/random.ts';

/** How many different baskets are made up; they are sent in turns, each under a new calculation ID. */
const MADE_UP_BASKETS = 64;

/** Makes up baskets of `lines` lines for a till; the same seed gives the same baskets. */
export function makeUpBaskets(place: TillPlace, lines: number, seed: number): BasketRequest[] {
  const random = new Random(seed);
  return Array.from({ length: MADE_UP_BASKETS }, () => {
    const items = Array.from({ length: lines }, () => pickItem(random));
    return basketOf(items, {
      calculationId: randomUUID(),
      loyaltyId: '',
      requestedAt: new Date().toISOString(),
      place,
    });
  });
}

/**
 * Deals out the calls of a load, in turns over its baskets and members: each is a basket of the list as if it came from a
 * till at this moment. Without members every basket keeps its own loyalty ID.
 */
export function* dealCalls(
  baskets: readonly BasketRequest[],
  members: readonly string[],
): Generator<BasketRequest, never> {
  for (let at = 0; ; at += 1) {
    const { supersedesCalculationId: _earlier, ...basket } = baskets[at % baskets.length]!;
    const loyaltyId = members[at % Math.max(1, members.length)] ?? basket.loyaltyId;
    yield { ...basket, calculationId: randomUUID(), loyaltyId, requestedAt: new Date().toISOString() };
  }
}
