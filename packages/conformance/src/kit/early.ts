import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { SaleEvent } from '@loyalty/contract/sale';
import { type Baskets, saleOf } from './baskets.ts';
import type { Exchange } from './exchange.ts';
import type { KitOptions } from './options.ts';
import { sleep } from './pace.ts';
import { BASKET_PATH, SALE_PATH, type Target } from './target.ts';

/** Calls of the run's beginning, which checks repeat at its end and after a restart (interface, section 4.10). */
export class EarlyCalls {
  readonly baskets: readonly { readonly basket: BasketRequest; readonly answer: Exchange }[];
  readonly sale: SaleEvent;
  readonly #endedMs = performance.now();

  private constructor(baskets: EarlyCalls['baskets'], sale: SaleEvent) {
    [this.baskets, this.sale] = [baskets, sale];
  }

  /** A basket of each status and a large one, and the sale of one of them. Rejects when a call has no answer. */
  static async make(options: KitOptions, baskets: Baskets, target: Target): Promise<EarlyCalls> {
    const { twenty, none, unknown } = options.members;
    const asked = [
      ...[twenty, none, unknown].map((loyaltyId) => baskets.of([{ name: 'Blåbær' }, {}], { loyaltyId })),
      baskets.ofSize(40),
    ];
    const made: { basket: BasketRequest; answer: Exchange }[] = [];
    for (const basket of asked) made.push({ basket, answer: await target.send(BASKET_PATH, basket) });
    const sale = saleOf(asked[0]!.calculationId);
    await target.send(SALE_PATH, sale);
    return new EarlyCalls(made, sale);
  }

  /** Resolves when the calls are at least so old. */
  async untilOld(ageMs: number): Promise<void> {
    await sleep(Math.max(0, ageMs - (performance.now() - this.#endedMs)));
  }
}
