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
  const { roles, plain, placeOf, work } = model;
  const places = placesOf(model, from);
  if (!work.spend((places.length * places.length * COST.swap) / 2)) return undefined;
  const known = new Map(places.map(({ holder }) => [holder, gainedBy(model, holder, from)]));
  const fitting = ({ holder, role }: Place, line: number): number => {
    const fits = (own: number): boolean => roles[own]!.gain[line]! > Number.NEGATIVE_INFINITY;
    return fits(role) ? role : (holder.roles.find(fits) ?? NO_ROLE);
  };
  /** What a unit is worth to nobody: it has the benefit of what is left. */
  const left = ({ role }: Place, line: number): number =>
    role === NO_ROLE || !roles[role]!.isExclusive ? plain[line]! : 0;
  const choice = from.copy();
  /** What the holder of a place gains more with a unit of another line in a role, as the choice has it now. */
  const more = ({ holder, line, role }: Place, to: number, other: number): number => {
    const { subproblem } = holder;
    if (role === NO_ROLE) return 0;
    const money = subproblem?.money ?? Number.POSITIVE_INFINITY;
    const before = known.get(holder)!;
    const after = isSet(holder)
      ? gainedBy(model, holder, choice)
      : before - roles[role]!.gain[line]! + roles[to]!.gain[other]!;
    return Math.min(after, money) - Math.min(before, money);
  };
  let best: Choice | undefined;
  let most = LEAST_GAIN;
  for (let a = 0; a < places.length; a++)
    for (let b = a + 1; b < places.length; b++) {
      const [one, other] = [places[a]!, places[b]!];
      if (one.line === other.line) continue;
      // Within a set only equal units that are bought and given may change places.
      const isWithin = one.holder === other.holder;
      if (isWithin && (one.role === other.role || placeOf[one.line] !== placeOf[other.line])) continue;
      const inOther = one.role === NO_ROLE ? NO_ROLE : fitting(one, other.line);
      const inOne = other.role === NO_ROLE ? NO_ROLE : fitting(other, one.line);
      if ((one.role !== NO_ROLE && inOther === NO_ROLE) || (other.role !== NO_ROLE && inOne === NO_ROLE)) continue;
      const move = (units: number): void => {
        if (one.role !== NO_ROLE) {
          choice.add(one.role, one.line, -units);
          choice.add(inOther, other.line, units);
        }
        if (other.role !== NO_ROLE) {
          choice.add(other.role, other.line, -units);
          choice.add(inOne, one.line, units);
        }
      };
      move(1);
      const holders = isWithin ? [one.holder] : [one.holder, other.holder];
      let gain = left(one, other.line) + left(other, one.line) - left(one, one.line) - left(other, other.line);
      if (isWithin) gain += more(one, one.role, other.line);
      else gain += more(one, inOther, other.line) + more(other, inOne, one.line);
      if (gain > most) {
        const next = choice.copy();
        for (const { subproblem } of isWithin ? [] : holders) if (subproblem) cut(model, subproblem, next);
        if (!isTried(next)) [best, most] = [next, gain];
      }
      move(-1);
    }
  return best;
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
