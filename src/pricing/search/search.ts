import type { OrderOffer } from '../order-discounts.ts';
import type { PlainChoice } from '../plain.ts';
import type { LineTakes } from '../split.ts';
import { BranchAndBound } from './branch-and-bound.ts';
import { type Component, findComponents } from './components.ts';
import { plainOffersPerLine } from './plain-offers.ts';
import type { Problem } from './problem.ts';

/** The best combination that was found, and what is known about all others. */
export interface FoundCombination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly orders: readonly OrderOffer[];
  readonly steps: number;
  /** The most that another permitted combination could still save, in minor units; 0 when this one is proven best. */
  readonly mostMissed: number;
}

/** Where order-level benefits touch different lines, baskets up to this size are searched for the last unit. */
const MAX_LINES_SEARCHED_FOR_ROUNDING = 12;

/**
 * Finds the cheapest permitted combination, looking at about `maximumSteps` choices at most. Lines that do not concern each
 * other are decided apart: whatever order-level benefits take afterwards, a cheaper line never makes the basket dearer.
 */
export function searchCombination(problem: Problem, choice: PlainChoice, maximumSteps: number): FoundCombination {
  const { lines, orders, isRough } = problem;
  const base: LineTakes[] = choice.offers.map((rest) => ({ taken: [], rest }));
  const plain = plainOffersPerLine(problem);
  if (isRough && lines.length <= MAX_LINES_SEARCHED_FOR_ROUNDING) {
    const all = lines.map(({ index }) => index);
    const { best, steps, mostMissed } = new BranchAndBound(
      problem,
      { choice, plain, base, lines: all },
      maximumSteps,
    ).run();
    return { takes: best.takes, orders: best.orders, steps, mostMissed };
  }

  const components = findComponents(problem, choice).sort((a, b) => a.lines.length - b.lines.length);
  const mixed = components.filter((component) => mixesOrders(component, orders));
  const apart = components.filter((component) => !mixed.includes(component));
  let steps = 0;
  // What rounding in the shares of several order discounts may hide from a decision line by line.
  let mostMissed = isRough ? orders.length * lines.length : 0;
  const decide = (part: Component, partOrders: readonly OrderOffer[], stepsAllowed: number): void => {
    const { budgeted, bundles, buyGets } = part;
    const own = { ...problem, budgeted, bundles, buyGets, orders: partOrders };
    const found = new BranchAndBound(own, { choice, plain, base, lines: part.lines }, stepsAllowed).run();
    for (const i of part.lines) base[i] = found.best.takes[i]!;
    steps += found.steps;
    mostMissed += found.mostMissed;
  };

  const parts = apart.length + (mixed.length > 0 ? 1 : 0);
  for (const [at, component] of apart.entries()) decide(component, [], (maximumSteps - steps) / (parts - at));
  if (mixed.length > 0) decide(joinComponents(mixed), orders, maximumSteps - steps);
  return { takes: base, orders, steps, mostMissed };
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
