import type { LineFacts } from '../lines/lines.ts';
import { isAt, type LineOffer, type UnitOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Component, ComponentInput } from './components.ts';
import { type Couplings, findCouplings } from './couplings.ts';
import { Place } from './place.ts';
import { isPlain } from './plain.ts';
import type { Problem } from './problem.ts';
import { mostPromising } from './promising.ts';
import { rolesOn } from './roles.ts';
import { netSavingOf, type SetLines } from './sets.ts';
import { mayBeCut, movable, slackOf } from './slack.ts';

/** The choice of a component: its lines in the order in which they are walked, and what they share. */
export interface Model {
  readonly offers: readonly UnitOffer[];
  readonly places: readonly Place[];
  readonly couplings: Couplings;
  /** Per line, per set: the next line stands at another place of its row, so what is given up to here is judged. */
  readonly endsPlace: readonly (readonly boolean[])[];
  /** What offers might save that are left aside; 0 where all are looked at. */
  readonly leftAside: number;
  /** So many minor units a choice may save beyond what its ways say, by rounding. */
  readonly slack: number;
  /** A bundle may give less than its ways say, which the judge alone knows. */
  readonly isBundleCut: boolean;
  /** Per line and number of the state how much of it the lines after that one may take. */
  readonly demands: readonly (readonly number[])[];
  /** How much all lines may take of each number of the state. */
  readonly totals: readonly number[];
  /** Steps to go one way on: a state is copied for it. */
  readonly stepCost: number;
}

export function modelOf(problem: Problem, component: Component, input: ComponentInput): Model {
  const { lines: all, policy, work, lists } = problem;
  const { offers, leftAside } = mostPromising(component, problem);
  const sets = offers.flatMap((offer) => (isAt(offer, 'buyGet') ? input.sets(offer) : []));
  const lines = inWalkOrder(
    component.lines.map((i) => all[i]!),
    sets,
    policy,
  );
  const couplings = withoutDrawn(findCouplings(offers, sets, lines), offers, component, input);
  const discountable = new Map<UnitOffer, ReadonlySet<number>[]>();
  for (const offer of offers)
    discountable.set(
      offer,
      offer.benefit.selectors.map((_, n) => new Set(lists.discountable(offer, n))),
    );
  const isDiscountable = (offer: UnitOffer, selector: number, line: number): boolean =>
    discountable.get(offer)![selector]!.has(line);
  const worths = lines.map(({ index }) => input.worth?.[index] ?? 1);
  const spread = Math.max(...worths) - Math.min(...worths);
  work.count(lines.length * offers.length * COST.role);
  const places = lines.map((line, at) => {
    const drawn = input.drawn?.[line.index];
    const isDrawn = drawn && drawn.taken.length + drawn.bought.length + drawn.combinable.length > 0;
    const capped = offers.filter(
      (offer): offer is LineOffer =>
        isAt(offer, 'line') &&
        offer.items === Number.POSITIVE_INFINITY &&
        !isPlain(offer) &&
        isDiscountable(offer, 0, line.index),
    );
    return new Place(line, {
      ...{ policy, couplings, worth: worths[at]!, mayCutToNothing: spread > 0 || input.everyChoice },
      roles: rolesOn(line, offers, couplings, isDiscountable, worths[at]!),
      plain: input.plain[line.index] ?? [],
      capped,
      drawn: isDrawn ? drawn : undefined,
      everyChoice: input.everyChoice,
      work,
    });
  });
  const endsPlace = lines.map((line, at) =>
    couplings.sets.map(({ set, isOrdered }) => {
      if (!isOrdered || set.row.length === 0) return false;
      const own = set.placeOf[line.index];
      if (own === undefined) return false;
      const next = lines.slice(at + 1).find(({ index }) => set.placeOf[index] !== undefined);
      return !next || set.placeOf[next.index] !== own;
    }),
  );
  const slots = couplings.capacities.length;
  work.count(lines.length * slots * COST.comparedOffer);
  return {
    offers,
    places,
    couplings,
    endsPlace,
    leftAside,
    // A state is copied for every way.
    stepCost: COST.step * (1 + slots / 12),
    ...demandsOf(places, slots),
    isBundleCut: offers.some((offer) => isAt(offer, 'bundle') && mayBeCut(offer, lines)),
    slack: slackOf(lines, offers, problem) + spread * movable(couplings, lines),
  };
}

/** What offers that drew first have left of the limits by items that they share. */
function withoutDrawn(
  couplings: Couplings,
  offers: readonly UnitOffer[],
  { lines }: Component,
  { drawn }: ComponentInput,
): Couplings {
  const capacities = [...couplings.capacities];
  for (const i of lines)
    for (const { offer, units } of drawn?.[i]?.taken ?? []) {
      const pool = offer.pool?.counts === 'items' ? offer.pool : undefined;
      const sharing = pool && offers.find((other) => other.pool === pool);
      const slot = sharing && couplings.limitsOf.get(sharing)!.at(-1);
      if (slot !== undefined) capacities[slot]! -= units;
    }
  return { ...couplings, capacities };
}

/** What lines may take of each number of the state, after each line and in all. */
function demandsOf(places: readonly Place[], slots: number): Pick<Model, 'demands' | 'totals'> {
  const demands: (readonly number[])[] = [];
  let rest = new Array<number>(slots).fill(0);
  for (let at = places.length - 1; at >= 0; at--) {
    demands[at] = rest;
    const most = new Array<number>(slots).fill(0);
    const { roles, line, units: open, unitsOfGroups } = places[at]!;
    for (const { slots: own, sums, most: ofRole, isExclusive } of roles) {
      const units = Math.min(ofRole, isExclusive ? open : unitsOfGroups);
      for (const slot of own) most[slot] = Math.min(most[slot]! + units, open);
      for (const slot of sums) most[slot]! += line.original;
    }
    for (const slot of places[at]!.cappedSums) most[slot]! += line.original;
    rest = rest.map((own, slot) => own + most[slot]!);
  }
  return { demands, totals: rest };
}

/**
 * The order in which lines are walked: those that fit one half of a set alone, then the dearest units first, as sets are cut.
 * The place of a line in the basket says nothing, so that a basket in another order is chosen alike.
 */
function inWalkOrder(lines: readonly LineFacts[], sets: readonly SetLines[], policy: Problem['policy']): LineFacts[] {
  const first = sets.find(({ row }) => row.length > 0);
  const isOutside = ({ index }: LineFacts): boolean =>
    sets.some(({ fitsBuy, fitsGet, row }) => row.length > 0 && fitsBuy[index] !== fitsGet[index]) &&
    !sets.some(({ placeOf }) => placeOf[index] !== undefined);
  const keyed = lines.map((line) => ({
    line,
    outside: isOutside(line) ? 0 : 1,
    saving: first ? netSavingOf(line, first.offer.benefit.rule, policy) : 0,
  }));
  keyed.sort(
    (a, b) =>
      a.outside - b.outside ||
      b.line.unitPrice - a.line.unitPrice ||
      a.saving - b.saving ||
      (first ? b.line.units - a.line.units : 0) ||
      (a.line.line.lineId < b.line.line.lineId ? -1 : 1),
  );
  return keyed.map(({ line }) => line);
}
