import { isAt } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import type { Model, Multipliers } from './model.ts';
import type { Subproblem } from './roles.ts';

/**
 * Bundles of the units that gain most, one more at a time, as long as that gains. The units that fit the items of full bundles are the independent sets of a
 * transversal matroid, so the greedy is exact for each number of bundles: a unit changes its item to make room for another.
 */

const TOLERANCE = 1e-9;
/** After so many bundles more that gain nothing none is tried. */
const MOST_WORSE = 2;
/** Beyond so many bundles several are added at a time. */
const MOST_SINGLE = 64;

export function respondBundle(model: Model, choice: Choice, subproblem: Subproblem, multipliers: Multipliers): void {
  const best = fill(model, choice, subproblem, multipliers);
  if (best) for (const [item, role] of subproblem.roles.entries()) choice.set(role, best.held[item]!);
}

interface Filled {
  readonly gained: number;
  /** Units by item and line. */
  readonly held: readonly Int32Array[];
}

/** The number of bundles that gains most. Units are taken by what they gain less their multipliers. */
function fill(
  model: Model,
  choice: Choice,
  { roles, offer, most, money, perBundle, size }: Subproblem,
  multipliers: Multipliers,
): Filled | undefined {
  const { quantities } = (isAt(offer, 'bundle') ? offer.benefit.rule : undefined)!;
  const own = roles.map((role) => model.roles[role]!);
  const fits = (item: number, line: number): boolean => own[item]!.gain[line]! > Number.NEGATIVE_INFINITY;
  // The existing discount that gives way is a cost as well, and none of the sum of money.
  const price = (line: number): number => {
    const { gain, gross } = own.find((role) => role.gain[line]! > Number.NEGATIVE_INFINITY)!;
    return multipliers.unit[line]! + multipliers.deal[line]! + gross[line]! - gain[line]!;
  };
  const reduced = (line: number): number => Math.max(...own.map(({ gross }) => gross[line]!)) - price(line);
  const free = choice.free.map((units, line) => Math.min(units, choice.freeOfDeals[line]!));
  const order = [...free.keys()].filter((line) => free[line]! > 0 && roles.some((_, item) => fits(item, line)));
  if (!model.work.spend((order.length + size) * roles.length * COST.bundledUnit)) return undefined;
  const reducedGains = order.map(reduced);
  const byGain = [...order.keys()].sort((a, b) => reducedGains[b]! - reducedGains[a]! || a - b);
  const held = roles.map(() => new Int32Array(free.length));
  const room = quantities.map(() => 0);
  const makeRoom = (item: number, seen: number): boolean => {
    if (room[item]! > 0) return true;
    model.work.count(order.length * COST.listedLine);
    for (const line of order) {
      if (held[item]![line] === 0) continue;
      for (let other = 0; other < roles.length; other++) {
        if ((seen & (1 << other)) !== 0 || !fits(other, line) || !makeRoom(other, seen | (1 << other))) continue;
        held[item]![line]! -= 1;
        held[other]![line]! += 1;
        room[other]! -= 1;
        room[item]! += 1;
        return true;
      }
    }
    return false;
  };
  let [worse, value, off] = [0, 0, 0];
  let best: Filled | undefined;
  for (let times = 0, step = 1; times + step <= most && worse < MOST_WORSE; ) {
    times += step;
    for (const [item, quantity] of quantities.entries()) room[item]! += quantity * step;
    off += step * perBundle;
    let missing = step * size;
    if (!model.work.spend(order.length * roles.length * COST.bundledUnit)) break;
    for (const at of byGain) {
      const line = order[at]!;
      while (missing > 0 && free[line]! > 0) {
        if (!model.work.spend(roles.length * COST.bundledUnit)) return best;
        const item = roles.findIndex((_, own) => fits(own, line) && makeRoom(own, 1 << own));
        if (item < 0) break;
        const units = Math.max(1, Math.min(free[line]!, room[item]!));
        held[item]![line]! += units;
        room[item]! -= units;
        free[line]! -= units;
        missing -= units;
        value -= units * price(line);
        off += units * own[item]!.gross[line]!;
      }
      if (missing === 0) break;
    }
    if (missing > 0) break;
    const gained = value + Math.min(off, money);
    if (gained > (best?.gained ?? 0) + TOLERANCE) [best, worse] = [{ gained, held: held.map((own) => own.slice()) }, 0];
    else worse += 1;
    step = times < MOST_SINGLE ? 1 : Math.ceil(times / 8);
  }
  return best;
}
