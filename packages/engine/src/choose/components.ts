import type { DrawingOffer, Offer, UnitOffer } from '../offers/offers.ts';
import { isAt } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { COST } from '../work.ts';
import type { PlainChoice } from './plain.ts';
import type { Problem } from './problem.ts';

/** Lines of which the same offers take units, directly or by a shared limit. Components are chosen apart. */
export interface Component {
  readonly lines: readonly number[];
  readonly offers: readonly UnitOffer[];
}

/** The components of a problem, small ones first; lines that choose for themselves are in none. */
export function findComponents(problem: Problem, choice: PlainChoice): Component[] {
  const leader = problem.lines.map(({ index }) => index);
  const find = (line: number): number => {
    let at = line;
    while (leader[at] !== at) at = leader[at] = leader[leader[at]!]!;
    return at;
  };
  const concerned = new Set<number>();
  const join = (lines: readonly number[]): void => {
    problem.work.count(lines.length * COST.listedLine);
    for (const line of lines) {
      concerned.add(line);
      const [a, b] = [find(line), find(lines[0]!)];
      leader[Math.max(a, b)] = Math.min(a, b);
    }
  };
  const firstOf = new Map<Offer | Pool, number>();
  const joinBy = (key: Offer | Pool, line: number): void => {
    join([line, firstOf.get(key) ?? line]);
    firstOf.set(key, line);
  };
  const own: [offer: UnitOffer, line: number][] = [];
  const joined = new Set<readonly number[]>();
  for (const offer of [...problem.budgeted, ...problem.bundles, ...problem.buyGets]) {
    const lists = offer.benefit.selectors.map((_, n) => problem.lists.eligible(offer, n));
    for (const list of lists) if (!joined.has(list)) join(list);
    for (const list of lists) joined.add(list);
    const first = lists.flatMap(([line]) => line ?? []);
    if (first[0] === undefined) continue;
    join(first);
    own.push([offer, first[0]]);
    if (offer.pool && offer.pool.counts !== 'baskets') joinBy(offer.pool, first[0]);
  }
  for (const [line, offers] of choice.ties) for (const offer of offers) joinBy(offer, line);
  const byLeader = Map.groupBy(
    [...concerned].sort((a, b) => a - b),
    find,
  );
  const offersOf = Map.groupBy(own, ([, line]) => find(line));
  const components = [...byLeader].map(([first, lines]) => ({
    lines,
    offers: (offersOf.get(first) ?? []).map(([offer]) => offer).sort(byOrdinal),
  }));
  return components.sort((a, b) => a.lines.length - b.lines.length);
}

function byOrdinal(a: UnitOffer, b: UnitOffer): number {
  return a.benefit.ordinal - b.benefit.ordinal;
}

/** True for offers whose units are drawn before all others are chosen. */
export function drawsFirst(offer: Offer): offer is DrawingOffer {
  return offer.benefit.picksCheapest && (isAt(offer, 'buyGet') || isAt(offer, 'line'));
}
