import type { BuyGetRule } from '../compile/rule.ts';
import { isAt } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import { cut } from './cut.ts';
import type { Model, Multipliers } from './model.ts';
import type { Subproblem } from './roles.ts';
import { mostGiven } from './sets.ts';

/**
 * Sets of which some units can only be bought or only be given ("buy a coffee machine, get three coffees free"), by label setting over the
 * units that may be both, the dearest first. A label is how many units have been bought, and how many may be given for full `buy.quantity`.
 * Units that are only bought come before, the cheapest by their multipliers first; those only given come after, those first that gain most. The
 * last set may give fewer, unless it has to be complete.
 */

/** So many sets at once. */
const MOST_SETS = 24;
const TOLERANCE = 1e-9;
const NEVER = Number.NEGATIVE_INFINITY;

/** What units cost and gain. */
interface Terms {
  readonly rule: BuyGetRule;
  /** The numbers of the two roles. */
  readonly buy: number;
  readonly give: number;
  /** What others would give for a unit that is bought. */
  readonly cost: (line: number) => number;
  /** What a given unit gains less its multipliers. */
  readonly reduced: (line: number) => number;
}

/** The lines of the units that may take part, a line once for each of its units. */
interface Units {
  readonly onlyBought: readonly number[];
  readonly either: readonly number[];
  readonly onlyGiven: readonly number[];
}

/** The labels: `bought` units modulo a number, and units that are `owed` to the guest for those. */
interface Labels {
  readonly count: number;
  /** Counts of bought units are below this. It is `buy.quantity` where no limit is near: then it does not matter how many full sets there are. */
  readonly bought: number;
  readonly isWrapped: boolean;
  /** Counts of owed units are below this. */
  readonly owed: number;
}

/** One unit of the row, and for each label the one before it where the unit was taken; −1 where it was not. */
interface Layer {
  readonly line: number;
  readonly from: Int32Array;
}

export function respondHalves(model: Model, choice: Choice, subproblem: Subproblem, multipliers: Multipliers): void {
  const terms = termsOf(model, subproblem, multipliers);
  const { rule, buy, give } = terms;
  const units = unitsOf(model, choice, subproblem, terms);
  const { onlyBought, either, onlyGiven } = units;
  const most = Math.min(
    MOST_SETS,
    Math.floor((onlyBought.length + either.length) / rule.buyQuantity),
    Math.ceil(mostGiven(rule, Math.min(subproblem.most, either.length + onlyGiven.length)) / rule.getQuantity),
  );
  if (most <= 0) return;
  const labels = labelsOf(rule, most, subproblem.most);
  if (!model.work.spend((either.length + 1) * labels.count * COST.label)) return;
  const boughtBefore = onlyBought.slice(0, most * rule.buyQuantity);
  let best = labelsOfBought(boughtBefore, labels, terms);
  const layers: Layer[] = [];
  for (const line of either) {
    const layer = { line, from: new Int32Array(labels.count).fill(-1) };
    best = extend(best, layer, labels, terms);
    layers.push(layer);
  }
  const end = bestEnd(best, onlyGiven, labels, subproblem.most, terms);
  if (!end) return;
  for (const line of onlyGiven.slice(0, end.given)) choice.add(give, line, 1);
  const first = takeBack(end.label, layers, labels, choice, terms);
  for (const line of boughtBefore.slice(0, countOf(first, boughtBefore.length, labels, rule))) choice.add(buy, line, 1);
  cut(model, subproblem, choice);
}

function termsOf(model: Model, { roles, offer }: Subproblem, { unit, deal }: Multipliers): Terms {
  const { rule } = (isAt(offer, 'buyGet') ? offer.benefit : undefined)!;
  const [buy, give] = roles as [number, number];
  const { gain } = model.roles[give]!;
  const price = (line: number): number => unit[line]! + deal[line]!;
  const cost = rule.sharesBought ? (line: number): number => deal[line]! : price;
  return { rule, buy, give, cost, reduced: (line) => gain[line]! - price(line) };
}

function unitsOf(
  model: Model,
  { free, freeOfDeals }: Choice,
  { row, size }: Subproblem,
  { rule, buy, give, cost, reduced }: Terms,
): Units {
  const eachUnit = (line: number, isOnlyBought: boolean): number[] => {
    const units = isOnlyBought && rule.sharesBought ? freeOfDeals[line]! : Math.min(freeOfDeals[line]!, free[line]!);
    return new Array<number>(Math.max(0, Math.min(units, MOST_SETS * size))).fill(line);
  };
  const isInRow = new Set(row);
  const outside = [...model.lines.keys()].filter((line) => !isInRow.has(line));
  const mayBuy = outside.filter((line) => model.roles[buy]!.gain[line] === 0);
  const mayGive = outside.filter((line) => model.roles[give]!.gain[line]! > NEVER);
  mayBuy.sort((a, b) => cost(a) - cost(b) || a - b);
  mayGive.sort((a, b) => reduced(b) - reduced(a) || a - b);
  return {
    onlyBought: mayBuy.flatMap((line) => eachUnit(line, true)),
    either: row.flatMap((line) => eachUnit(line, false)),
    onlyGiven: mayGive.flatMap((line) => eachUnit(line, false)),
  };
}

function labelsOf({ buyQuantity, getQuantity }: BuyGetRule, mostSets: number, limit: number): Labels {
  const isWrapped = limit > mostSets * getQuantity;
  const bought = isWrapped ? buyQuantity : mostSets * buyQuantity + 1;
  const owed = mostSets * getQuantity + 1;
  return { count: bought * owed, bought, isWrapped, owed };
}

function labelOf({ bought, isWrapped }: Labels, count: number, owed: number): number {
  return owed * bought + (isWrapped ? count % bought : count);
}

/** The label where so many units have been bought, and none given. */
function labelOfBought(count: number, labels: Labels, { buyQuantity, getQuantity }: BuyGetRule): number {
  return labelOf(labels, count, Math.floor(count / buyQuantity) * getQuantity);
}

/** The most that each label gains after the units that can only be bought. */
function labelsOfBought(lines: readonly number[], labels: Labels, { rule, cost }: Terms): Float64Array<ArrayBuffer> {
  const best = new Float64Array(labels.count).fill(NEVER);
  let paid = 0;
  for (let count = 0; count <= lines.length; count++) {
    if (count > 0) paid -= cost(lines[count - 1]!);
    const label = labelOfBought(count, labels, rule);
    best[label] = Math.max(best[label]!, paid);
  }
  return best;
}

/** How many of those units lead to the label: the fewest that do. */
function countOf(label: number, most: number, labels: Labels, rule: BuyGetRule): number {
  for (let count = 0; count <= most; count++) if (labelOfBought(count, labels, rule) === label) return count;
  return 0;
}

/** The labels after one unit more that may be bought or given. */
function extend(
  best: Float64Array<ArrayBuffer>,
  { line, from }: Layer,
  labels: Labels,
  { rule, cost, reduced }: Terms,
): Float64Array<ArrayBuffer> {
  const next = best.slice();
  const reach = (to: number, value: number, label: number): void => {
    if (value > next[to]! + TOLERANCE) [next[to], from[to]] = [value, label];
  };
  for (let label = 0; label < labels.count; label++) {
    const value = best[label]!;
    if (value === NEVER) continue;
    const [count, owed] = [label % labels.bought, Math.floor(label / labels.bought)];
    const more = (count + 1) % rule.buyQuantity === 0 ? rule.getQuantity : 0;
    if (owed + more < labels.owed && (labels.isWrapped || count + 1 < labels.bought))
      reach(labelOf(labels, count + 1, owed + more), value - cost(line), label);
    if (owed > 0) reach(labelOf(labels, count, owed - 1), value + reduced(line), label);
  }
  return next;
}

/** The label from which most is gained, with so many of the units that can only be given; undefined where nothing is gained. */
function bestEnd(
  best: Float64Array,
  onlyGiven: readonly number[],
  labels: Labels,
  limit: number,
  { rule, reduced }: Terms,
): { readonly label: number; readonly given: number } | undefined {
  const { buyQuantity, getQuantity, leastGiven } = rule;
  /** So many units less than a full one the last set may give. */
  const mayLack = getQuantity - leastGiven;
  const added = [0];
  for (const line of onlyGiven) added.push(added.at(-1)! + reduced(line));
  const gaining = onlyGiven.filter((line) => reduced(line) > 0).length;
  let end: { readonly label: number; readonly given: number } | undefined;
  let most = TOLERANCE;
  for (let owed = 0; owed < labels.owed && owed - mayLack <= onlyGiven.length; owed++) {
    for (let count = 0; count < labels.bought; count += buyQuantity) {
      // Where labels do not say how many sets there are, no limit is near.
      const over = labels.isWrapped ? 0 : (count / buyQuantity) * getQuantity - limit;
      const fewest = Math.max(0, owed - mayLack);
      const upTo = Math.min(onlyGiven.length, owed - Math.max(0, over));
      if (fewest > upTo) continue;
      const given = Math.min(upTo, Math.max(fewest, gaining));
      const label = owed * labels.bought + count;
      const value = best[label]! + added[given]!;
      if (value > most) [end, most] = [{ label, given }, value];
    }
  }
  return end;
}

/** Takes the units of the row on the way to a label, and answers with the label before them. */
function takeBack(
  last: number,
  layers: readonly Layer[],
  { bought }: Labels,
  choice: Choice,
  { buy, give }: Terms,
): number {
  let label = last;
  for (const { line, from } of layers.toReversed()) {
    const before = from[label]!;
    if (before < 0) continue;
    const isGiven =
      Math.floor(before / bought) - 1 === Math.floor(label / bought) && before % bought === label % bought;
    choice.add(isGiven ? give : buy, line, 1);
    label = before;
  }
  return label;
}
