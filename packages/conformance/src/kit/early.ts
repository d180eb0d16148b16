import { setTimeout as sleep } from 'node:timers/promises';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type Baskets, saleOf } from './baskets.ts';
import type { Exchange } from './exchange.ts';
import type { KitOptions } from './options.ts';
import { BASKET_PATH, SALE_PATH, type Target } from './target.ts';

/** Calls of the run's beginning, which checks repeat at its end and after a restart (interface, section 4.10). */
export type EarlyCalls = Awaited<ReturnType<typeof makeEarlyCalls>>;

/** A basket of each status and a large one, and the sale of one of them. Rejects when a call has no answer. */
export async function makeEarlyCalls({ members }: KitOptions, baskets: Baskets, target: Target) {
  const { twenty, none, unknown } = members;
  const asked = [
    ...[twenty, none, unknown].map((loyaltyId) => baskets.of([{ name: 'Blåbær' }, {}], { loyaltyId })),
    baskets.ofSize(40),
  ];
  const made: { basket: BasketRequest; answer: Exchange }[] = [];
  for (const basket of asked) made.push({ basket, answer: await target.send(BASKET_PATH, basket) });
  const sale = saleOf(asked[0]!.calculationId);
  await target.send(SALE_PATH, sale);
  const endedMs = performance.now();
  /** Resolves when the calls are at least so old. */
  const untilOld = (ageMs: number) => sleep(Math.max(0, ageMs - (performance.now() - endedMs)));
  return { baskets: made, sale, untilOld };
}
