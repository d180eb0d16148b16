import { sum } from '@loyalty/contract/money/sum';
import { type ChosenTakes, chooseTakes } from '../choose/choose.ts';
import { choosePlain, type PlainChoice } from '../choose/plain.ts';
import { isIndependent, type Problem, poseProblem } from '../choose/problem.ts';
import type { Depth } from '../choose/search.ts';
import { applyOrderOffers, sumOfOrders } from '../settle/order-discounts.ts';
import { settleParts } from '../settle/settle.ts';
import { type LineTakes, type Part, splitLines, wholeLine } from '../settle/split.ts';
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
  const { selection, standing, lines } = selected;
  const { basket, venue, work, ignoresMinimums } = input;
  if (!beatsStaffDiscounts(standing, basket, selection, work)) return undefined;
  const policy = venue.programme.existingLineDiscounts;
  const asked = {
    withLoyaltyOrderDiscounts: standing.withLoyaltyOrderDiscounts,
    netMinimums: ignoresMinimums ? ('ignored' as const) : ('heeded' as const),
  };
  const problem = poseProblem(selection, lines, standing.lines, policy, asked, work);
  const plain = choosePlain(problem.plain, lines, policy, work);
  const chosen = isIndependent(problem) && !problem.hasUnits ? undefined : chooseTakes(problem, plain, depth);
  const best = chosen ? settleTakes(chosen, selected, problem) : settleWholeLines(plain, selected, problem);
  if (!asksForNet(selected)) return best;
  // Of the discounts on the order some may have been left out for their net minimum.
  const given = best.orders.map(({ offer }) => offer);
  return beatsStaffDiscounts(standing, basket, given, work) ? best : undefined;
}

function settleWholeLines({ offers }: PlainChoice, selected: Selection, problem: Problem): Outcome {
  const parts = selected.lines.map((line) => wholeLine(line, offers[line.index], line.units));
  return settle(parts, [], 0, selected, problem)!;
}

/** What was chosen; or the same with benefits whose maximum is reached on every line that is left to them, where that costs no more. */
function settleTakes({ takes, gap }: ChosenTakes, selected: Selection, problem: Problem): Outcome {
  const { lines } = selected;
  const places = lines.map(({ index }) => index);
  const settleAll = (own: readonly LineTakes[]): Outcome | undefined => {
    const bought = own.flatMap((ofLine) => ofLine.bought);
    return settle(splitLines(lines, places, own), bought, gap, selected, problem);
  };
  const outcome = settleAll(takes);
  if (!outcome) throw new Error('assertion failed: the chosen combination is permitted');
  const whole = withWholeCaps(takes, problem.budgeted, lines);
  const shared = whole && settleAll(whole);
  return shared && shared.total <= outcome.total ? shared : outcome;
}

/** Computes the parts to the unit, and then the discounts on the order. Undefined where the combination is not permitted. */
function settle(
  pieces: readonly Part[],
  bought: Outcome['bought'],
  gap: number,
  { standing, gifts }: Selection,
  { policy, work, orders, shareSteps, hasUnits }: Problem,
): Outcome | undefined {
  work.count(pieces.length * (COST.evaluatedLine + (1 + orders.length) * shareSteps));
  const parts = settleParts(pieces, policy);
  if (!parts) return undefined;
  // The parts of a unit with modifiers stood together until now.
  if (hasUnits) parts.sort((a, b) => a.line.index - b.line.index);
  const rests = parts.map(({ rest }) => rest);
  const indices = parts.map(({ line }) => line.index);
  const given = orders.length === 0 ? [] : applyOrderOffers(orders, rests, indices);
  return {
    standing,
    parts,
    bought,
    orders: given,
    gifts,
    total: sum(rests) - sumOfOrders(given),
    uses: countUses(parts, given, gifts),
    leftOut: [],
    search: { steps: 0, gap: Math.round(gap) },
  };
}
