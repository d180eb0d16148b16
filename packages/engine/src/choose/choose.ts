import type { DrawingOffer } from '../offers/offers.ts';
import type { OrderOffer } from '../settle/order-discounts.ts';
import { bestOrders } from '../settle/order-discounts.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import { type LineTakes, NOTHING_BOUGHT } from '../settle/split.ts';
import { COST } from '../work.ts';
import { type Component, drawsFirst, findComponents, joinComponents } from './components.ts';
import { type Drawn, drawCheapest } from './draws.ts';
import { judgeTakes } from './judge.ts';
import type { PlainChoice } from './plain.ts';
import { plainOffersPerLine } from './plain-offers.ts';
import { MAX_LINES_DECIDED_WITH_ORDERS, type Problem } from './problem.ts';
import { searchComponent } from './search-component.ts';
import { findSets, type SetsOf } from './sets.ts';
import { chooseDrawing } from './which-draw.ts';
import { type Worth, worthOfLines } from './worth.ts';

/** The best combination that was found, and what is known about all others. */
export interface ChosenCombination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  /** The most that another permitted combination could still save, in minor units; 0 when this one is proven best. */
  readonly mostMissed: number;
}

/** Where only rounding is left to be known, on up to so many lines all choices are compared with a part of the work that is left. */
const TO_SETTLE = { lines: 30, part: 1 / 3 } as const;

/** Finds the cheapest permitted combination of line-level benefits, as far as the work reaches. */
export function chooseCombination(problem: Problem, choice: PlainChoice): ChosenCombination {
  const { work, lines, everyChoice } = problem;
  const found = chooseWithDraws(problem, choice);
  const isOpen = found.mostMissed > 0 && found.mostMissed <= mostByRounding(problem) && work.left > 0;
  if (everyChoice || !isOpen || lines.length > TO_SETTLE.lines) return found;
  const settled = work.within(work.left * TO_SETTLE.part, () =>
    chooseWithDraws({ ...problem, everyChoice: true }, choice),
  );
  // What one of them knows about all choices holds for the other as well.
  const least = Math.max(found.total - found.mostMissed, settled.total - settled.mostMissed);
  const best = settled.total < found.total ? settled : found;
  return { ...best, mostMissed: Math.max(0, best.total - least) };
}

/** What a choice may save by rounding alone where several discounts on the order follow: a minor unit of each on each line. */
function mostByRounding({ orders, lines }: Problem): number {
  return orders.length * lines.length;
}

type Chosen = ChosenCombination & { readonly total: number };

function chooseWithDraws(problem: Problem, choice: PlainChoice): Chosen {
  const sets = findSets(problem.lines, problem.lists, problem.policy, problem.work);
  const drawing = drawingOffers(problem);
  const others = {
    ...problem,
    buyGets: problem.buyGets.filter((offer) => !drawsFirst(offer)),
    budgeted: problem.budgeted.filter((offer) => !drawsFirst(offer)),
  };
  return chooseDrawing(drawing, problem.work, (own) =>
    chooseWith(others, problem, choice, drawCheapest(own, sets, problem), sets),
  );
}

function chooseWith(
  problem: Problem,
  whole: Problem,
  choice: PlainChoice,
  drawn: readonly Drawn[] | undefined,
  sets: SetsOf,
): Chosen | undefined {
  const { lines, orders, isRough, hasNetMinimum, everyChoice, work } = problem;
  const takes: LineTakes[] = choice.offers.map((rest) => ({ taken: [], bought: NOTHING_BOUGHT, rest }));
  const all = lines.map(({ index }) => index);
  const components = findComponents(problem, choice);
  const drawnLines = drawn ? all.filter((i) => isDrawn(drawn[i]!)) : [];
  const loose = joinDrawn(components, drawnLines, whole);
  const worth = worthOfLines(whole, choice.savings);
  let mostMissed = problem.isComplete && choice.isComplete ? 0 : Number.POSITIVE_INFINITY;
  /** What the basket costs if only `changing` lines are taken anew: the parts of the others stay as they are. */
  const totalOf = (
    own: readonly LineTakes[],
    changing: readonly number[] = all,
    others: readonly SettledPart[] = [],
  ): number | undefined => {
    work.count(changing.length * COST.evaluatedLine + lines.length * (1 + orders.length) * problem.shareSteps);
    const judged = judgeTakes(whole, sets, changing, own);
    if (!judged.isPermitted) return undefined;
    const parts = [...others, ...judged.parts].sort((a, b) => a.line.index - b.line.index);
    let total = 0;
    for (const { rest } of parts) total += rest;
    for (const { amount } of bestOrders(orders, parts)) total -= amount;
    return total;
  };
  /** Lines that are not asked again, with what their takes save before the order's benefits, and their parts. */
  const besideOf = (changing: readonly number[]): Beside => {
    const own = new Set(changing);
    const judged = judgeTakes(whole, sets, all, takes);
    if (!judged.isPermitted) return { savings: lines.map(() => 0), parts: undefined };
    const savings = lines.map(({ incoming }) => incoming);
    for (const { line, joined, rest } of judged.parts) savings[(joined ?? line).index]! -= rest;
    return { savings, parts: judged.parts.filter(({ line, joined }) => !own.has((joined ?? line).index)) };
  };
  const isTied = ({ lines: own }: Component): boolean => isRough || mixesOrders(own, orders, problem);
  const tied = everyChoice ? loose : loose.filter(isTied);
  const free = everyChoice ? [] : loose.filter((component) => !isTied(component));
  const plain = plainOffersPerLine(problem, everyChoice ? all : loose.flatMap((component) => component.lines));
  /** What the basket costs, where the last search asked for it. */
  let known: number | undefined;
  const search = (component: Component, withOrders: boolean, steps: number): number => {
    const beside = withOrders ? besideOf(component.lines) : undefined;
    const worthOfTakes = withOrders
      ? (own: readonly LineTakes[]) => {
          const total = beside?.parts ? totalOf(own, component.lines, beside.parts) : totalOf(own);
          return total === undefined ? undefined : -total;
        }
      : (own: readonly LineTakes[]) => {
          work.count(component.lines.length * COST.judgedLine);
          const judged = judgeTakes(whole, sets, component.lines, own);
          if (!judged.isPermitted) return undefined;
          return -judged.parts.reduce((sum, { rest }) => sum + rest, 0);
        };
    const found = work.within(steps, () =>
      searchComponent(problem, component, {
        plain,
        drawn,
        sets,
        worth: withOrders ? worth.ofLine : undefined,
        offset: offsetOf(problem, withOrders ? worth : undefined, component, beside?.savings ?? NO_SAVINGS),
        takes,
        worthOfTakes,
        everyChoice: everyChoice || (withOrders && !isRough && component.lines.length <= MAX_LINES_DECIDED_WITH_ORDERS),
      }),
    );
    for (const i of component.lines) takes[i] = found.takes[i]!;
    if (withOrders && found.value !== undefined) known = -found.value;
    return found.mostMissed;
  };
  free.forEach((component, at) => {
    const share = work.left / (free.length - at + (tied.length > 0 ? 1 : 0));
    mostMissed += search(component, false, share);
  });
  const isOpenToOrders = everyChoice || tied.length > 0;
  if (isOpenToOrders) {
    const joined = everyChoice ? all : tied.flatMap((component) => component.lines).sort((a, b) => a - b);
    mostMissed += search(joinComponents(tied, joined), true, work.left);
  }
  if (!everyChoice && (isRough || hasNetMinimum)) mostMissed += mostByRounding(problem);
  const total = known ?? totalOf(takes);
  return total === undefined ? undefined : { takes, total, mostMissed: Math.ceil(mostMissed) };
}

const NO_SAVINGS: readonly number[] = [];

/** The lines beside a component. */
interface Beside {
  /** Per line, in minor units. */
  readonly savings: readonly number[];
  /** Undefined where they are not permitted as they are taken. */
  readonly parts: readonly SettledPart[] | undefined;
}

/** Higher priority first, then by benefitId. */
function drawingOffers({ buyGets, budgeted }: Problem): DrawingOffer[] {
  const drawing = [...buyGets, ...budgeted].filter(drawsFirst);
  return drawing.sort(({ benefit: a }, { benefit: b }) => b.priority - a.priority || a.ordinal - b.ordinal);
}

function isDrawn({ taken, bought, combinable }: Drawn): boolean {
  return taken.length + bought.length + combinable.length > 0;
}

/** Lines of which units were drawn are in a component, those of one offer in the same. */
function joinDrawn(components: readonly Component[], drawn: readonly number[], whole: Problem): Component[] {
  if (drawn.length === 0) return [...components];
  const drawing = drawingOffers(whole);
  const touched = new Set(drawn);
  const own = components.filter(
    ({ lines, offers }) =>
      lines.some((line) => touched.has(line)) ||
      offers.some(({ pool }) => pool && drawing.some((other) => other.pool === pool)),
  );
  const lines = [...new Set([...own.flatMap((component) => component.lines), ...drawn])].sort((a, b) => a - b);
  return [...components.filter((component) => !own.includes(component)), joinComponents(own, lines)];
}

/** True where a saving may lie on lines that order-level benefits touch or on lines that they do not. */
function mixesOrders(own: readonly number[], orders: readonly OrderOffer[], { lines: facts }: Problem): boolean {
  const distinct = new Set(orders.map(({ touches }) => touches));
  const lines = own.flatMap((i) => facts[i]!.unit?.lines.map(({ line }) => line.index) ?? i);
  return [...distinct].some((touches) => lines.some((line) => touches[line] !== touches[lines[0]!]));
}

/**
 * −total is at most this and Σ worth × saving of the lines of the component. All other lines stand as they are taken; a
 * component that is chosen without the order's benefits has its own price alone.
 */
function offsetOf(
  { ofBasket, lines }: Problem,
  worth: Worth | undefined,
  { lines: own }: Component,
  savings: readonly number[],
): number {
  const isOwn = new Set(own);
  if (!worth) return -own.reduce((sum, i) => sum + lines[i]!.incoming, 0);
  let offset = worth.fixed + worth.slack;
  for (const { incoming } of ofBasket) offset -= incoming;
  for (const { index } of lines) if (!isOwn.has(index)) offset += worth.ofLine[index]! * (savings[index] ?? 0);
  return offset;
}
