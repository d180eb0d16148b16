import type { UnitOffer } from '../offers/offers.ts';
import { isAt } from '../offers/offers.ts';
import type { LineTakes } from '../settle/split.ts';
import type { Work } from '../work.ts';
import type { LineOption, OptionInput, Role } from './line-option.ts';
import { optionOf, unitsDrawn } from './line-options.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import { unitsIn } from './roles.ts';

/** What hands are made from: the lines of a component, the roles on each of them, and what each takes by itself. */
export interface Table {
  readonly model: Model;
  readonly inputs: readonly OptionInput[];
  readonly free: readonly LineOption[];
  readonly roles: readonly (readonly Role[])[];
}

export function tableOf(model: Model, inputs: readonly OptionInput[], free: readonly LineOption[]): Table {
  return { model, inputs, free, roles: inputs.map(({ roles }) => roles) };
}

/** Units by line and role, while a choice is put together. */
export class Hand {
  readonly model: Model;
  readonly #inputs: readonly OptionInput[];
  readonly #alone: readonly LineOption[];
  readonly #prices: Prices | undefined;
  readonly #roles: readonly (readonly Role[])[];
  readonly #chosen: readonly number[][];
  /** Per line the units that bundles and sets may have. */
  readonly #free: number[];
  /** What is left of each number of the state that is a limit. */
  readonly #left: number[];

  /** `held`: ways whose units are in the hand to begin with. `prices` say which units are better left to others. */
  constructor({ model, inputs, free, roles }: Table, held: readonly LineOption[] = [], prices?: Prices) {
    this.model = model;
    this.#prices = prices;
    this.#inputs = inputs;
    this.#alone = free;
    this.#free = model.lines.map(({ units }, at) => units - allDrawn(inputs[at]!.drawn));
    this.#roles = roles;
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

  get work(): Work {
    return this.#inputs[0]!.work;
  }

  /** The role of an offer on a line, or −1. */
  roleOf(at: number, offer: UnitOffer, part: Role['part'], item?: number): number {
    return this.#roles[at]!.findIndex((own) => own.offer === offer && own.part === part && own.item === item);
  }

  /** Units of the line that the role may have. */
  freeFor(at: number, role: number): number {
    if (role < 0) return 0;
    const free = this.#free[at]!;
    if (free === 0 || this.model.lines[at]!.isSplittable) return free;
    return this.#isOpenTo(at, this.#roles[at]![role]!) ? free : 0;
  }

  /** A line that cannot be split is taken by one offer, and by none beside those that drew first. */
  #isOpenTo(at: number, { offer, isExclusive }: Role): boolean {
    if (!isExclusive) return true;
    if (unitsDrawn(this.#inputs[at]!.drawn) > 0) return false;
    const chosen = this.#chosen[at]!;
    return !this.#roles[at]!.some((other, n) => chosen[n]! > 0 && other.isExclusive && other.offer !== offer);
  }

  leftOf(offer: UnitOffer): number {
    return this.model.couplings.limitsOf
      .get(offer)!
      .reduce((left, slot) => Math.min(left, this.#left[slot]!), Number.POSITIVE_INFINITY);
  }

  /** What a minor unit saved on the line is worth. */
  worthOf(at: number): number {
    return this.#inputs[at]!.worth;
  }

  /** What a unit gains in the role, less what it gains in the benefits of its line. */
  gainOf(at: number, role: number): number {
    const { units } = this.model.lines[at]!;
    return this.#gainBeyond(at, role, units > 0 ? this.#alone[at]!.saving / units : 0);
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
    if (units === 0) return true;
    if (role < 0 || this.freeFor(at, role) < units) return false;
    const { offer, part } = this.#roles[at]![role]!;
    if (part !== 'bought') {
      if (this.leftOf(offer) < units) return false;
      for (const slot of this.model.couplings.limitsOf.get(offer)!) this.#left[slot]! -= units;
    }
    this.#chosen[at]![role]! += units;
    this.#free[at]! -= units;
    return true;
  }

  /** A way for each line. */
  options(): LineOption[] {
    return this.#chosen.map((chosen, at) => {
      if (chosen.every((units) => units === 0)) return this.#alone[at]!;
      return optionOf(this.model.lines[at]!, this.#inputs[at]!, this.#roles[at]!, chosen) ?? this.#alone[at]!;
    });
  }
}

function allDrawn(drawn: LineTakes | undefined): number {
  return unitsDrawn(drawn) + (drawn?.combinable ?? []).reduce((sum, { units }) => sum + units, 0);
}
