import { saleOf } from './baskets.ts';
import { SALE_PATH, type Target } from './target.ts';

/** Calculations of the run that hold a limited benefit, so that none is left held when the run ends, however it ends. */
export class Holds {
  readonly #open = new Set<string>();

  add(calculationId: string): void {
    this.#open.add(calculationId);
  }

  delete(calculationId: string): void {
    this.#open.delete(calculationId);
  }

  /** Cancels what is open still. What cannot be cancelled expires. */
  async release(target: Target): Promise<void> {
    for (const calculationId of this.#open)
      await target.send(SALE_PATH, saleOf(calculationId, 'cancelled'), { isLast: true }).catch(() => undefined);
    this.#open.clear();
  }
}
