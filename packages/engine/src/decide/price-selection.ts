import { chooseTakes } from '../choose/choose.ts';
import { choosePlain } from '../choose/plain.ts';
import { isIndependent, poseProblem } from '../choose/problem.ts';
import type { Depth } from '../choose/search.ts';
import { applyOrderOffers } from '../settle/order-discounts.ts';
import { settleParts } from '../settle/settle.ts';
import { type LineTakes, splitLines, wholeLine } from '../settle/split.ts';
import { withWholeCaps } from '../settle/whole-caps.ts';
import { COST } from '../work.ts';
import { countUses, type Outcome } from './outcome.ts';
import { asksForNet, type DecisionInput, type Selection } from './selection.ts';
import { beatsStaffDiscounts } from './standing.ts';

/**
 * A good combination of offers that may all be had together, with one standing of the staff's discounts, to the unit. Undefined where these
 * would give way to loyalty discounts that are not larger.
 */
export function priceSelection(selected: Selection, input: DecisionInput, depth: Depth): Outcome | undefined {
  const { selection, standing, lines, gifts } = selected;
  const { basket, venue, work, ignoresMinimums } = input;
  if (!beatsStaffDiscounts(standing, basket, selection, work)) return undefined;
  const policy = venue.programme.existingLineDiscounts;
  const asked = {
    withLoyaltyOrderDiscounts: standing.withLoyaltyOrderDiscounts,
    netMinimums: ignoresMinimums ? ('ignored' as const) : ('heeded' as const),
  };
  const problem = poseProblem(selection, lines, standing.lines, policy, asked, work);
  const { plain, orders, hasUnits, shareSteps } = problem;
  const choice = choosePlain(plain, lines, policy, work);
  const chosen = isIndependent(problem, choice) && !hasUnits ? undefined : chooseTakes(problem, choice, depth);
  const settle = (takes: readonly LineTakes[] | undefined): Outcome | undefined => {
    const pieces = takes
      ? splitLines(
          lines,
          lines.map(({ index }) => index),
          takes,
        )
      : lines.map((line) => wholeLine(line, choice.offers[line.index], line.units));
    work.count(pieces.length * (COST.evaluatedLine + (1 + orders.length) * shareSteps));
    const parts = settleParts(pieces, policy);
    if (!parts) return undefined;
    // The parts of a unit with modifiers stood together until now.
    if (hasUnits) parts.sort((a, b) => a.line.index - b.line.index);
    const given =
      orders.length === 0
        ? []
        : applyOrderOffers(
            orders,
            parts.map(({ rest }) => rest),
            parts.map(({ line }) => line.index),
          );
    let total = 0;
    for (const { rest } of parts) total += rest;
    for (const { amount } of given) total -= amount;
    return {
      standing,
      parts,
      orders: given,
      gifts,
      total,
      uses: countUses(parts, given, gifts),
      leftOut: [],
      bought: takes?.flatMap((own) => own.bought) ?? [],
      search: { steps: 0, gap: Math.round(chosen?.gap ?? 0) },
    };
  };
  const outcome = settle(chosen?.takes);
  if (!outcome) throw new Error('assertion failed: the chosen combination is permitted');
  const whole = chosen && withWholeCaps(chosen.takes, problem.budgeted, lines);
  const shared = whole && settle(whole);
  const best = shared && shared.total <= outcome.total ? shared : outcome;
  if (!asksForNet(selected)) return best;
  // Of the discounts on the order some may have been left out for their net minimum.
  const given = best.orders.map(({ offer }) => offer);
  return beatsStaffDiscounts(standing, basket, given, work) ? best : undefined;
}
