import type { LineFacts } from '../lines/lines.ts';
import type { DrawingOffer, UnitOffer } from '../offers/offers.ts';
import { type LineTakes, NOTHING_BOUGHT } from '../settle/split.ts';
import { drawsFirst, findComponents } from './components.ts';
import { drawCheapest } from './draws.ts';
import type { PlainChoice } from './plain.ts';
import { preselect } from './preselection.ts';
import type { Problem } from './problem.ts';
import { ComponentSearch, type Depth, tryInTurn } from './search.ts';
import { findSets } from './sets.ts';

/** What every line takes, with its value and the gap that the relaxations leave, in minor units by their worth. */
export interface ChosenTakes {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly value: number;
  readonly gap: number;
}

const TOLERANCE = 1e-6;

/**
 * Chooses what line-level benefits take. What gives the cheapest units draws first, or does not; of several offers that do, one more draws or one
 * less, or both, as long as that saves.
 */
export function chooseTakes(problem: Problem, choice: PlainChoice, depth: Depth): ChosenTakes {
  const worth = worthOfLines(problem);
  const drawing = drawingOffers(problem);
  let best = takesWith([], problem, choice, worth, depth)!;
  let drawn: readonly DrawingOffer[] = [];
  const attempt = (own: readonly DrawingOffer[]): boolean => {
    const found = problem.work.left > 0 ? takesWith(own, problem, choice, worth, depth) : undefined;
    if (!found || found.value <= best.value + TOLERANCE) return false;
    [best, drawn] = [found, own];
    return true;
  };
  if (drawing.length > 0) attempt(drawing);
  const moves = drawing.flatMap((one, at) => drawing.slice(at).map((other) => [one, other]));
  tryInTurn(moves, (move) => attempt(drawing.filter((offer) => drawn.includes(offer) !== move.includes(offer))));
  return best;
}

/** Higher priority first, then by benefitId. */
function drawingOffers({ buyGets, budgeted }: Problem): DrawingOffer[] {
  const drawing = [...buyGets, ...budgeted].filter(drawsFirst);
  return drawing.sort(({ benefit: a }, { benefit: b }) => b.priority - a.priority || a.ordinal - b.ordinal);
}

/** Per line of the basket what a minor unit saved there is worth after discounts on the order, of which amounts count that take all: an objective weight. */
function worthOfLines({ lines, ofBasket, orders }: Problem): number[] {
  const worth = ofBasket.map(() => 1);
  for (const { offer, touches } of orders) {
    const { rule, netMinimum } = offer.benefit;
    const rest = ofBasket.reduce(
      (sum, { index, incoming }) => (touches[index] ? sum + incoming * worth[index]! : sum),
      0,
    );
    const takesAll =
      rule.percentHundredths === undefined &&
      netMinimum === 0 &&
      Math.min(rule.amount(rest, offer.times), offer.mostDiscount) >= rest;
    const share = takesAll ? 1 : (rule.percentHundredths ?? 0) / 10_000;
    // Where its maximum is reached anyway, it takes nothing of what is saved before.
    if (!takesAll && share * rest >= offer.mostDiscount) continue;
    for (const { index } of ofBasket) if (touches[index]) worth[index]! *= 1 - share;
  }
  // Of a unit with modifiers the mean of its lines, by what they cost.
  for (const { index, unit, incoming } of lines)
    if (unit && incoming > 0)
      worth[index] = unit.lines.reduce((sum, { line }) => sum + line.incoming * worth[line.index]!, 0) / incoming;
  return worth;
}

interface Group {
  readonly lines: readonly number[];
  readonly offers: readonly UnitOffer[];
}

/** The takes where these draw first. Lines that share no offer, limit or set are chosen apart. */
function takesWith(
  drawing: readonly DrawingOffer[],
  problem: Problem,
  choice: PlainChoice,
  worth: readonly number[],
  depth: Depth,
): ChosenTakes | undefined {
  const { lines, lists, policy, work } = problem;
  const sets = findSets(lines, lists, policy, work);
  const drawn = drawCheapest(drawing, sets, problem);
  const others = {
    ...problem,
    buyGets: problem.buyGets.filter((offer) => !drawsFirst(offer)),
    budgeted: problem.budgeted.filter((offer) => !drawsFirst(offer)),
  };
  const groups = joinDrawn(findComponents(others), drawing, drawn, lines);
  const takes: LineTakes[] = choice.offers.map((rest) => ({ taken: [], bought: NOTHING_BOUGHT, rest }));
  const grouped = new Set<number>();
  let [value, gap] = [0, 0];
  for (const [at, { lines: indices, offers }] of groups.entries()) {
    const input = { problem, sets, indices, offers: preselect(offers, indices, problem), drawn, worth };
    const found = work.within(work.left / (groups.length - at), () => new ComponentSearch(input).run(depth));
    if (!found) return undefined;
    for (const [place, own] of found.best.takes.entries()) takes[found.lines[place]!.index] = own;
    for (const index of indices) grouped.add(index);
    value += found.best.value;
    gap += found.gap;
  }
  for (const { index, incoming } of lines)
    if (!grouped.has(index)) value -= (incoming - choice.savings[index]!) * worth[index]!;
  return { takes, value, gap };
}

/** Lines of which one offer drew are in one group, with all that share something with any of them. */
function joinDrawn(
  components: readonly Group[],
  drawing: readonly DrawingOffer[],
  drawn: ReturnType<typeof drawCheapest>,
  lines: readonly LineFacts[],
): Group[] {
  let groups = [...components];
  for (const offer of drawing) {
    const touched = lines
      .filter(({ index }) => {
        const { taken, bought, combinable } = drawn[index]!;
        return [...taken, ...bought, ...combinable].some((own) => own.offer === offer);
      })
      .map(({ index }) => index);
    const met = groups.filter(
      (group) =>
        group.lines.some((line) => touched.includes(line)) ||
        (offer.pool !== undefined && group.offers.some(({ pool }) => pool === offer.pool)),
    );
    const own = [...new Set([...touched, ...met.flatMap((group) => group.lines)])].sort((a, b) => a - b);
    if (own.length === 0) continue;
    groups = [
      ...groups.filter((group) => !met.includes(group)),
      {
        lines: own,
        offers: met.flatMap((group) => group.offers).sort((a, b) => a.benefit.ordinal - b.benefit.ordinal),
      },
    ];
  }
  return groups;
}
