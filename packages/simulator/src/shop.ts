import { setTimeout as sleep } from 'node:timers/promises';
import type { LoyaltyClient } from '../../client/src/index.ts';
import type { Books } from './books.ts';
import type { TillPlace } from './goods.ts';
import { Pace } from './pace.ts';
import { Random } from './random.ts';
import { Till } from './till.ts';

/** A shop: its tills serve guests at the pace of the day while it is open. */

export interface ShopOptions {
  readonly client: LoyaltyClient;
  readonly books: Books;
  readonly tills: number;
  readonly place: Omit<TillPlace, 'cashRegisterId'>;
  readonly loyaltyIds: readonly string[];
  /** Basket calls a second at this moment, over all tills. */
  readonly callsPerSecond: () => number;
  /** Called before every guest. */
  readonly isOpen: () => boolean;
  readonly replayAfterMs: number;
  readonly seed: number;
}

export class Shop {
  readonly #tills: readonly Till[];
  readonly #isOpen: () => boolean;

  constructor(options: ShopOptions) {
    const { client, books, place, loyaltyIds, replayAfterMs, seed } = options;
    this.#isOpen = options.isOpen;
    const pace = new Pace();
    this.#tills = Array.from({ length: options.tills }, (_, index) => {
      return new Till({
        client,
        books,
        random: new Random(seed + index),
        place: { ...place, cashRegisterId: `till-${index + 1}` },
        loyaltyIds,
        pace: () => sleep(pace.take(1, options.callsPerSecond())),
        replayAfterMs,
      });
    });
  }

  /** Resolves when the shop is closed, the last guest is served and every offline order is replayed. */
  async run(): Promise<void> {
    await Promise.all(
      this.#tills.map(async (till) => {
        while (this.#isOpen()) await till.serve();
        await till.finish();
      }),
    );
  }
}
