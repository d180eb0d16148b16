import { closeBundles, closeSets, isPlaceCut, mayComplete } from './couplings.ts';
import { type Labels, Reached } from './labels.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import type { Way } from './way.ts';

/** One way on from a label. Most of them are given up at once, so it is a label of its own only where it goes on. */
export class Step {
  readonly reached: Reached;
  readonly #from: Reached;
  readonly #model: Model;
  readonly #prices: Prices;
  readonly #restFrom: readonly number[];
  /** The numbers of the state of which there is only so much. */
  readonly #limited: readonly number[];

  constructor(model: Model, prices: Prices, restFrom: readonly number[]) {
    this.#model = model;
    this.#prices = prices;
    this.#restFrom = restFrom;
    const { capacities, limits, sums } = model.couplings;
    this.#limited = [...limits, ...sums];
    const slots = capacities.length;
    this.reached = new Reached(slots);
    this.#from = new Reached(slots);
  }

  /** Goes on from a label. */
  from(labels: Labels, label: number): void {
    labels.read(label, this.#from);
  }

  /** False where the way takes more than there is, or begins what cannot be completed. */
  go(way: Way, at: number): boolean {
    const { couplings, endsPlace, demands, places } = this.#model;
    const { capacities, sets } = couplings;
    const from = this.#from;
    const before = from.state;
    const { state } = this.reached;
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
    let value = from.value + way.saving;
    let nominal = from.nominal;
    for (const { sums: own, effect, worth, mayBeNothing } of cut) {
      let gain = effect;
      for (const slot of own) gain = Math.min(gain, capacities[slot]! - state[slot]!);
      if (gain <= 0 && !mayBeNothing) return false;
      for (const slot of own) state[slot]! += gain;
      value += gain * worth;
      if (gain > 0) nominal += effect * (places.length - at);
    }
    for (const own of way.bundles) closeBundles(state, own);
    for (const own of way.sets) closeSets(state, own);
    const ends = endsPlace[at]!;
    for (let s = 0; s < sets.length; s++) if (ends[s] && !isPlaceCut(state, sets[s]!)) return false;
    if (!mayComplete(state, couplings, demands[at]!)) return false;
    this.reached.set(
      value,
      from.uses + way.uses,
      Math.max(from.priority, way.priority),
      Math.min(from.ordinal, way.ordinal),
      nominal,
    );
    this.#bound(at);
    return true;
  }

  /** Adds what the lines after this one may save at most, by the prices of what is left for them. */
  #bound(at: number): void {
    const { state } = this.reached;
    const { demands, couplings } = this.#model;
    const { capacities, sets, bundles } = couplings;
    const { ofSlot, ofSets } = this.#prices;
    const after = demands[at]!;
    let most = this.#restFrom[at + 1]!;
    for (let k = 0; k < this.#limited.length; k++) {
      const slot = this.#limited[k]!;
      const used = capacities[slot]! - after[slot]!;
      if (state[slot]! < used) state[slot] = used;
      most += ofSlot[slot]! * (capacities[slot]! - state[slot]!);
    }
    for (const { at: first, quantities } of bundles)
      for (let item = 0; item < quantities.length; item++) most -= ofSlot[first + item]! * state[first + item]!;
    for (let s = 0; s < sets.length; s++) {
      const { at: slot, set } = sets[s]!;
      const { buyQuantity, getQuantity } = set.offer.benefit.rule;
      const open = getQuantity * state[slot]! - buyQuantity * state[slot + 1]!;
      if (open !== 0) most += (ofSets[s]![at + 1] ?? 0) * open;
    }
    this.reached.bound = this.reached.value + most;
  }
}
