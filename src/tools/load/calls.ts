import { randomUUID } from 'node:crypto';
import { ARTICLES, basketOf, type TillPlace } from '../../../packages/simulator/src/goods.ts';
import { Random } from '../../../packages/simulator/src/random.ts';
import type { BasketRequest } from '../../contract/basket-request.ts';

/** The calls of a load: baskets with a new calculation ID each, and the sale events that follow them. */

/** How many different baskets are made up; they are sent in turns, each under a new calculation ID. */
const MADE_UP_BASKETS = 64;

/** Pieces of a line; an article sold by weight has grams instead. */
const MOST_PIECES = 3;

export interface BasketCall {
  readonly request: BasketRequest;
  readonly body: Buffer;
}

/** Makes up baskets of `lines` lines for a till; the same seed gives the same baskets. */
export function makeUpBaskets(place: TillPlace, lines: number, seed: number): BasketRequest[] {
  const random = new Random(seed);
  return Array.from({ length: MADE_UP_BASKETS }, () => {
    const items = Array.from({ length: lines }, () => {
      const article = random.pick(ARTICLES);
      const quantity = article.isWeighed ? random.between(50, 900) / 1000 : random.between(1, MOST_PIECES);
      return { article, quantity };
    });
    return basketOf(items, {
      calculationId: randomUUID(),
      loyaltyId: '',
      requestedAt: new Date().toISOString(),
      place,
      supersedes: undefined,
    });
  });
}

/** Deals out the calls of a load, in turns over its baskets and members. */
export class Calls {
  readonly #baskets: readonly BasketRequest[];
  readonly #members: readonly string[];
  #next = 0;

  /** Without members every basket keeps its own loyalty ID. */
  constructor(baskets: readonly BasketRequest[], members: readonly string[]) {
    this.#baskets = baskets;
    this.#members = members;
  }

  /** The next basket call: a basket of the list as if it came from a till at this moment. */
  next(): BasketCall {
    const at = this.#next++;
    const { supersedesCalculationId: _earlier, ...basket } = this.#baskets[at % this.#baskets.length]!;
    const loyaltyId = this.#members[at % Math.max(1, this.#members.length)] ?? basket.loyaltyId;
    const request = { ...basket, calculationId: randomUUID(), loyaltyId, requestedAt: new Date().toISOString() };
    return { request, body: Buffer.from(JSON.stringify(request)) };
  }
}

/** The body of the event of a sale that was completed with this outcome. */
export function saleBodyOf(calculationId: string, status: string): Buffer {
  return Buffer.from(JSON.stringify({ calculationId, status, transactionId: `load-${calculationId}` }));
}
