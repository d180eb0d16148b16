import { isAt } from '../offers/offers.ts';
import { respondBundle } from './bundles.ts';
import type { Choice } from './choice.ts';
import { respondHalves } from './halves.ts';
import { spendMoney } from './knapsack.ts';
import { resourcesLeft } from './limits.ts';
import type { Model, Multipliers } from './model.ts';
import type { Subproblem } from './roles.ts';
import { respondRows } from './rows.ts';

export interface ResponseOptions {
  /** So many sets, bundles or units at most. */
  readonly atMost?: number | undefined;
  /** For the bound of the relaxation, and not to build a choice. */
  readonly isRelaxed?: boolean;
}

/**
 * The best response of one offer: of the units that are free those whose gain less their multipliers is largest in sum. It is
 * exact, or nearly so, for the offer alone.
 */
export function respond(
  model: Model,
  choice: Choice,
  asked: Subproblem,
  multipliers: Multipliers,
  { atMost = Number.POSITIVE_INFINITY, isRelaxed = false }: ResponseOptions = {},
): void {
  const subproblem = { ...asked, ...resourcesLeft(model, choice, asked) };
  const perStep = isAt(asked.offer, 'buyGet') ? asked.offer.benefit.rule.getQuantity : 1;
  const most = Math.min(atMost * perStep, subproblem.most);
  if (most <= 0 || subproblem.money <= 0) return;
  const bounded = { ...subproblem, most };
  if (asked.form === 'bundle') respondBundle(model, choice, bounded, multipliers);
  else if (asked.form === 'money') spendMoney(model, choice, bounded, multipliers, isRelaxed);
  else respondSets(model, choice, bounded, multipliers);
}

/** So many given units are tried one by one where a sum of money is spent. */
const MOST_TRIED = 8;

/** Where sets would gain more than their sum of money, fewer of them may gain as much and leave units to others. */
function respondSets(model: Model, choice: Choice, subproblem: Subproblem, multipliers: Multipliers): void {
  const { form, offer, roles, money } = subproblem;
  const answer = (own: Choice, most: number): Choice => {
    const bounded = { ...subproblem, most };
    if (form === 'row') respondRows(model, own, [bounded], multipliers);
    else respondHalves(model, own, bounded, multipliers);
    return own;
  };
  if (money === Number.POSITIVE_INFINITY) {
    answer(choice, subproblem.most);
    return;
  }
  const [bought, given] = roles as [number, number];
  const gained = ({ taken }: Choice): number => sumOver(taken[given]!, model.roles[given]!.gain);
  let best = answer(choice.copy(), subproblem.most);
  if (gained(best) > money) {
    const { unit, deal } = multipliers;
    const price = unit.map((one, line) => one + deal[line]!);
    const ofBought = model.roles[bought]!.isExclusive ? price : deal;
    const worth = (own: Choice): number =>
      Math.min(money, gained(own)) - sumOver(own.taken[given]!, price) - sumOver(own.taken[bought]!, ofBought);
    const step = (isAt(offer, 'buyGet') ? offer.benefit.rule : undefined)!.leastGiven;
    const all = best.unitsOf([given]);
    for (let units = step; units < all && units <= MOST_TRIED * step && model.work.left > 0; units += step) {
      const fewer = answer(choice.copy(), units);
      if (worth(fewer) > worth(best) + TOLERANCE) best = fewer;
      if (gained(fewer) >= money) break;
    }
  }
  for (const role of roles) choice.set(role, best.taken[role]!);
}

const TOLERANCE = 1e-9;

/** What units of lines amount to, at so much each. */
function sumOver(units: Int32Array, each: Float64Array): number {
  let sum = 0;
  for (let line = 0; line < units.length; line++) if (units[line]! > 0) sum += units[line]! * each[line]!;
  return sum;
}
