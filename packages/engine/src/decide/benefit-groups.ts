import type { BenefitGroup } from '../compile/programme.ts';
import { isLimited, type Offer } from '../offers/offers.ts';
import { collectGifts } from '../settle/gifts.ts';
import { COST } from '../work.ts';
import { changesBasket, netCostOf, type Outcome, savingsOf, unitsOf } from './outcome.ts';
import type { DecisionInput, Selection, Solve } from './selection.ts';
import { beatsStaffDiscounts } from './standing.ts';

/**
 * Chooses among benefits of groups, of which at most so many apply in one basket. First all may apply; where that is too many of a group, one of them is closed, or belongs to those that
 * apply: branch and bound, the cheapest branch first. Closing a benefit never makes a basket cheaper, so what a branch costs
 * with too many bounds all below it.
 */
interface Branch {
  readonly selection: readonly Offer[];
  /** Members that are taken to apply in all combinations of the branch. */
  readonly kept: ReadonlySet<Offer>;
  readonly outcome: Outcome;
  /** The least that any combination of the branch may cost, as far as it is proven. */
  readonly least: number;
}

interface Chosen {
  readonly outcome: Outcome;
  /** The offers that were open, with no more of a group than may apply. */
  readonly selection: readonly Offer[];
}

/** No permitted choice was met, and yet one may cost no more than this, in minor units. */
export interface Unmet {
  readonly least: number;
}

export function isUnmet(chosen: object): chosen is Unmet {
  return 'least' in chosen;
}

/** To choose without regard to groups that may be too full takes at most this part of the steps; so does the first choice that is permitted. */
const PART_OF_STEPS = 1 / 2;

export function chooseRestricted(
  round: Selection,
  input: DecisionInput,
  bestCost: number,
  solve: Solve,
): Chosen | Unmet | undefined {
  const { work } = input;
  const solveWith = (selection: readonly Offer[], steps: number, most: number): Outcome | undefined => {
    work.count(selection.length * COST.offer);
    if (!beatsStaffDiscounts(round.standing, input.basket, selection, work)) return undefined;
    const gifts = collectGifts(selection, input.venue, input.basket);
    return work.within(steps, () => solve({ ...round, selection, gifts }, input, most));
  };
  const { selection } = round;
  const all = solveWith(selection, mayBeTooMany(selection) ? work.left * PART_OF_STEPS : work.left, bestCost);
  if (!all) return undefined;
  const root: Branch = { selection, kept: NOBODY, outcome: all, least: leastOf(all) };
  const isMet = all.search.mostMissed === 0 || changesBasket(all);
  if (isMet && isPermitted(all)) return { outcome: all, selection: keepMembers(root) };

  let best = firstChoice(root, (own) => solveWith(own, work.left * PART_OF_STEPS, Number.POSITIVE_INFINITY));
  const isBetter = (branch: Pick<Branch, 'outcome'>): boolean => !best || isCheaper(branch.outcome, best.outcome);
  // Where the steps ended before anything was met, there is nothing to divide.
  const open: Branch[] = isMet ? [root] : [];
  /** A bound of all that was left out or not proven. */
  let least = isMet ? Number.POSITIVE_INFINITY : root.least;
  while (open.length > 0 && work.left > 0) {
    work.count(open.length * COST.comparedOffer);
    const branch = takeCheapest(open);
    if (!isBetter(branch)) {
      open.push(branch);
      break;
    }
    const halves = divide(branch, fullestGroup(branch.outcome)!);
    for (const half of halves) {
      const outcome =
        half.outcome ?? solveWith(half.selection, work.left, best ? netCostOf(best.outcome) : Number.POSITIVE_INFINITY);
      if (!outcome) continue;
      // What was solved with too few steps may cost more than what lies below it; the branch above bounds that too.
      const next = { ...half, outcome, least: Math.max(branch.least, leastOf(outcome)) };
      if (!isPermitted(outcome)) {
        open.push(next);
        continue;
      }
      least = Math.min(least, next.least);
      if (isBetter(next)) best = { outcome, selection: keepMembers(next) };
    }
  }
  if (!best) {
    // The steps ended before a permitted choice was met: what needs no choice is always permitted.
    const free = selection.filter(({ groups }) => groups.length === 0);
    const outcome = solveWith(free, work.left, Number.POSITIVE_INFINITY);
    least = Math.min(least, root.least);
    if (!outcome) return least > bestCost ? undefined : { least };
    best = { outcome, selection: free };
  }
  for (const branch of open) least = Math.min(least, branch.least);
  const mostMissed = Math.max(0, netCostOf(best.outcome) - least);
  return { ...best, outcome: { ...best.outcome, search: { ...best.outcome.search, mostMissed } } };
}

/** Some group has more members than may apply. */
function mayBeTooMany(selection: readonly Offer[]): boolean {
  const counts = new Map<BenefitGroup, number>();
  for (const { groups } of selection) for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].some(([{ atMost }, count]) => count > atMost);
}

/** No group has too many that apply. */
function isPermitted(outcome: Outcome): boolean {
  return !fullestGroup(outcome);
}

/** A permitted choice to begin with: the members of groups that save most. */
function firstChoice(root: Branch, solve: (selection: readonly Offer[]) => Outcome | undefined): Chosen | undefined {
  const selection = keepMembers(root);
  const outcome = solve(selection);
  return outcome && isPermitted(outcome) ? { outcome, selection } : undefined;
}

const NOBODY: ReadonlySet<Offer> = new Set();

function leastOf(outcome: Outcome): number {
  return netCostOf(outcome) - outcome.search.mostMissed;
}

function isCheaper(outcome: Outcome, other: Outcome): boolean {
  const cost = netCostOf(outcome) - netCostOf(other);
  return cost < 0 || (cost === 0 && unitsOf(outcome) < unitsOf(other));
}

function takeCheapest(open: Branch[]): Branch {
  let at = 0;
  for (let other = 1; other < open.length; other++) if (isCheaper(open[other]!.outcome, open[at]!.outcome)) at = other;
  return open.splice(at, 1)[0]!;
}

interface Half extends Pick<Branch, 'selection' | 'kept'> {
  readonly outcome?: Outcome;
}

/**
 * The two halves of a branch: the member that saves least is closed, or it applies. Where as many apply as may, all others
 * of the group are closed. A half whose outcome is known costs no further work.
 */
function divide({ selection, kept, outcome }: Branch, members: readonly Offer[]): Half[] {
  const free = members.filter((member) => !kept.has(member));
  const last = free.at(-1)!;
  const closed = { selection: selection.filter((offer) => offer !== last), kept };
  const applying = new Set([...kept, last]);
  // The member may fill another of its groups as well.
  const full = last.groups.filter(
    (own) => [...applying].filter((offer) => offer.groups.includes(own)).length >= own.atMost,
  );
  if (full.length === 0) return [closed, { selection, kept: applying, outcome }];
  const isOpen = (offer: Offer) => applying.has(offer) || !offer.groups.some((own) => full.includes(own));
  return [closed, { selection: selection.filter(isOpen), kept: applying }];
}

/**
 * Those that apply of the group of which most apply beyond what it permits, the one that saves most first. Undefined when no
 * group has too many.
 */
function fullestGroup(outcome: Outcome): readonly Offer[] | undefined {
  let fullest: readonly Offer[] | undefined;
  let most = 0;
  for (const [group, members] of membersOf(outcome)) {
    const excess = members.length - group.atMost;
    if (excess > most) [fullest, most] = [members, excess];
  }
  return fullest;
}

/** The members of groups that have an effect, those first that save most, then that spend nothing, then by priority and ID. */
export function membersOf(outcome: Outcome): Map<BenefitGroup, Offer[]> {
  const savings = savingsOf(outcome);
  const byGroup = new Map<BenefitGroup, Offer[]>();
  for (const offer of savings.keys()) {
    for (const group of offer.groups) {
      const members = byGroup.get(group);
      if (members) members.push(offer);
      else byGroup.set(group, [offer]);
    }
  }
  const compare = (a: Offer, b: Offer): number =>
    savings.get(b)! - savings.get(a)! ||
    Number(isLimited(a)) - Number(isLimited(b)) ||
    b.benefit.priority - a.benefit.priority ||
    a.benefit.ordinal - b.benefit.ordinal;
  for (const members of byGroup.values()) members.sort(compare);
  return byGroup;
}

/** The selection with no more members of a group than may apply: those that save most, then others that are open. */
function keepMembers({ selection, outcome }: Pick<Branch, 'selection' | 'outcome'>): Offer[] {
  const applying = membersOf(outcome);
  const kept = new Set<Offer>();
  const counts = new Map<BenefitGroup, number>();
  const keep = (offer: Offer): void => {
    const { groups } = offer;
    if (kept.has(offer) || groups.some((group) => (counts.get(group) ?? 0) >= group.atMost)) return;
    kept.add(offer);
    for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  };
  for (const members of applying.values()) for (const member of members) keep(member);
  for (const offer of selection) keep(offer);
  return selection.filter((offer) => kept.has(offer));
}
