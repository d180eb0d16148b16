import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { effectOn, isTouchable } from '../offers/modified-line.ts';
import {
  type BundleOffer,
  type BuyGetOffer,
  isAt,
  type LineOffer,
  takesPercentage,
  type UnitOffer,
} from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { LineList } from './line-lists.ts';
import type { Problem } from './problem.ts';
import { mostGiven, netSavingOf, type SetLines, type SetsOf } from './sets.ts';

/** What an offer may do with units of lines, as numbers: the columns of the problem that a component poses. */

/** Units of any line that an offer takes for one purpose. */
export interface Role {
  readonly offer: UnitOffer;
  /** `rest`: what nobody else takes of a line, whole; the offer is limited by a sum of money alone. */
  readonly part: 'coupon' | 'rest' | 'bundle' | 'bought' | 'given';
  /** Per line the objective weight of a unit: what it saves, by its worth after discounts on the order; −∞ where it may not be taken. */
  readonly gain: Float64Array;
  /** The same without the existing discount that gives way: so much of a sum of money is spent. */
  readonly gross: Float64Array;
  /** Nobody else has the units. */
  readonly isExclusive: boolean;
  /** Sets and bundles use each unit once. */
  readonly isOfDeal: boolean;
  /** It gains on one unit of each line alone. */
  readonly isOnce: boolean;
}

/** An offer that answers multipliers by a subproblem of its own (respond.ts); all others are assigned together (coupons.ts). */
export interface Subproblem {
  readonly offer: UnitOffer;
  /** A set of which all units stand in one row, any other set, a bundle, or a sum of money. */
  readonly form: 'row' | 'halves' | 'bundle' | 'money';
  /** The numbers of its roles: of a set what is bought and what is given, of a bundle one for each item. */
  readonly roles: readonly number[];
  /** Units of a set or a bundle. */
  readonly size: number;
  /** Resources: so many bundles, units of a sum of money, given units of a set; and so much money. */
  readonly most: number;
  readonly money: number;
  /** What each bundle gains beside its units. */
  readonly perBundle: number;
  readonly set: SetLines | undefined;
  /** The lines of the model that stand in the row of the set, the dearest first. */
  readonly row: readonly number[];
}

export interface RolesInput {
  /** The lines of the model. */
  readonly lines: readonly LineFacts[];
  readonly offers: readonly UnitOffer[];
  readonly problem: Pick<Problem, 'policy' | 'lists' | 'work'>;
  readonly sets: SetsOf;
  /** Per line of the basket what a minor unit saved there is worth. */
  readonly worth: readonly number[];
}

const NEVER = Number.NEGATIVE_INFINITY;

/** The roles of some offers on the lines of a model, and the subproblems that have them. */
export function findRoles(input: RolesInput): { readonly roles: Role[]; readonly subproblems: Subproblem[] } {
  const builder = new Builder(input);
  for (const offer of input.offers) {
    if (isAt(offer, 'line')) builder.addLine(offer);
    else if (isAt(offer, 'bundle')) builder.addBundle(offer);
    else builder.addSet(offer);
  }
  return builder;
}

class Builder {
  readonly roles: Role[] = [];
  readonly subproblems: Subproblem[] = [];
  readonly #input: RolesInput;
  /** Per line of the basket its place in the model. */
  readonly #places: number[] = [];

  constructor(input: RolesInput) {
    this.#input = input;
    for (const [place, { index }] of input.lines.entries()) this.#places[index] = place;
  }

  addLine(offer: LineOffer): void {
    const { problem, lines } = this.#input;
    const { items, money } = resourcesOf(offer);
    const isWhole = items === Number.POSITIVE_INFINITY;
    const perUnit = (line: LineFacts): number => {
      const units = isWhole ? line.units : line.isSplittable ? 1 : Math.min(line.units, items);
      const saving = savingOf(line, offer, units, problem.policy);
      return saving > 0 ? saving / units : NEVER;
    };
    const own = problem.lists.discountable(offer, 0);
    const isOnce = !isWhole && lines.some((line) => offer.benefit.rule.extent(line).once > 0);
    const part = isWhole ? 'rest' : 'coupon';
    const role = this.#add({ offer, part, isExclusive: true, isOfDeal: false, isOnce }, own, perUnit);
    if (money === Number.POSITIVE_INFINITY) return;
    this.subproblems.push({ ...NO_SETS, offer, form: 'money', roles: [role], most: items, money });
  }

  addBundle(offer: BundleOffer): void {
    const { problem, lines, worth } = this.#input;
    const { items, money } = resourcesOf(offer);
    const { quantities, estimate } = offer.benefit.rule;
    const size = quantities.reduce((sum, own) => sum + own, 0);
    const isPercentage = takesPercentage(offer);
    const gainOf = (line: LineFacts): number => {
      const { price, replaced } = bundledPrice(line, isPercentage, problem.policy);
      return estimate.ofPrice * price - replaced;
    };
    const roles = quantities.map((_, item) =>
      this.#add(
        { offer, part: 'bundle', isExclusive: true, isOfDeal: true, isOnce: false },
        problem.lists.discountable(offer, item),
        gainOf,
      ),
    );
    const fitting = lines.filter((_, line) => roles.some((role) => this.roles[role]!.gain[line]! > NEVER));
    const perBundle = estimate.perBundle * Math.max(0, ...fitting.map(({ index }) => worth[index]!));
    const most = Math.floor(items / size);
    this.subproblems.push({ ...NO_SETS, offer, form: 'bundle', roles, size, most, money, perBundle });
  }

  addSet(offer: BuyGetOffer): void {
    const { problem, lines, sets } = this.#input;
    const { lists, policy } = problem;
    const { items, money } = resourcesOf(offer);
    const { buyQuantity, getQuantity, sharesBought } = offer.benefit.rule;
    const [buy, get] = [lists.eligible(offer, 0), lists.giveable(offer, policy)];
    const own = { offer, isOfDeal: true, isOnce: false };
    const bought = this.#add({ ...own, part: 'bought', isExclusive: !sharesBought }, buy, () => 0);
    const given = this.#add({ ...own, part: 'given', isExclusive: true }, get, (line) =>
      netSavingOf(line, offer.benefit.rule, policy),
    );
    const set = sets(offer);
    const places = lines.map(({ index }) => set.placeOf[index]);
    const row = [...places.keys()].filter((line) => places[line] !== undefined);
    row.sort((a, b) => places[a]! - places[b]! || a - b);
    // A limit that no basket of these units reaches is none.
    const most = mostGiven(offer.benefit.rule, items);
    const isReached = most < lists.units(get);
    const isRow = set.fitsBuy.every((fits, index) => fits === set.fitsGet[index]);
    this.subproblems.push({
      offer,
      form: isRow ? 'row' : 'halves',
      roles: [bought, given],
      size: buyQuantity + getQuantity,
      most: isReached ? most : Number.POSITIVE_INFINITY,
      money,
      perBundle: 0,
      set,
      row,
    });
  }

  #add(role: Omit<Role, 'gain' | 'gross'>, indices: LineList, gainOf: (line: LineFacts) => number): number {
    const { lines, problem, worth } = this.#input;
    // Units of a bundle pay for each other, and bought ones spend nothing; no other unit is worth more than the sum of money that there is.
    const most =
      role.part === 'bundle' || role.part === 'bought' ? Number.POSITIVE_INFINITY : resourcesOf(role.offer).money;
    problem.work.count(lines.length * COST.listedLine + indices.length * COST.effect);
    const gain = new Float64Array(lines.length).fill(NEVER);
    const gross = new Float64Array(lines.length).fill(NEVER);
    for (const index of indices) {
      const place = this.#places[index];
      if (place === undefined) continue;
      const line = lines[place]!;
      const own = gainOf(line);
      // What is worth nothing after discounts on the order is never worth −∞ times that.
      if (own === NEVER) continue;
      const replaced = problem.policy === 'replace_if_larger' ? line.existing / Math.max(1, line.units) : 0;
      gross[place] = Math.min(own + replaced, most) * worth[index]!;
      gain[place] = gross[place]! - replaced * worth[index]!;
    }
    return this.roles.push({ ...role, gain, gross }) - 1;
  }
}

const NO_SETS = { size: 1, perBundle: 0, set: undefined, row: [] };

/** The units and the money that an offer may take, by the limit that it shares too. */
function resourcesOf({ pool, items, mostDiscount }: UnitOffer): { readonly items: number; readonly money: number } {
  const left = (counts: 'items' | 'money'): number => (pool?.counts === counts ? pool.left : Number.POSITIVE_INFINITY);
  return { items: Math.min(items, left('items')), money: Math.min(mostDiscount, left('money')) };
}

/** What a unit costs in a bundle, and its part of the existing discount that gives way; of a unit with modifiers those lines that the bundle touches. */
function bundledPrice(
  line: LineFacts,
  isPercentage: boolean,
  policy: ExistingLineDiscounts,
): { readonly price: number; readonly replaced: number } {
  const members = line.unit
    ? line.unit.lines.filter((own) => own.perUnit > 0 && isTouchable(own.line, isPercentage))
    : [{ line, perUnit: 1 }];
  let [price, replaced] = [0, 0];
  for (const { line: own, perUnit } of members) {
    const existing = own.existing / line.units;
    price += Math.max(0, own.unitPrice * perUnit - (policy === 'stack' ? existing : 0));
    if (policy === 'replace_if_larger') replaced += existing;
  }
  return { price, replaced };
}

/** What a benefit takes off so many units, less the existing discount that gives way. */
export function savingOf(line: LineFacts, offer: LineOffer, units: number, policy: ExistingLineDiscounts): number {
  const effect = effectOn(offer.benefit.rule, takesPercentage(offer), line, units);
  if (line.unit) return effect;
  // A line that cannot be split gives up all of its discount.
  const share = line.isSplittable ? units / line.units : 1;
  return Math.min(effect, line.room * share) - (policy === 'replace_if_larger' ? line.existing * share : 0);
}
