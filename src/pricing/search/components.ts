import { nameSameLines } from '../matching.ts';
import type { BundleOffer, BuyGetOffer, LineOffer, Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { Pool } from '../pools.ts';
import { COST } from '../work.ts';
import type { LineList } from './line-lists.ts';
import type { Problem } from './problem.ts';

/**
 * Lines that depend on each other: a budget, a shared limit, a group or a limited benefit for which they tie may take units of each.
 * Components are decided apart, so that their work adds up instead of multiplying.
 */
export interface Component {
  readonly lines: readonly number[];
  readonly budgeted: readonly LineOffer[];
  readonly bundles: readonly BundleOffer[];
  readonly buyGets: readonly BuyGetOffer[];
}

export interface Components {
  readonly components: Component[];
  /** False when there were too few steps to look at every offer; the other offers are in no component. */
  readonly isComplete: boolean;
}

/** The components of a problem in the order of their first line; lines that choose for themselves are in none. */
export function findComponents(problem: Problem, choice: PlainChoice): Components {
  const leader = problem.lines.map(({ index }) => index);
  const find = (line: number): number => {
    let at = line;
    while (leader[at] !== at) at = leader[at] = leader[leader[at]!]!;
    return at;
  };
  const join = (lines: readonly number[]): void => {
    problem.work.count(lines.length * COST.listedLine);
    for (const line of lines) {
      const [a, b] = [find(line), find(lines[0]!)];
      leader[Math.max(a, b)] = Math.min(a, b);
    }
  };

  const shared = [...problem.budgeted, ...problem.bundles, ...problem.buyGets];
  let isComplete = true;
  const linesOf = new Map<Offer, LineList>(
    shared.map((offer) => {
      isComplete &&= problem.work.left > 0;
      return [offer, isComplete ? linesInPlay(offer, problem) : NO_LINES];
    }),
  );
  const distinct = new Set(linesOf.values());
  for (const lines of distinct) join(lines);
  const tied = new Map<Offer, number>();
  for (const [line, offers] of choice.ties) {
    for (const offer of offers) join([line, tied.get(offer) ?? line]);
    for (const offer of offers) tied.set(offer, line);
  }

  const sharing = new Map<Pool, number>();
  for (const offer of shared) {
    const [first] = linesOf.get(offer)!;
    if (!offer.pool || offer.pool.counts === 'baskets' || first === undefined) continue;
    join([first, sharing.get(offer.pool) ?? first]);
    sharing.set(offer.pool, first);
  }

  const concerned = new Set(choice.ties.keys());
  for (const lines of distinct) for (const line of lines) concerned.add(line);
  const byLeader = new Map<number, number[]>();
  for (const { index } of problem.lines) {
    if (!concerned.has(index)) continue;
    const lines = byLeader.get(find(index));
    if (lines) lines.push(index);
    else byLeader.set(find(index), [index]);
  }
  // All lines of an offer are in one component, so its first one says which.
  const leaderOf = (offer: Offer): number | undefined => {
    const [first] = linesOf.get(offer)!;
    return first === undefined ? undefined : find(first);
  };
  const budgeted = Map.groupBy(problem.budgeted, leaderOf);
  const bundles = Map.groupBy(problem.bundles, leaderOf);
  const buyGets = Map.groupBy(problem.buyGets, leaderOf);
  const components = [...byLeader.entries()].map(([first, lines]) => ({
    lines,
    budgeted: budgeted.get(first) ?? [],
    bundles: bundles.get(first) ?? [],
    buyGets: buyGets.get(first) ?? [],
  }));
  return { components, isComplete };
}

const NO_LINES: LineList = [];

/** Every line of which an offer may take units, bought ones included. */
function linesInPlay(offer: Offer, { lists, lines, work }: Problem): LineList {
  const { matches, benefit } = offer;
  const [first, ...more] = benefit.selectors;
  const own = lists.eligible(offer, 0);
  // The first selector of a group is counted without regard to percentages, so its lines are all that share its list.
  if (more.every((selector) => nameSameLines(matches, selector, first!))) return own;
  const isInPlay = new Array<boolean>(lines.length).fill(false);
  benefit.selectors.forEach((_, n) => {
    for (const i of lists.eligible(offer, n)) isInPlay[i] = true;
  });
  work.count((benefit.selectors.length + 1) * lines.length * COST.match);
  const inPlay: number[] = [];
  for (let i = 0; i < lines.length; i++) if (isInPlay[i]) inPlay.push(i);
  return inPlay;
}
