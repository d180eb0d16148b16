import type { SaleEnding } from '../../../packages/client/src/index.ts';

/** Delivers the final answer to a calculation's event to the code that waits for it. */
export class Endings {
  readonly #waiting = new Map<string, (ending: SaleEnding) => void>();

  of(calculationId: string): Promise<SaleEnding> {
    return new Promise((resolve) => this.#waiting.set(calculationId, resolve));
  }

  tell(ending: SaleEnding): void {
    this.#waiting.get(ending.event.calculationId)?.(ending);
    this.#waiting.delete(ending.event.calculationId);
  }
}
