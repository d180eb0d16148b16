import type { UnitOffer } from '../offers.ts';
import { isAt } from '../offers.ts';
import type { LineOption, OptionInput } from './line-option.ts';
import { optionOf, unitsDrawn } from './line-options.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import { type Role, rolesOn, unitsIn } from './roles.ts';

/** Units by line and role, while a choice is put together. */
export class Hand {
  readonly model: Model;
  readonly #inputs: readonly OptionInput[];
  readonly #free: readonly LineOption[];
  readonly #prices: Prices | undefined;
  readonly #roles: readonly (readonly Role[])[];
  readonly #chosen: readonly number[][];
  /** What is left of each number of the state that is a limit. */
  readonly #left: number[];

  /** `held`: ways whose units are in the hand to begin with. `prices` say which units are better left to others. */
  constructor(
    model: Model,
    inputs: readonly OptionInput[],
    free: readonly LineOption[],
    held: readonly LineOption[] = [],
    prices?: Prices,
  ) {
    this.model = model;
    this.#prices = prices;
    this.#inputs = inputs;
    this.#free = free;
    this.#roles = model.lines.map((line, at) => rolesOn(line, inputs[at]!));
    this.#chosen = this.#roles.map((own) => own.map(() => 0));
    this.#left = [...model.couplings.capacities];
    for (const [at, option] of held.entries())
      this.#roles[at]!.forEach((role, n) => {
        this.take(at, n, unitsIn(option, role));
      });
  }

  /** Gives back all that an offer has, and answers with how many units were given or bundled. */
  clear(offer: UnitOffer): number {
    let units = 0;
    this.#roles.forEach((roles, at) => {
      roles.forEach((role, n) => {
        if (role.offer !== offer) return;
        const own = this.#chosen[at]![n]!;
        if (role.part !== 'bought') units += own;
        this.take(at, n, -own);
      });
    });
    return units;
  }

  /** The role of an offer on a line, or −1. */
  roleOf(at: number, offer: UnitOffer, part: Role['part'], item?: number): number {
    return this.#roles[at]!.findIndex((own) => own.offer === offer && own.part === part && own.item === item);
  }

  /** Units of the line that the role may have. */
  freeFor(at: number, role: number): number {
    if (role < 0) return 0;
    const line = this.model.lines[at]!;
    const own = this.#roles[at]![role]!;
    const chosen = this.#chosen[at]!;
    let left = line.units - unitsDrawn(this.#inputs[at]!.drawn);
    for (const units of chosen) left -= units;
    for (const take of this.#inputs[at]!.drawn?.combinable ?? []) left -= take.units;
    if (!line.isSplittable && own.isExclusive) {
      if (unitsDrawn(this.#inputs[at]!.drawn) > 0) return 0;
      if (this.#roles[at]!.some((other, n) => chosen[n]! > 0 && other.isExclusive && other.offer !== own.offer))
        return 0;
    }
    return Math.max(0, left);
  }

  leftOf(offer: UnitOffer): number {
    return this.model.couplings.limitsOf
      .get(offer)!
      .reduce((left, slot) => Math.min(left, this.#left[slot]!), Number.POSITIVE_INFINITY);
  }

  /** What a unit gains in the role, less what it gains in the benefits of its line. */
  gainOf(at: number, role: number): number {
    const { units } = this.model.lines[at]!;
    return this.#gainBeyond(at, role, units > 0 ? this.#free[at]!.saving / units : 0);
  }

  /** The same, less what prices say that a unit of the line gains wherever it gains most. */
  pricedGainOf(at: number, role: number): number {
    const { units } = this.model.lines[at]!;
    const priced = this.#prices?.best[at];
    if (priced === undefined || units === 0) return this.gainOf(at, role);
    return this.#gainBeyond(at, role, priced / units);
  }

  #gainBeyond(at: number, role: number, elsewhere: number): number {
    const line = this.model.lines[at]!;
    const { offer, part, isExclusive } = this.#roles[at]![role]!;
    if (part === 'bought') return isExclusive ? -elsewhere : 0;
    const own = isAt(offer, 'bundle')
      ? offer.benefit.rule.estimate.ofPrice * line.unitPrice
      : offer.benefit.rule.effect(line, 1);
    return own * this.#inputs[at]!.worth - elsewhere;
  }

  /** Takes units, or gives them back where the number is negative. False where there are too few. */
  take(at: number, role: number, units: number): boolean {
    if (role < 0 || this.freeFor(at, role) < units) return false;
    const { offer, part } = this.#roles[at]![role]!;
    if (part !== 'bought') {
      if (this.leftOf(offer) < units) return false;
      for (const slot of this.model.couplings.limitsOf.get(offer)!) this.#left[slot]! -= units;
    }
    this.#chosen[at]![role]! += units;
    return true;
  }

  /** Takes a unit for each of these roles, or none. */
  takeAll(roles: readonly (readonly [at: number, role: number])[]): boolean {
    for (const [n, [at, role]] of roles.entries()) {
      if (this.take(at, role, 1)) continue;
      for (const [before, own] of roles.slice(0, n)) this.take(before, own, -1);
      return false;
    }
    return true;
  }

  /** A way for each line. */
  options(): LineOption[] {
    return this.#chosen.map((chosen, at) => {
      if (chosen.every((units) => units === 0)) return this.#free[at]!;
      return optionOf(this.model.lines[at]!, this.#inputs[at]!, this.#roles[at]!, chosen) ?? this.#free[at]!;
    });
  }
}
