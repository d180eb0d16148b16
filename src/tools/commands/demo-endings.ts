import type { SaleEnding } from '../../../packages/client/src/index.ts';

/** Final answers by calculation, for those who wait for one. */
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
