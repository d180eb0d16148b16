import type { Work } from '../work.ts';
import { COST } from '../work.ts';
import type { Incumbent } from './incumbent.ts';
import { type Listed, pricedGain } from './listing.ts';
import type { Model } from './model.ts';
import { type Prices, pricesOnLine } from './prices.ts';
import { walk, waysOf } from './walk.ts';

/**
 * Improves a choice: some lines are chosen anew while all others keep what they take. Which lines, the prices propose: those
 * that lie side by side in the walk, and those that share an offer. It ends when no such change helps, or the work is used up.
 */
const LINES_AT_ONCE = 7;
const WIDTH = 60;
const AHEAD = 6;

export function climb(
  model: Model,
  prices: Prices,
  listed: readonly Listed[],
  best: Incumbent,
  offset: number,
  work: Work,
): void {
  const windows = windowsOf(model, listed);
  let unchanged = 0;
  for (let at = 0; unchanged < windows.length && work.left > 0; at = (at + 1) % windows.length) {
    unchanged = tryWindow(model, prices, listed, best, windows[at]!, offset, work) ? 0 : unchanged + 1;
  }
}

function tryWindow(
  model: Model,
  prices: Prices,
  listed: readonly Listed[],
  best: Incumbent,
  open: ReadonlySet<number>,
  offset: number,
  work: Work,
): boolean {
  const { ways: chosen } = best;
  if (chosen.length === 0 || best.value === undefined) return false;
  if (!work.spend(model.places.length * COST.lineAgain)) return false;
  const own = listed.map((all, at): Listed => {
    if (open.has(at)) return { ways: all.ways, mostLeftOut: Number.NEGATIVE_INFINITY };
    const way = chosen[at]!;
    const gain = pricedGain(way, pricesOnLine(model.couplings, at, prices.ofSlot, prices.ofSets));
    return { ways: [{ way, gain }], mostLeftOut: Number.NEGATIVE_INFINITY };
  });
  const known = best.value - offset + 0.5;
  const { ends } = walk({ model, prices, listed: own, known, margin: 0, width: WIDTH, ahead: AHEAD, work });
  for (const label of ends.slice(0, 3)) if (best.consider(waysOf(label))) return true;
  return false;
}

/** Lines side by side, and of each offer those on which it stands. */
function windowsOf({ places }: Model, listed: readonly Listed[]): ReadonlySet<number>[] {
  const windows: ReadonlySet<number>[] = [];
  const half = Math.ceil(LINES_AT_ONCE / 2);
  for (let from = 0; from === 0 || from + half < places.length; from += half)
    windows.push(new Set(Array.from({ length: LINES_AT_ONCE }, (_, at) => from + at)));
  const offers = new Set(places.flatMap(({ roles }) => roles.map(({ offer }) => offer)));
  for (const offer of offers) {
    const own = places.flatMap((place, at) => (listed[at]!.ways.length > 1 && place.hasRole(offer) ? at : []));
    for (let start = 0; start < Math.ceil(own.length / LINES_AT_ONCE) && start < 3; start++) {
      const stride = Math.ceil(own.length / LINES_AT_ONCE);
      windows.push(new Set(own.filter((_, n) => n % stride === start)));
    }
  }
  return windows;
}
