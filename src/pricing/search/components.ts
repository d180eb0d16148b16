import type { Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { LineList } from './line-lists.ts';
import type { Problem } from './problem.ts';

/**
 * Lines that concern each other, because a budget, a group or a limited benefit that they tie for may take units of each.
 * What does not concern each other is decided apart, so that the work adds up instead of multiplying.
 */
export interface Component {
  readonly lines: readonly number[];
  readonly budgeted: readonly Offer[];
  readonly bundles: readonly Offer[];
  readonly buyGets: readonly Offer[];
}

/** The components of a problem in the order of their first line; lines that choose for themselves are in none. */
export function findComponents(problem: Problem, choice: PlainChoice): Component[] {
  const leader = problem.lines.map(({ index }) => index);
  const find = (line: number): number => {
    let at = line;
    while (leader[at] !== at) at = leader[at] = leader[leader[at]!]!;
    return at;
  };
  const join = (lines: readonly number[]): void => {
    for (const line of lines) {
      const [a, b] = [find(line), find(lines[0]!)];
      leader[Math.max(a, b)] = Math.min(a, b);
    }
  };

  const shared = [...problem.budgeted, ...problem.bundles, ...problem.buyGets];
  const linesOf = new Map(shared.map((offer) => [offer, linesInPlay(offer, problem)]));
  const distinct = new Set(linesOf.values());
  for (const lines of distinct) join(lines);
  const tied = new Map<Offer, number>();
  for (const [line, offers] of choice.ties) {
    for (const offer of offers) join([line, tied.get(offer) ?? line]);
    for (const offer of offers) tied.set(offer, line);
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
  return [...byLeader.entries()].map(([first, lines]) => {
    // All lines of an offer are in one component, so its first one says which.
    const own = (offer: Offer): boolean => linesOf.get(offer)!.length > 0 && find(linesOf.get(offer)![0]!) === first;
    return {
      lines,
      budgeted: problem.budgeted.filter(own),
      bundles: problem.bundles.filter(own),
      buyGets: problem.buyGets.filter(own),
    };
  });
}

/** Every line of which an offer may take units, bought ones included. */
function linesInPlay(offer: Offer, { lists }: Problem): LineList {
  const { matches, benefit } = offer;
  const [first, ...more] = benefit.selectors;
  const lines = lists.eligible(offer, 0);
  // The first selector of a group is counted without regard to percentages, so its lines are all that share its list.
  if (more.every(({ id }) => matches.head[id] === matches.head[first!.id])) return lines;
  return [...new Set([...lines, ...more.flatMap((_, n) => lists.eligible(offer, n + 1))])];
}
