import type { DrawingOffer, Offer, UnitOffer } from '../offers/offers.ts';
import { isAt } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { COST, type Work } from '../work.ts';
import type { LineList } from './line-lists.ts';
import type { Problem } from './problem.ts';

/** Lines of which the same offers take units, directly or by a shared limit. Components are chosen apart. */
export interface Component {
  readonly lines: readonly number[];
  readonly offers: readonly UnitOffer[];
}

/** The components of a problem, small ones first; lines that choose for themselves are in none. */
export function findComponents(problem: Problem): Component[] {
  const joined = new JoinedLines(problem);
  const firstLines = new Map<UnitOffer, number>();
  for (const offer of [...problem.budgeted, ...problem.bundles, ...problem.buyGets]) {
    const lists = offer.benefit.selectors.map((_, n) => problem.lists.eligible(offer, n));
    for (const list of lists) joined.joinAll(list);
    const first = lists.flatMap(([line]) => line ?? []);
    if (first[0] === undefined) continue;
    joined.join(first);
    firstLines.set(offer, first[0]);
    if (offer.pool && offer.pool.counts !== 'baskets') joined.joinBy(offer.pool, first[0]);
  }
  const offersOf = Map.groupBy(firstLines.keys(), (offer) => joined.leaderOf(firstLines.get(offer)!));
  const components = [...joined.groups].map(([leader, lines]) => ({
    lines,
    offers: (offersOf.get(leader) ?? []).sort(byOrdinal),
  }));
  return components.sort((a, b) => a.lines.length - b.lines.length);
}

/** Disjoint sets of lines (union-find): the leader of a set is its first line. */
class JoinedLines {
  readonly #leaders: number[];
  readonly #work: Work;
  readonly #joined = new Set<number>();
  readonly #lists = new Set<LineList>();
  readonly #firstOf = new Map<Pool, number>();

  constructor({ lines, work }: Problem) {
    this.#leaders = lines.map(({ index }) => index);
    this.#work = work;
  }

  leaderOf(line: number): number {
    const leaders = this.#leaders;
    let at = line;
    while (leaders[at] !== at) at = leaders[at] = leaders[leaders[at]!]!;
    return at;
  }

  join(lines: readonly number[]): void {
    this.#work.count(lines.length * COST.listedLine);
    for (const line of lines) {
      this.#joined.add(line);
      const [a, b] = [this.leaderOf(line), this.leaderOf(lines[0]!)];
      this.#leaders[Math.max(a, b)] = Math.min(a, b);
    }
  }

  /** Joins the lines of a list, which many offers may have. */
  joinAll(list: LineList): void {
    if (!this.#lists.has(list)) this.join(list);
    this.#lists.add(list);
  }

  /** Joins the line with all others that share this limit. */
  joinBy(pool: Pool, line: number): void {
    this.join([line, this.#firstOf.get(pool) ?? line]);
    this.#firstOf.set(pool, line);
  }

  /** The lines of each set, ascending, by their leader. */
  get groups(): ReadonlyMap<number, number[]> {
    return Map.groupBy(
      [...this.#joined].sort((a, b) => a - b),
      (line) => this.leaderOf(line),
    );
  }
}

function byOrdinal(a: UnitOffer, b: UnitOffer): number {
  return a.benefit.ordinal - b.benefit.ordinal;
}

/** True for offers whose units are drawn before all others are chosen. */
export function drawsFirst(offer: Offer): offer is DrawingOffer {
  return offer.benefit.picksCheapest && (isAt(offer, 'buyGet') || isAt(offer, 'line'));
}
