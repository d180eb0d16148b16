import { chooseTakes, worthOfLines } from '../choose/choose.ts';
import { choosePlain } from '../choose/plain.ts';
import { isIndependent, type Problem, poseProblem } from '../choose/problem.ts';
import type { Depth } from '../choose/search.ts';
import type { LineFacts } from '../lines/lines.ts';
import { bestOrders } from '../settle/order-discounts.ts';
import { settleParts } from '../settle/settle.ts';
import { type LineTakes, splitLines, wholeLine } from '../settle/split.ts';
import { withWholeCaps } from '../settle/whole-caps.ts';
import { COST } from '../work.ts';
import { countUses, type Outcome } from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';

/** What was chosen for these lines before, by the offers on them: groups and minimums ask for much of it again. */
const known = new WeakMap<readonly LineFacts[], Map<string, ReturnType<typeof chooseTakes>>>();

/** A good combination of offers that may all be had together, with one standing of the staff's discounts. */
export function solve(
  { selection, standing, lines, gifts }: Selection,
  { venue, work, ignoresMinimums }: DecisionInput,
  depth: Depth,
): Outcome {
  const policy = venue.programme.existingLineDiscounts;
  const asked = {
    withLoyaltyOrderDiscounts: standing.withLoyaltyOrderDiscounts,
    netMinimums: ignoresMinimums ? ('ignored' as const) : ('heeded' as const),
  };
  const problem = poseProblem(selection, lines, standing.lines, policy, asked, work);
  const { plain, orders, hasUnits, shareSteps } = problem;
  const choice = choosePlain(plain, lines, policy, work);
  const chosen =
    isIndependent(problem, choice) && !hasUnits
      ? undefined
      : remembered(problem, depth, () => chooseTakes(problem, choice, depth));
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
    const given = orders.length === 0 ? [] : bestOrders(orders, parts);
    let total = 0;
    for (const { rest } of parts) total += rest;
    for (const { amount } of given) total -= amount;
    return {
      ...{ standing, parts, orders: given, gifts, total, uses: countUses(parts, given, gifts), leftOut: [] },
      bought: takes?.flatMap((own) => own.bought) ?? [],
      search: { steps: 0, gap: Math.round(chosen?.gap ?? 0) },
    };
  };
  const outcome = settle(chosen?.takes);
  if (!outcome) throw new Error('assertion failed: the chosen combination is permitted');
  const whole = chosen && withWholeCaps(chosen.takes, problem.budgeted, lines);
  const shared = whole && settle(whole);
  return shared && shared.total <= outcome.total ? shared : outcome;
}

function remembered(
  problem: Problem,
  depth: Depth,
  choose: () => ReturnType<typeof chooseTakes>,
): ReturnType<typeof chooseTakes> {
  const { lines, plain, budgeted, bundles, buyGets } = problem;
  const ofLines = known.get(lines) ?? new Map<string, ReturnType<typeof chooseTakes>>();
  known.set(lines, ofLines);
  const offers = [...plain, ...budgeted, ...bundles, ...buyGets].map(({ benefit }) => benefit.ordinal);
  const key = `${offers.join()} ${depth} ${worthOfLines(problem).join()}`;
  const takes = ofLines.get(key) ?? choose();
  ofLines.set(key, takes);
  return takes;
}
