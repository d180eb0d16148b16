import { isAt } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import { cut, givenInRow } from './cut.ts';
import type { Model } from './model.ts';
import type { Subproblem } from './roles.ts';

/** One who has units: a subproblem or a coupon; nobody has the units that are left. */
interface Holder {
  readonly subproblem: Subproblem | undefined;
  readonly roles: readonly number[];
}

const NOBODY: Holder = { subproblem: undefined, roles: [] };
const NO_ROLE = -1;

/** Units of a line that one holder has. */
interface Place {
  readonly line: number;
  readonly holder: Holder;
  readonly role: number;
}

/** A swap has to gain more than this, in minor units. */
const LEAST_GAIN = 0.5;

/**
 * The choice in which two units of different lines have changed places, where that gains most by what units gain. Undefined where nothing is
 * gained. Which units of a set are given follows from how it is cut.
 */
export function swapUnits(model: Model, from: Choice, isTried: (choice: Choice) => boolean): Choice | undefined {
  const places = placesOf(model, from);
  if (!model.work.spend((places.length * places.length * COST.swap) / 2)) return undefined;
  const swapper = new Swapper(model, from, places);
  let best: Choice | undefined;
  let most = LEAST_GAIN;
  for (let a = 0; a < places.length; a++)
    for (let b = a + 1; b < places.length; b++) {
      const swap = swapper.swapOf(places[a]!, places[b]!);
      if (!swap) continue;
      swapper.move(swap, 1);
      const gain = swapper.gainOf(swap);
      const next = gain > most ? swapper.choiceAfter(swap) : undefined;
      if (next && !isTried(next)) [best, most] = [next, gain];
      swapper.move(swap, -1);
    }
  return best;
}

/** A unit of one place for a unit of the other, and the roles that the holders have for them. */
interface Swap {
  readonly one: Place;
  readonly other: Place;
  /** The role of the holder of `one` on the line of `other`, and the other way round. */
  readonly inOther: number;
  readonly inOne: number;
  readonly isWithin: boolean;
}

class Swapper {
  readonly #model: Model;
  /** As it is while a swap is looked at. */
  readonly #choice: Choice;
  /** What each holder gains before. */
  readonly #gained: ReadonlyMap<Holder, number>;

  constructor(model: Model, from: Choice, places: readonly Place[]) {
    this.#model = model;
    this.#choice = from.copy();
    this.#gained = new Map(places.map(({ holder }) => [holder, gainedBy(model, holder, from)]));
  }

  /** Undefined where the units cannot change places. */
  swapOf(one: Place, other: Place): Swap | undefined {
    if (one.line === other.line) return undefined;
    const { placeOf } = this.#model;
    // Within a set only equal units that are bought and given may change places.
    const isWithin = one.holder === other.holder;
    if (isWithin && (one.role === other.role || placeOf[one.line] !== placeOf[other.line])) return undefined;
    const inOther = this.#roleOn(one, other.line);
    const inOne = this.#roleOn(other, one.line);
    return inOther === undefined || inOne === undefined ? undefined : { one, other, inOther, inOne, isWithin };
  }

  /** Makes the swap, or undoes it. */
  move({ one, other, inOther, inOne }: Swap, units: 1 | -1): void {
    if (one.role !== NO_ROLE) {
      this.#choice.add(one.role, one.line, -units);
      this.#choice.add(inOther, other.line, units);
    }
    if (other.role !== NO_ROLE) {
      this.#choice.add(other.role, other.line, -units);
      this.#choice.add(inOne, one.line, units);
    }
  }

  /** What a swap that has been made gains. */
  gainOf({ one, other, inOther, inOne, isWithin }: Swap): number {
    const left = this.#leftOn(one, other.line) - this.#leftOn(one, one.line);
    const leftOfOther = this.#leftOn(other, one.line) - this.#leftOn(other, other.line);
    if (isWithin) return left + leftOfOther + this.#more(one, one.role, other.line);
    return left + leftOfOther + this.#more(one, inOther, other.line) + this.#more(other, inOne, one.line);
  }

  choiceAfter({ one, other, isWithin }: Swap): Choice {
    const next = this.#choice.copy();
    for (const { subproblem } of isWithin ? [] : [one.holder, other.holder])
      if (subproblem) cut(this.#model, subproblem, next);
    return next;
  }

  /** The role that the holder of a place has for a unit of another line; undefined where it may not have one. */
  #roleOn({ holder, role }: Place, line: number): number | undefined {
    if (role === NO_ROLE) return NO_ROLE;
    const fits = (own: number): boolean => this.#model.roles[own]!.gain[line]! > Number.NEGATIVE_INFINITY;
    return fits(role) ? role : holder.roles.find(fits);
  }

  /** What a unit gains in a place beside its holder: one that nobody has to itself has the benefit of what is left. */
  #leftOn({ role }: Place, line: number): number {
    const { roles, plain } = this.#model;
    return role === NO_ROLE || !roles[role]!.isExclusive ? plain[line]! : 0;
  }

  /** What the holder of a place gains more with a unit of another line in a role. */
  #more({ holder, line, role }: Place, to: number, other: number): number {
    if (role === NO_ROLE) return 0;
    const { roles } = this.#model;
    const money = holder.subproblem?.money ?? Number.POSITIVE_INFINITY;
    const before = this.#gained.get(holder)!;
    const after = isSet(holder)
      ? gainedBy(this.#model, holder, this.#choice)
      : before - roles[role]!.gain[line]! + roles[to]!.gain[other]!;
    return Math.min(after, money) - Math.min(before, money);
  }
}

function placesOf({ lines, subproblems, coupons }: Model, { taken, free, freeOfDeals }: Choice): Place[] {
  const holders: Holder[] = [
    ...subproblems.map((subproblem) => ({ subproblem, roles: subproblem.roles })),
    ...coupons.map((role) => ({ subproblem: undefined, roles: [role] })),
  ];
  return lines.flatMap(({ units, isSplittable }, line): Place[] => {
    if (units > 1 && !isSplittable) return [];
    const held = holders.flatMap((holder) =>
      holder.roles.flatMap((role) => (taken[role]![line]! > 0 ? [{ line, holder, role }] : [])),
    );
    return free[line]! > 0 && freeOfDeals[line]! > 0 ? [{ line, holder: NOBODY, role: NO_ROLE }, ...held] : held;
  });
}

function isSet({ subproblem }: Holder): boolean {
  return subproblem !== undefined && isAt(subproblem.offer, 'buyGet');
}

/** What a holder gains by its units; of a set as it would be cut. */
function gainedBy(model: Model, holder: Holder, choice: Choice): number {
  const { subproblem, roles } = holder;
  let sum = 0;
  for (const role of roles) {
    const { gain } = model.roles[role]!;
    const taken = choice.taken[role]!;
    for (let line = 0; line < taken.length; line++) if (taken[line]! > 0) sum += taken[line]! * gain[line]!;
  }
  if (!subproblem || !isSet(holder)) return sum;
  const { gain } = model.roles[roles[1]!]!;
  const given = choice.taken[roles[1]!]!;
  for (const [at, units] of givenInRow(subproblem, model, choice).entries()) {
    const line = subproblem.row[at]!;
    if (units !== given[line]) sum += (units - given[line]!) * gain[line]!;
  }
  return sum;
}
