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
  if (asked.form === 'row') respondRows(model, choice, [bounded], multipliers);
  else if (asked.form === 'halves') respondHalves(model, choice, bounded, multipliers);
  else if (asked.form === 'bundle') respondBundle(model, choice, bounded, multipliers);
  else spendMoney(model, choice, bounded, multipliers, isRelaxed);
}
