import type { Work } from '../work.ts';
import { COST } from '../work.ts';
import type { Incumbent } from './incumbent.ts';
import type { LineOption } from './line-option.ts';
import type { Model } from './model.ts';
import { type Prices, withOptions } from './prices.ts';
import { optionsOf, walk } from './walk.ts';

/**
 * Improves a choice: some lines are chosen anew while all others keep what they take. Which lines, the prices propose: those
 * that lie side by side in the walk, and those that share an offer. It ends when no such change helps, or the work is used up.
 */
const LINES_AT_ONCE = 7;
const WIDTH = 300;

export function climb(model: Model, prices: Prices, best: Incumbent, offset: number, work: Work): void {
  work.count(model.options.reduce((sum, own) => sum + own.length, 0) * COST.pricedOption);
  const windows = windowsOf(model);
  let unchanged = 0;
  for (let at = 0; unchanged < windows.length && work.left > 0; at = (at + 1) % windows.length) {
    unchanged = tryWindow(model, prices, best, windows[at]!, offset, work) ? 0 : unchanged + 1;
  }
}

function tryWindow(
  model: Model,
  prices: Prices,
  best: Incumbent,
  open: ReadonlySet<number>,
  offset: number,
  work: Work,
): boolean {
  const { options: chosen } = best;
  if (chosen.length === 0 || best.value === undefined) return false;
  if (!work.spend(model.lines.length * COST.lineAgain)) return false;
  const options = model.options.map((own, at): readonly LineOption[] => (open.has(at) ? own : [chosen[at]!]));
  const restricted = { ...model, options };
  const own = withOptions(prices, restricted);
  const known = best.value - offset + 0.5;
  if (own.most < known) return false;
  const { ends } = walk({ model: restricted, prices: own, known, keepsAll: false, width: WIDTH, work });
  for (const label of ends.slice(0, 3)) if (best.consider(optionsOf(label))) return true;
  return false;
}

/** Lines side by side, and of each offer those on which it stands. */
function windowsOf({ lines, options }: Model): ReadonlySet<number>[] {
  const windows: ReadonlySet<number>[] = [];
  const half = Math.ceil(LINES_AT_ONCE / 2);
  for (let from = 0; from === 0 || from + half < lines.length; from += half)
    windows.push(new Set(Array.from({ length: LINES_AT_ONCE }, (_, at) => from + at)));
  const offers = new Set(options.flatMap((own) => own.flatMap(({ takes }) => takes.taken.map(({ offer }) => offer))));
  for (const offer of offers) {
    const own = options.flatMap((list, at) =>
      list.some(({ takes }) => takes.taken.some((take) => take.offer === offer)) ? at : [],
    );
    for (let start = 0; start < Math.ceil(own.length / LINES_AT_ONCE) && start < 3; start++) {
      const stride = Math.ceil(own.length / LINES_AT_ONCE);
      windows.push(new Set(own.filter((_, n) => n % stride === start)));
    }
  }
  return windows;
}
