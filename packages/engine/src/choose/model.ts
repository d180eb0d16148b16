import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { isAt, isLimited, type LineOffer, type UnitOffer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import type { LineTakes, Take } from '../settle/split.ts';
import { COST, type Work } from '../work.ts';
import { Choice } from './choice.ts';
import type { Drawn } from './draws.ts';
import { judgeTakes } from './judge.ts';
import { plainOffersOn } from './plain.ts';
import type { Problem } from './problem.ts';
import { type Rank, rankOf } from './rank.ts';
import { findRoles, type Role, type Subproblem, savingOf } from './roles.ts';
import { netSavingOf, type SetsOf } from './sets.ts';

/** A component of a basket: lines that share offers, chosen apart from all others. */
export interface ComponentInput {
  readonly problem: Problem;
  readonly sets: SetsOf;
  /** The lines of the basket that belong to it, ascending. */
  readonly indices: readonly number[];
  readonly offers: readonly UnitOffer[];
  /** Per line of the basket what was drawn of it first. */
  readonly drawn: readonly Drawn[];
  /** Per line of the basket what a minor unit saved there is worth. */
  readonly worth: readonly number[];
}

/** A choice that is permitted, with what it is worth to the minor unit. */
export interface Judged {
  readonly choice: Choice;
  /** Per line of the model. */
  readonly takes: readonly LineTakes[];
  readonly value: number;
  readonly rank: Rank;
}

/** The Lagrangian multipliers of the units of each line. */
export interface Multipliers {
  /** What others would give for a unit that they have to themselves. */
  readonly unit: Float64Array;
  /** And more where no other set or bundle has it. */
  readonly deal: Float64Array;
}

/**
 * The lines of a component as numbers. The search proposes choices on these numbers; what a choice saves to the minor unit, and
 * whether it is permitted, the judge alone says.
 */
export class Model {
  /** The dearest units first, whatever their place in the basket, so that a basket in another order is chosen alike. */
  readonly lines: readonly LineFacts[];
  readonly roles: readonly Role[];
  readonly subproblems: readonly Subproblem[];
  /** The roles that are assigned. */
  readonly coupons: readonly number[];
  /** Per line what a unit gains by the benefit of what is left. */
  readonly plain: Float64Array;
  /** Per line its place among all; equal for lines that no row tells apart. */
  readonly placeOf: readonly number[];
  /** Nobody has anything. */
  readonly nothing: Choice;
  readonly work: Work;
  readonly #input: ComponentInput;
  readonly #plainOffers: readonly (readonly LineOffer[])[];
  readonly #rests: Map<number, LineOffer | undefined>[];

  constructor(input: ComponentInput) {
    const { problem, indices, offers, drawn, sets, worth } = input;
    const { lines: all, policy, work } = problem;
    this.#input = input;
    this.work = work;
    work.count(indices.length * COST.sortedLine + offers.length * COST.role);
    const { sorted, placeOf } = sortLines(
      indices.map((index) => all[index]!),
      offers,
      policy,
    );
    this.lines = sorted;
    this.placeOf = placeOf;
    this.#plainOffers = plainOffersOn(this.lines, problem);
    this.#rests = this.lines.map(() => new Map());
    const { roles, subproblems } = findRoles({ lines: this.lines, offers, problem, sets, worth });
    this.roles = roles;
    this.subproblems = subproblems;
    const own = new Set(subproblems.flatMap((subproblem) => subproblem.roles));
    this.coupons = [...roles.keys()].filter((role) => !own.has(role));
    const { free, freeOfDeals } = leftOf(this.lines, drawn);
    const nobody = roles.map(() => new Int32Array(indices.length));
    this.nothing = new Choice(roles, nobody, free, freeOfDeals);
    const ofRest = (at: number, units: number): number => {
      const rest = this.#rest(at, units);
      return rest ? savingOf(this.lines[at]!, rest, units, policy) * worth[this.lines[at]!.index]! : 0;
    };
    this.plain = Float64Array.from(free, (units, at) => (units > 0 ? ofRest(at, units) / units : 0));
  }

  /** Judges a choice: undefined where it is not permitted. */
  judge(choice: Choice): Judged | undefined {
    const { problem, sets, indices, worth } = this.#input;
    problem.work.count(indices.length * (COST.judgedLine + this.roles.length * COST.cell));
    const takes = this.lines.map((_, at) => this.#takesOf(choice, at));
    const ofBasket: LineTakes[] = [];
    for (const [at, { index }] of this.lines.entries()) ofBasket[index] = takes[at]!;
    const parts = judgeTakes(problem, sets, indices, ofBasket);
    if (!parts) return undefined;
    let value = 0;
    for (const { line, joined, rest } of parts) value -= rest * worth[(joined ?? line).index]!;
    return { choice, takes, value, rank: rankOf(takes) };
  }

  /** Each unit of a line gains as much as any other by each benefit, so that the assignment and the subproblems alone are exact. */
  get isEven(): boolean {
    const { lines, roles, subproblems } = this;
    const { worth } = this.#input;
    const isWorthAlike = lines.every(({ index }) => worth[index] === worth[lines[0]!.index]);
    return (
      // What a bundle takes off as a whole is worth more on some of its units than on others.
      (isWorthAlike || subproblems.every(({ perBundle }) => perBundle === 0)) &&
      // A set or a bundle with a sum of money may do better with fewer units.
      subproblems.every(({ form, money }) => form === 'money' || money === Number.POSITIVE_INFINITY) &&
      lines.every(({ isSplittable, units }) => isSplittable || units === 1) &&
      ![...roles.map(({ offer }) => offer), ...this.#plainOffers.flat()].some(
        (offer) => isAt(offer, 'line') && lines.some((line) => offer.benefit.rule.extent(line).once > 0),
      )
    );
  }

  /** The benefit of what is left of the line spends a limit. */
  isRestLimited(line: number): boolean {
    const rest = this.#rest(line, this.nothing.free[line]!);
    return rest !== undefined && isLimited(rest);
  }

  /** The units that were drawn first of a shared limit. */
  drawnOf(pool: Pool): number {
    let units = 0;
    for (const { taken } of this.#input.drawn) for (const own of taken) if (own.offer.pool === pool) units += own.units;
    return units;
  }

  /** The unlimited benefit that saves most on so many units; of equals as rule 26 has them. */
  #rest(at: number, units: number): LineOffer | undefined {
    if (units <= 0 || this.#plainOffers[at]!.length === 0) return undefined;
    const known = this.#rests[at]!;
    if (known.has(units)) return known.get(units);
    const { policy, work } = this.#input.problem;
    work.count(this.#plainOffers[at]!.length * COST.effect);
    let best: LineOffer | undefined;
    let most = 0;
    for (const offer of this.#plainOffers[at]!) {
      const saving = savingOf(this.lines[at]!, offer, units, policy);
      if (saving <= 0) continue;
      const better =
        saving - most ||
        Number(best !== undefined && isLimited(best)) - Number(isLimited(offer)) ||
        offer.benefit.priority - (best?.benefit.priority ?? 0);
      if (better > 0) [best, most] = [offer, saving];
    }
    known.set(units, best);
    return best;
  }

  #takesOf({ taken: units, free }: Choice, at: number): LineTakes {
    const line = this.lines[at]!;
    const drawn = this.#input.drawn[line.index]!;
    const [taken, bought, combinable] = [[...drawn.taken] as Take[], [...drawn.bought], [...drawn.combinable]];
    let capped: LineOffer | undefined;
    let left = free[at]!;
    for (let role = 0; role < units.length; role++) {
      const own = units[role]![at]!;
      if (own === 0) continue;
      const { offer, part, isExclusive } = this.roles[role]!;
      const same = taken.findIndex((other) => other.offer === offer);
      if (part === 'rest') [capped, left] = [offer as LineOffer, left + own];
      else if (part === 'bought')
        (isExclusive ? bought : combinable).push({ offer, line: line.index, units: own } as (typeof bought)[number]);
      else if (same < 0) taken.push({ offer, line: line.index, units: own });
      else taken[same] = { ...taken[same]!, units: taken[same]!.units + own };
    }
    taken.sort((a, b) => a.offer.benefit.ordinal - b.offer.benefit.ordinal);
    const isWhole = !line.isSplittable && taken.length + bought.length > 0;
    return { taken, bought, combinable, rest: left > 0 && !isWhole ? (capped ?? this.#rest(at, left)) : undefined };
  }
}

/** The lines in the order in which the first offer in sets cuts their units, with their places in it. */
function sortLines(lines: readonly LineFacts[], offers: readonly UnitOffer[], policy: ExistingLineDiscounts) {
  const first = offers.find((offer) => isAt(offer, 'buyGet'));
  const savingOf = (line: LineFacts): number =>
    first && isAt(first, 'buyGet') ? netSavingOf(line, first.benefit.rule, policy) : 0;
  const keyed = lines.map((line) => ({ line, saving: savingOf(line) }));
  keyed.sort(
    ({ line: a, saving }, { line: b, saving: other }) =>
      b.unitPrice - a.unitPrice || saving - other || (a.line.lineId < b.line.lineId ? -1 : 1),
  );
  const placeOf: number[] = [];
  keyed.forEach(({ line, saving }, at) => {
    const before = keyed[at - 1];
    const isEqual = before?.line.unitPrice === line.unitPrice && before.saving === saving;
    placeOf.push(isEqual ? placeOf[at - 1]! : at);
  });
  return { sorted: keyed.map(({ line }) => line), placeOf };
}

/** The units of each line that were not drawn first, and those that sets and bundles may still have. */
function leftOf(lines: readonly LineFacts[], drawn: readonly Drawn[]) {
  const free = Int32Array.from(lines, ({ index, units, isSplittable }) => {
    const gone = unitsOf(drawn[index]!.taken) + unitsOf(drawn[index]!.bought);
    // A line that cannot be split takes one benefit.
    return gone > 0 && !isSplittable ? 0 : units - gone;
  });
  return { free, freeOfDeals: free.map((units, at) => units - unitsOf(drawn[lines[at]!.index]!.combinable)) };
}

function unitsOf(takes: readonly Take[]): number {
  return takes.reduce((sum, { units }) => sum + units, 0);
}
