import { eligibleLines, type Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
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
    for (const line of lines) leader[Math.max(find(line), find(lines[0]!))] = Math.min(find(line), find(lines[0]!));
  };

  const shared = [...problem.budgeted, ...problem.bundles, ...problem.buyGets];
  const linesOf = new Map(shared.map((offer) => [offer, linesInPlay(offer, problem)]));
  for (const lines of linesOf.values()) join(lines);
  const tied = new Map<Offer, number>();
  for (const [line, offers] of choice.ties) {
    for (const offer of offers) join([line, tied.get(offer) ?? line]);
    for (const offer of offers) tied.set(offer, line);
  }

  const concerned = new Set([...[...linesOf.values()].flat(), ...choice.ties.keys()]);
  const byLeader = new Map<number, number[]>();
  for (const { index } of problem.lines) {
    if (!concerned.has(index)) continue;
    const lines = byLeader.get(find(index));
    if (lines) lines.push(index);
    else byLeader.set(find(index), [index]);
  }
  return [...byLeader.entries()].map(([first, lines]) => {
    const own = (offer: Offer): boolean => linesOf.get(offer)!.some((line) => find(line) === first);
    return {
      lines,
      budgeted: problem.budgeted.filter(own),
      bundles: problem.bundles.filter(own),
      buyGets: problem.buyGets.filter(own),
    };
  });
}

/** Every line of which an offer may take units, bought ones included. */
function linesInPlay(offer: Offer, { lines }: Problem): number[] {
  const inPlay = new Set<number>();
  offer.benefit.selectors.forEach((_, n) => {
    for (const i of eligibleLines(offer, n, lines)) inPlay.add(i);
  });
  return [...inPlay];
}
