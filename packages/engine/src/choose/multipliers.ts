import type { Choice } from './choice.ts';
import { assignCoupons } from './coupons.ts';
import type { Model, Multipliers } from './model.ts';
import { type ResponseOptions, respond } from './respond.ts';
import type { Subproblem } from './roles.ts';
import { respondRows } from './rows.ts';

/**
 * The Lagrangian relaxation of a component (Fisher, 1981). The constraint that no more units of a line are taken than it has is dropped; instead each unit has a
 * price, its multiplier, which rises where too many ask for it. At any multipliers the best responses of all together promise at least what the best
 * choice saves, but for what a response misses.
 */

/** Subproblems that answer together: sets that are cut from rows, as far as their labels are few. All others are a block of their own. */
export type Block = readonly Subproblem[];

export function respondBlock(
  model: Model,
  choice: Choice,
  block: Block,
  multipliers: Multipliers,
  options?: ResponseOptions,
): void {
  if (block.length > 1) respondRows(model, choice, block, multipliers);
  else respond(model, choice, block[0]!, multipliers, options);
}

/** What the step of the subgradient method is made smaller by where the bound got no better. */
const LESS = 0.7;
const TOLERANCE = 1e-6;

/**
 * Subgradient rounds. `build` is asked with the multipliers of each round for the most that any choice saves so far, or `undefined` to end. Answers with
 * the least that the relaxation promised, an upper bound as far as responses are exact.
 */
export function relax(
  model: Model,
  blocks: readonly Block[],
  rounds: number,
  build: (multipliers: Multipliers, round: number, bound: number) => number | undefined,
): number {
  const { plain } = model;
  // At first what coupons would give for a unit.
  const unit = assignCoupons(model, model.nothing.copy(), { alongside: 'unspent money' });
  const deal = new Float64Array(unit.length);
  let [bound, scale] = [Number.POSITIVE_INFINITY, 1];
  for (let round = 0; round < rounds && model.work.left > 0; round++) {
    const { promised, excess } = respondAll(model, blocks, { unit, deal });
    if (promised < bound - TOLERANCE) bound = promised;
    else scale *= LESS;
    const saved = build({ unit, deal }, round, bound);
    if (saved === undefined) break;
    let norm = 0;
    for (let line = 0; line < plain.length; line++) {
      if (excess.unit[line]! > 0 || unit[line]! > plain[line]!) norm += excess.unit[line]! ** 2;
      if (excess.deal[line]! > 0 || deal[line]! > 0) norm += excess.deal[line]! ** 2;
    }
    if (norm === 0) break;
    const step = (scale * Math.max(1, bound - saved)) / norm;
    for (let line = 0; line < plain.length; line++) {
      unit[line] = Math.max(plain[line]!, unit[line]! + step * excess.unit[line]!);
      deal[line] = Math.max(0, deal[line]! + step * excess.deal[line]!);
    }
  }
  return bound;
}

/** What all gain together where each takes what it likes, and by how much they ask for more of a line than it has: the subgradient. */
function respondAll(
  model: Model,
  blocks: readonly Block[],
  multipliers: Multipliers,
): { readonly promised: number; readonly excess: Multipliers } {
  const { coupons, nothing } = model;
  const { unit, deal } = multipliers;
  const excess = { unit: new Float64Array(unit.length), deal: new Float64Array(unit.length) };
  let promised = 0;
  for (let line = 0; line < unit.length; line++) {
    promised += nothing.free[line]! * unit[line]! + nothing.freeOfDeals[line]! * deal[line]!;
    excess.unit[line] = -nothing.free[line]!;
    excess.deal[line] = -nothing.freeOfDeals[line]!;
  }
  const choice = nothing.copy();
  for (const block of blocks) {
    respondBlock(model, choice, block, multipliers, { isRelaxed: true });
    for (const { roles, perBundle, size, money } of block) {
      const { gained, units, cost } = collect(model, choice, roles, multipliers, excess);
      promised += Math.min(gained + (units / size) * perBundle, money) - cost;
    }
  }
  assignCoupons(model, choice, { baseline: unit });
  const { gained, cost } = collect(model, choice, coupons, multipliers, excess);
  return { promised: promised + gained - cost, excess };
}

/** Takes away what some roles have and adds it to the excess; answers with what they gained, in units and money, and what the units cost. */
function collect(
  { roles }: Model,
  choice: Choice,
  collected: readonly number[],
  { unit, deal }: Multipliers,
  excess: Multipliers,
): { readonly gained: number; readonly units: number; readonly cost: number } {
  let [gained, units, cost] = [0, 0, 0];
  for (const role of collected) {
    const { gain, isExclusive, isOfDeal } = roles[role]!;
    const taken = choice.taken[role]!;
    for (let line = 0; line < taken.length; line++) {
      const own = taken[line]!;
      if (own === 0) continue;
      units += own;
      gained += own * gain[line]!;
      cost += own * ((isExclusive ? unit[line]! : 0) + (isOfDeal ? deal[line]! : 0));
      if (isExclusive) excess.unit[line]! += own;
      if (isOfDeal) excess.deal[line]! += own;
    }
  }
  choice.clear(collected);
  return { gained, units, cost };
}
