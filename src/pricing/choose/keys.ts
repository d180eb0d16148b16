import type { Model } from './model.ts';

/** One number for a state where it has room, otherwise a text. */
export class Keys {
  readonly #radix: readonly number[] | undefined;

  constructor({ couplings, totals }: Model) {
    const { capacities, sets, bundles } = couplings;
    const most = [...capacities];
    for (const { at } of sets) for (const slot of [at, at + 1]) most[slot] = totals[slot]!;
    for (const { at, quantities } of bundles)
      for (let item = 0; item < quantities.length; item++) most[at + item] = totals[at + item]!;
    let product = 1;
    for (const own of most) product *= own + 1;
    this.#radix = product < Number.MAX_SAFE_INTEGER ? most.map((own) => own + 1) : undefined;
  }

  of(state: readonly number[]): number | string {
    if (!this.#radix) return state.join();
    let key = 0;
    for (let slot = 0; slot < state.length; slot++) key = key * this.#radix[slot]! + state[slot]!;
    return key;
  }
}
