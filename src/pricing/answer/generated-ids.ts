import type { BasketRequest } from '../../contract/basket-request.ts';

/**
 * IDs of lines and order discounts that the service adds: short, the same for the same basket, and different from every ID
 * in the basket, whatever IDs the caller chose.
 */
export class GeneratedIds {
  readonly #taken: Set<string>;

  private constructor(taken: Set<string>) {
    this.#taken = taken;
  }

  static forLines({ lines }: BasketRequest): GeneratedIds {
    return new GeneratedIds(new Set(lines.map(({ lineId }) => lineId)));
  }

  static forOrderDiscounts({ orderDiscounts }: BasketRequest): GeneratedIds {
    return new GeneratedIds(new Set(orderDiscounts.map(({ orderDiscountId }) => orderDiscountId)));
  }

  next(wanted: string): string {
    let id = wanted;
    while (this.#taken.has(id)) id += '~';
    this.#taken.add(id);
    return id;
  }
}
