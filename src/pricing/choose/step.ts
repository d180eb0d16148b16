import { closeBundles, closeSets, isPlaceCut, mayComplete } from './couplings.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import type { Way } from './way.ts';

/** A way up to a line of the walk: what it has taken of all that lines share, and what it saves. */
export interface Label {
  readonly state: readonly number[];
  value: number;
  bound: number;
  uses: number;
  /** Of equal ways the one goes on that spends sums of money on more lines, and on earlier ones: what they would pay if they were larger. */
  nominal: number;
  way: Way | undefined;
  before: Label | undefined;
}

/** One way on from a label. Most of them are given up at once, so it is a label of its own only where it goes on. */
export class Step {
  readonly state: number[];
  value = 0;
  bound = 0;
  uses = 0;
  nominal = 0;
  readonly #model: Model;
  readonly #prices: Prices;
  readonly #restFrom: readonly number[];

  constructor(model: Model, prices: Prices, restFrom: readonly number[]) {
    this.#model = model;
    this.#prices = prices;
    this.#restFrom = restFrom;
    this.state = new Array<number>(model.couplings.capacities.length).fill(0);
  }

  label(before: Label, way: Way): Label {
    const { state, value, bound, uses, nominal } = this;
    return { state: state.slice(), value, bound, uses, nominal, way, before };
  }

  /** Puts the way in the place of another one that leads to the same state. */
  take(same: Label, before: Label, way: Way): void {
    const { value, bound, uses, nominal } = this;
    [same.value, same.bound, same.uses, same.nominal, same.way, same.before] = [
      value,
      bound,
      uses,
      nominal,
      way,
      before,
    ];
  }

  /** False where the way takes more than there is, or begins what cannot be completed. */
  go(label: Label, way: Way, at: number): boolean {
    const { couplings, endsPlace, demands, places } = this.#model;
    const { capacities, sets } = couplings;
    const { state } = this;
    const before = label.state;
    // Most ways end here, before anything is copied. Two roles may take of the same, so each is asked again below.
    const { slots, amounts, flags, cut } = way;
    for (let k = 0; k < slots.length; k++) {
      const slot = slots[k]!;
      if (before[slot]! + amounts[k]! > capacities[slot]!) return false;
    }
    for (let slot = 0; slot < state.length; slot++) state[slot] = before[slot]!;
    for (let k = 0; k < slots.length; k++) {
      const slot = slots[k]!;
      const value = state[slot]! + amounts[k]!;
      if (value > capacities[slot]!) return false;
      state[slot] = value;
    }
    for (const flag of flags) state[flag] = 1;
    let value = label.value + way.saving;
    let nominal = label.nominal;
    for (const { sums: own, effect, worth, mayBeNothing } of cut) {
      let gain = effect;
      for (const slot of own) gain = Math.min(gain, capacities[slot]! - state[slot]!);
      if (gain <= 0 && effect > 0 && !mayBeNothing) return false;
      for (const slot of own) state[slot]! += gain;
      value += gain * worth;
      if (gain > 0) nominal += effect * (places.length - at);
    }
    for (const own of way.bundles) closeBundles(state, own);
    for (const own of way.sets) closeSets(state, own);
    const ends = endsPlace[at]!;
    for (let s = 0; s < sets.length; s++) if (ends[s] && !isPlaceCut(state, sets[s]!)) return false;
    if (!mayComplete(state, couplings, demands[at]!)) return false;
    this.value = value;
    this.nominal = nominal;
    this.uses = label.uses + way.uses;
    this.bound = value + this.#mostAfter(at);
    return true;
  }

  /** What the lines after this one may save at most, by the prices of what is left for them. */
  #mostAfter(at: number): number {
    const { state } = this;
    const { demands, couplings } = this.#model;
    const { capacities, limits, sums, sets, bundles } = couplings;
    const { ofSlot, ofSets } = this.#prices;
    const after = demands[at]!;
    let most = this.#restFrom[at + 1]!;
    for (const slots of [limits, sums]) {
      for (let k = 0; k < slots.length; k++) {
        const slot = slots[k]!;
        const used = capacities[slot]! - after[slot]!;
        if (state[slot]! < used) state[slot] = used;
        most += ofSlot[slot]! * (capacities[slot]! - state[slot]!);
      }
    }
    for (const { at: first, quantities } of bundles)
      for (let item = 0; item < quantities.length; item++) most -= ofSlot[first + item]! * state[first + item]!;
    for (let s = 0; s < sets.length; s++) {
      const { at: slot, set } = sets[s]!;
      const { buyQuantity, getQuantity } = set.offer.benefit.rule;
      const open = getQuantity * state[slot]! - buyQuantity * state[slot + 1]!;
      if (open !== 0) most += (ofSets[s]![at + 1] ?? 0) * open;
    }
    return most;
  }
}
