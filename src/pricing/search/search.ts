import type { OrderOffer } from '../order-discounts.ts';
import type { PlainChoice } from '../plain.ts';
import type { LineTakes } from '../split.ts';
import { type Worth, worthOfLines } from './bounds.ts';
import { BranchAndBound, type SearchResult } from './branch-and-bound.ts';
import { type Component, findComponents } from './components.ts';
import { evaluateBasket, evaluateLines } from './evaluator.ts';
import { LineOrders } from './line-lists.ts';
import { plainOffersPerLine } from './plain-offers.ts';
import { MAX_LINES_DECIDED_WITH_ORDERS, type Problem } from './problem.ts';

/** The best combination that was found, and what is known about all others. */
export interface FoundCombination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly orders: readonly OrderOffer[];
  readonly steps: number;
  /** The most that another permitted combination could still save, in minor units; 0 when this one is proven best. */
  readonly mostMissed: number;
}

export interface SearchSettings {
  readonly maximumSteps: number;
  /** Says how much may be missed, and not only that something may; it costs computing the basket twice more. */
  readonly withBounds: boolean;
}

/**
 * Finds the cheapest permitted combination, looking at about `maximumSteps` choices at most. Lines that do not concern each
 * other are decided apart: whatever order-level benefits take afterwards, a cheaper line never makes the basket dearer.
 * Where a choice lies between lines that order-level benefits touch and lines that they do not, the whole basket is
 * computed for every combination, or, of many lines, a unit is counted as much as it is worth after them.
 */
export function searchCombination(
  problem: Problem,
  choice: PlainChoice,
  { maximumSteps, withBounds }: SearchSettings,
): FoundCombination {
  const { lines, orders, isRough, everyChoice } = problem;
  const base: LineTakes[] = choice.offers.map((rest) => ({ taken: [], rest }));
  const all = lines.map(({ index }) => index);
  const shared = { choice, orders: new LineOrders(lines, choice) };
  if (everyChoice) {
    const task = {
      ...shared,
      plain: plainOffersPerLine(problem, all),
      base,
      lines: all,
      worth: worthOfLines(problem),
      evaluator: evaluateBasket(problem, all, base),
    };
    const { best, steps, mostMissed } = new BranchAndBound(problem, task, maximumSteps).run();
    return { takes: best.takes, orders: best.orders, steps, mostMissed };
  }

  const components = findComponents(problem, choice).sort((a, b) => a.lines.length - b.lines.length);
  const concerned = components.flatMap((component) => component.lines);
  const plain = plainOffersPerLine(problem, concerned);
  let steps = 0;
  const decide = (part: Component, worth: Worth, withOrders: boolean, stepsAllowed: number): SearchResult => {
    const { budgeted, bundles, buyGets } = part;
    const own = { ...problem, budgeted, bundles, buyGets, orders: withOrders ? orders : [] };
    const evaluator = withOrders ? evaluateBasket(own, part.lines, base) : evaluateLines(own, part.lines, worth.ofLine);
    const task = { ...shared, plain, base, lines: part.lines, worth, evaluator };
    const found = new BranchAndBound(own, task, stepsAllowed).run();
    for (const i of part.lines) base[i] = found.best.takes[i]!;
    steps += found.steps;
    return found;
  };

  const mixed = components.filter((component) => mixesOrders(component, orders));
  const apart = components.filter((component) => !mixed.includes(component));
  let left = components.length;
  const share = (): number => (maximumSteps - steps) / left--;
  const plainWorth: Worth = { ofLine: lines.map(() => 1), slack: 0 };
  let mostMissed = 0;
  for (const component of apart) mostMissed += decide(component, plainWorth, false, share()).mostMissed;
  if (mixed.length === 0) {
    // What rounding in the shares of several order discounts may hide from a decision line by line.
    return { takes: base, orders, steps, mostMissed: mostMissed + (isRough ? orders.length * lines.length : 0) };
  }

  const joined = joinComponents(mixed);
  const worth = worthOfLines(problem);
  if (!isRough && joined.lines.length <= MAX_LINES_DECIDED_WITH_ORDERS) {
    mostMissed += decide(joined, worth, true, maximumSteps - steps).mostMissed;
    return { takes: base, orders, steps, mostMissed };
  }
  if (!withBounds) {
    for (const component of mixed) decide(component, worth, false, share());
    return { takes: base, orders, steps, mostMissed: Number.POSITIVE_INFINITY };
  }
  const before = evaluateBasket(problem, joined.lines, base).totalWithoutEffects;
  let saved = 0;
  for (const component of mixed) {
    const found = decide(component, worth, false, share());
    for (const i of component.lines) saved += worth.ofLine[i]! * lines[i]!.incoming;
    saved += found.mostMissed - found.best.total;
  }
  const total = evaluateBasket(problem, all, base).evaluate(base, 0)!.total;
  mostMissed += Math.max(0, total - Math.floor(before - saved - worth.slack));
  return { takes: base, orders, steps, mostMissed: Math.ceil(mostMissed) };
}

/** True where a saving may lie on lines that order-level benefits touch or on lines that they do not. */
function mixesOrders({ lines }: Component, orders: readonly OrderOffer[]): boolean {
  return orders.some(({ touches }) => lines.some((line) => touches[line] !== touches[lines[0]!]));
}

function joinComponents(components: readonly Component[]): Component {
  return {
    lines: components.flatMap(({ lines }) => lines).sort((a, b) => a - b),
    budgeted: components.flatMap(({ budgeted }) => budgeted),
    bundles: components.flatMap(({ bundles }) => bundles),
    buyGets: components.flatMap(({ buyGets }) => buyGets).sort((a, b) => b.benefit.priority - a.benefit.priority),
  };
}
