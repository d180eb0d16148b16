import type { UnitOffer } from '../offers/offers.ts';
import { isAt } from '../offers/offers.ts';
import type { Work } from '../work.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import type { Role, Way } from './way.ts';

/** Units by line and role, while a choice is put together. */
export class Hand {
  readonly model: Model;
  readonly work: Work;
  readonly #alone: readonly Way[];
  readonly #prices: Prices | undefined;
  readonly #chosen: readonly number[][];
  /** Per line the units that bundles and sets may have. */
  readonly #free: number[];
  /** What is left of each number of the state that is a limit. */
  readonly #left: number[];

  /** `held`: ways whose units are in the hand to begin with. `prices` say which units are better left to others. */
  constructor(model: Model, alone: readonly Way[], work: Work, held: readonly Way[] = [], prices?: Prices) {
    this.model = model;
    this.work = work;
    this.#prices = prices;
    this.#alone = alone;
    this.#free = model.places.map(({ unitsOfGroups }) => unitsOfGroups);
    this.#chosen = model.places.map(({ roles }) => roles.map(() => 0));
    this.#left = [...model.couplings.capacities];
    for (const [at, { counts }] of held.entries())
      for (const [role, units] of counts.entries()) this.take(at, role, units);
  }

  /** The role of an offer on a line, or −1. */
  roleOf(at: number, offer: UnitOffer, part: Role['part'], item?: number): number {
    return this.model.places[at]!.roleOf(offer, item, part);
  }

  /** Units of the line that the role may have. */
  freeFor(at: number, role: number): number {
    if (role < 0) return 0;
    const free = this.#free[at]!;
    if (free === 0 || this.model.places[at]!.line.isSplittable) return free;
    return this.#isOpenTo(at, this.model.places[at]!.roles[role]!) ? free : 0;
  }

  /** A line that cannot be split is taken by one offer, and by none beside those that drew first. */
  #isOpenTo(at: number, { offer, isExclusive }: Role): boolean {
    if (!isExclusive) return true;
    const { units, line } = this.model.places[at]!;
    if (units < line.units) return false;
    const chosen = this.#chosen[at]!;
    return !this.model.places[at]!.roles.some(
      (other, n) => chosen[n]! > 0 && other.isExclusive && other.offer !== offer,
    );
  }

  leftOf(offer: UnitOffer): number {
    return this.model.couplings.limitsOf
      .get(offer)!
      .reduce((left, slot) => Math.min(left, this.#left[slot]!), Number.POSITIVE_INFINITY);
  }

  /** What a minor unit saved on the line is worth. */
  worthOf(at: number): number {
    return this.model.places[at]!.worth;
  }

  /** What a unit gains in the role, less what it gains in the benefits of its line. */
  gainOf(at: number, role: number): number {
    const { units } = this.model.places[at]!.line;
    return this.#gainBeyond(at, role, units > 0 ? this.#alone[at]!.saving / units : 0);
  }

  /** The same, less what prices say that a unit of the line gains wherever it gains most. */
  pricedGainOf(at: number, role: number): number {
    const { units } = this.model.places[at]!.line;
    const priced = this.#prices?.best[at];
    if (priced === undefined || units === 0) return this.gainOf(at, role);
    return this.#gainBeyond(at, role, priced / units);
  }

  #gainBeyond(at: number, role: number, elsewhere: number): number {
    const { line, worth } = this.model.places[at]!;
    const { offer, part, isExclusive } = this.model.places[at]!.roles[role]!;
    if (part === 'bought') return isExclusive ? -elsewhere : 0;
    const own = isAt(offer, 'bundle')
      ? offer.benefit.rule.estimate.ofPrice * line.unitPrice
      : offer.benefit.rule.effect(line, 1);
    return own * worth - elsewhere;
  }

  /** Takes units, or gives them back where the number is negative. False where there are too few. */
  take(at: number, role: number, units: number): boolean {
    if (units === 0) return true;
    if (role < 0 || this.freeFor(at, role) < units) return false;
    const { offer, part } = this.model.places[at]!.roles[role]!;
    if (part !== 'bought') {
      if (this.leftOf(offer) < units) return false;
      for (const slot of this.model.couplings.limitsOf.get(offer)!) this.#left[slot]! -= units;
    }
    this.#chosen[at]![role]! += units;
    this.#free[at]! -= units;
    return true;
  }

  /** A way for each line. */
  ways(): Way[] {
    return this.#chosen.map((chosen, at) => {
      if (chosen.every((units) => units === 0)) return this.#alone[at]!;
      return this.model.places[at]!.best(chosen) ?? this.#alone[at]!;
    });
  }
}
