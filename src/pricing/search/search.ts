import type { OrderOffer } from '../order-discounts.ts';
import type { PlainChoice } from '../plain.ts';
import { type LineTakes, NOTHING_BOUGHT } from '../split.ts';
import { COST, Work } from '../work.ts';
import { LONG_LISTING, SHORT_LISTING } from './allowances.ts';
import { assignLines } from './assigned-lines.ts';
import { type Worth, worthOfLines } from './bounds.ts';
import { BranchAndBound } from './branch-and-bound.ts';
import { type Component, findComponents } from './components.ts';
import { evaluateBasket, evaluateLines } from './evaluator.ts';
import { LineOrders } from './line-lists.ts';
import { plainOffersPerLine } from './plain-offers.ts';
import { MAX_LINES_DECIDED_WITH_ORDERS, type Problem } from './problem.ts';
import type { SearchResult, Task } from './task.ts';

/** The best combination that was found, and what is known about all others. */
export interface FoundCombination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly orders: readonly OrderOffer[];
  /** The most that another permitted combination could still save, in minor units; 0 when this one is proven best. */
  readonly mostMissed: number;
}

/**
 * Finds the cheapest permitted combination, as far as the steps of the problem reach. Lines that share nothing are decided
 * apart: a cheaper line never makes the basket dearer, whatever order-level benefits take afterwards. A choice may lie
 * between lines that order-level benefits touch and lines that they leave alone. Then the whole basket is computed for every
 * combination; with many lines, each saving is weighed by its worth after the order-level benefits instead. `withBounds`
 * asks how much may be missed, which costs computing the basket twice more.
 */
export function searchCombination(problem: Problem, choice: PlainChoice, withBounds: boolean): FoundCombination {
  const { lines, orders, isRough, everyChoice, work } = problem;
  const base: LineTakes[] = choice.offers.map((rest) => ({ taken: [], bought: NOTHING_BOUGHT, rest }));
  const all = lines.map(({ index }) => index);
  const shared = { choice, orders: new LineOrders(lines, choice, problem.policy, work) };
  // An offer that was not looked at may save any amount.
  let mostMissed = problem.isComplete && choice.isComplete ? 0 : Number.POSITIVE_INFINITY;
  if (everyChoice) {
    const plain = plainOffersPerLine(problem, all);
    const worth = worthOfLines(problem);
    const task = { ...shared, plain, base, lines: all, worth, evaluator: evaluateBasket(problem, all, base) };
    const found = branchAndBound(problem, task);
    return { takes: found.best.takes, orders: found.best.orders, mostMissed: mostMissed + found.mostMissed };
  }

  const { components, isComplete } = findComponents(problem, choice);
  if (!isComplete) mostMissed = Number.POSITIVE_INFINITY;
  components.sort((a, b) => a.lines.length - b.lines.length);
  const plain = plainOffersPerLine(
    problem,
    components.flatMap((component) => component.lines),
  );
  const decide = (part: Component, worth: Worth, withOrders: boolean, steps: number): SearchResult | undefined => {
    if (!work.spend(COST.group + lines.length * COST.componentLine)) {
      mostMissed = Number.POSITIVE_INFINITY;
      return undefined;
    }
    const { budgeted, bundles, buyGets } = part;
    const own = { ...problem, budgeted, bundles, buyGets, orders: withOrders ? orders : [] };
    const evaluator = withOrders ? evaluateBasket(own, part.lines, base) : evaluateLines(own, part.lines, worth.ofLine);
    const task = { ...shared, plain, base, lines: part.lines, worth, evaluator };
    const found = work.within(steps, () => branchAndBound(own, task));
    for (const i of part.lines) base[i] = found.best.takes[i]!;
    return found;
  };

  const mixed = components.filter((component) => mixesOrders(component, problem));
  const isMixed = new Set(mixed);
  const apart = components.filter((component) => !isMixed.has(component));
  let left = components.length;
  const share = (): number => work.left / left--;
  const plainWorth: Worth = { ofLine: lines.map(() => 1), slack: 0 };
  for (const component of apart) mostMissed += decide(component, plainWorth, false, share())?.mostMissed ?? 0;
  if (mixed.length === 0) {
    // Rounding in the shares of several order discounts may hide so much from a decision line by line.
    return { takes: base, orders, mostMissed: mostMissed + (isRough ? orders.length * lines.length : 0) };
  }

  const joined = joinComponents(mixed);
  const worth = worthOfLines(problem);
  if (!isRough && joined.lines.length <= MAX_LINES_DECIDED_WITH_ORDERS) {
    mostMissed += decide(joined, worth, true, work.left)?.mostMissed ?? 0;
    return { takes: base, orders, mostMissed };
  }
  if (!withBounds) {
    for (const component of mixed) decide(component, worth, false, share());
    return { takes: base, orders, mostMissed: Number.POSITIVE_INFINITY };
  }
  // Work for the trace has steps of its own, so that the choice is the same with and without a trace.
  const asked = { ...problem, work: new Work(Number.POSITIVE_INFINITY) };
  const before = evaluateBasket(asked, joined.lines, base).totalWithoutEffects;
  let saved = 0;
  for (const component of mixed) {
    const found = decide(component, worth, false, share());
    for (const i of component.lines) saved += worth.ofLine[i]! * lines[i]!.incoming;
    if (found) saved += found.mostMissed - found.best.total;
  }
  const total = evaluateBasket(asked, all, base).evaluate(base, 0)!.total;
  mostMissed += Math.max(0, total - Math.floor(before - saved - worth.slack));
  return { takes: base, orders, mostMissed: Math.ceil(mostMissed) };
}

/**
 * The search starts from the best assignment of the lines to limited offers. Where lines have many options, a good
 * combination is looked for among the most promising of them first.
 */
function branchAndBound(problem: Problem, task: Task): SearchResult {
  const { work } = problem;
  const assigned = assignLines(problem, task);
  if (assigned?.isProven) return { best: assigned.best, isCut: false, mostMissed: 0 };
  const trial = new BranchAndBound(problem, task, SHORT_LISTING, assigned?.best).run(true);
  if (!trial.isCut || work.left === 0) return trial;
  const found = new BranchAndBound(problem, task, LONG_LISTING, trial.best).run(false);
  return { ...found, mostMissed: Math.min(found.mostMissed, trial.mostMissed) };
}

/** True where a saving may lie on lines that order-level benefits touch or on lines that they do not. */
function mixesOrders({ lines: own }: Component, { orders, lines: facts }: Problem): boolean {
  const distinct = new Set(orders.map(({ touches }) => touches));
  const lines = own.flatMap((i) => facts[i]!.unit?.lines.map(({ line }) => line.index) ?? i);
  return [...distinct].some((touches) => lines.some((line) => touches[line] !== touches[lines[0]!]));
}

function joinComponents(components: readonly Component[]): Component {
  return {
    lines: components.flatMap(({ lines }) => lines).sort((a, b) => a - b),
    budgeted: components.flatMap(({ budgeted }) => budgeted),
    bundles: components.flatMap(({ bundles }) => bundles),
    buyGets: components.flatMap(({ buyGets }) => buyGets).sort((a, b) => b.benefit.priority - a.benefit.priority),
  };
}
