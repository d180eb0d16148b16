import { type Assignment, assignUnits } from '../assignment.ts';
import type { LineFacts } from '../lines.ts';
import { isLimited, type LineOffer } from '../offers.ts';
import { type LineTakes, largestEffect, NOTHING_BOUGHT, type Take } from '../split.ts';
import { COST } from '../work.ts';
import { maximumTakes } from './allowances.ts';
import type { Combination } from './evaluator.ts';
import { sortTakes } from './options.ts';
import type { Problem } from './problem.ts';
import type { Task } from './task.ts';
import { countTakes } from './uses.ts';

/** A combination to start from, and whether it is already known that none is cheaper. */
export interface AssignedLines {
  readonly best: Combination;
  readonly isProven: boolean;
}

/** Gains of one unit of many are kept to this part of a minor unit. */
const PARTS_OF_A_MINOR_UNIT = 1_000;

/** An assignment takes at most so many operations, which are a few milliseconds, and ends early with more. */
const MAX_OPERATIONS = 1_500_000;

/** A line that is assigned: what is best for it alone, and what the offers make of it. */
interface AssignedLine {
  readonly line: LineFacts;
  /** It is taken by one offer as a whole or not at all: a single unit, or one that cannot be split. */
  readonly isWhole: boolean;
}

/**
 * Deals the lines of a task out to the offers that are limited by items, as the best assignment says, and leaves all other
 * offers that are shared aside. Undefined where fewer than two such offers compete, or where no work is left. The search
 * starts from it, so no answer saves less.
 */
export function assignLines(problem: Problem, task: Task): AssignedLines | undefined {
  const { work, budgeted } = problem;
  const offers = budgeted.filter(isLimitedByItemsAlone).sort(byPreference);
  if (offers.length < 2 || work.left === 0) return undefined;
  const lines = inFixedOrder(task.lines.map((i) => problem.lines[i]!)).map((line): AssignedLine => {
    return { line, isWhole: !line.isSplittable };
  });
  work.count(lines.length * offers.length * COST.effect);
  const scale = lines.every(({ line }) => line.units === 1) ? 1 : PARTS_OF_A_MINOR_UNIT;
  const gains = gainsOf(lines, offers, problem, task, scale);
  const found = assign(lines, offers, gains, problem);
  const best = evaluate(takesOf(lines, offers, found, gains, problem, task), problem, task);
  if (!best) return undefined;
  const isAlone = offers.length === budgeted.length && problem.bundles.length + problem.buyGets.length === 0;
  const isSimple = scale === 1 && isAlone && task.evaluator.some !== undefined && lines.every(isPlainLine);
  const isEven = task.lines.every((i) => task.worth.ofLine[i] === 1) && task.worth.slack === 0;
  // Of limits by baskets and grants one line more may cost nothing, so the search may find fewer limited uses.
  const areTiesBroken =
    offers.every(({ use, grant, benefit }) => !grant && (!use || benefit.limit?.counts === 'items')) &&
    lines.every(({ line }) => mayNotTie(task.choice.offers[line.index]));
  if (!isSimple || !isEven || !areTiesBroken || !found.isOptimal) return { best, isProven: false };
  let saved = found.gain;
  for (const i of task.lines) saved += task.choice.savings[i]!;
  return { best, isProven: task.plain.isComplete && best.total === task.evaluator.totalWithoutEffects - saved };
}

function mayNotTie(offer: LineOffer | undefined): boolean {
  return offer === undefined || !isLimited(offer);
}

function isLimitedByItemsAlone({ items, mostDiscount, pool }: LineOffer): boolean {
  return items !== Number.POSITIVE_INFINITY && mostDiscount === Number.POSITIVE_INFINITY && pool?.counts !== 'money';
}

function byPreference({ benefit: a }: LineOffer, { benefit: b }: LineOffer): number {
  return b.priority - a.priority || a.ordinal - b.ordinal;
}

/** The same order wherever the lines stand in the basket, so that ties are broken alike. */
function inFixedOrder(lines: LineFacts[]): LineFacts[] {
  const idOf = ({ line }: LineFacts): string => line.lineId;
  return lines.sort((a, b) => b.unitPrice - a.unitPrice || (idOf(a) < idOf(b) ? -1 : 1));
}

/** True where what an option saves does not depend on other lines or parts. */
function isPlainLine({ line }: AssignedLine): boolean {
  return !line.unit;
}

/** What a unit of each line gains from each offer beyond the best benefit of the line alone. */
function gainsOf(
  lines: readonly AssignedLine[],
  offers: readonly LineOffer[],
  { policy, lists }: Problem,
  { choice }: Task,
  scale: number,
): Float64Array {
  const gains = new Float64Array(lines.length * offers.length);
  for (const [o, offer] of offers.entries()) {
    const isOwn = new Set(lists.discountable(offer, 0));
    for (const [l, { line }] of lines.entries()) {
      if (!isOwn.has(line.index) || line.units === 0) continue;
      const effect = largestEffect(line, offer);
      const replaced = policy === 'replace_if_larger' && !line.unit ? line.existing : 0;
      // An effect that does not beat the discount there is not permitted.
      if (effect <= replaced) continue;
      const gain = effect - replaced - choice.savings[line.index]!;
      gains[l * offers.length + o] = Math.floor((gain * scale) / line.units);
    }
  }
  return gains;
}

function assign(
  lines: readonly AssignedLine[],
  offers: readonly LineOffer[],
  gains: Float64Array,
  { work }: Problem,
): Assignment {
  const shared = [...new Set(offers.flatMap(({ pool }) => (pool?.counts === 'items' ? [pool] : [])))];
  const numberOf = new Map(shared.map((pool, number) => [pool, number]));
  // A use more weighs more than any preference among the offers.
  const perUse = 1 + offers.length * lines.reduce((sum, { line }) => sum + line.units, 0);
  let left = MAX_OPERATIONS;
  const task = {
    units: lines.map(({ line }) => line.units),
    capacities: offers.map(({ items }) => items),
    poolOf: offers.map(({ pool }) => pool && numberOf.get(pool)),
    poolCapacities: shared.map((pool) => pool.left),
    gains,
    tieCosts: offers.map(({ use }, rank) => (use ? perUse : 0) + rank),
  };
  return assignUnits(task, (operations) => {
    left -= operations;
    if (left < 0) return false;
    work.count(operations * COST.assignedCell);
    return true;
  });
}

function takesOf(
  lines: readonly AssignedLine[],
  offers: readonly LineOffer[],
  { amounts }: Assignment,
  gains: Float64Array,
  problem: Problem,
  { base, choice, plain }: Task,
): LineTakes[] {
  const takes = [...base];
  for (const [l, { line, isWhole }] of lines.entries()) {
    const own: { readonly take: Take<LineOffer>; readonly gain: number }[] = [];
    for (const [o, offer] of offers.entries()) {
      const units = amounts[l * offers.length + o]!;
      if (units > 0)
        own.push({ take: { line: line.index, units, offer }, gain: units * gains[l * offers.length + o]! });
    }
    own.sort((a, b) => b.gain - a.gain);
    const kept = own.slice(0, isWhole ? 1 : maximumTakes(problem, line)).map(({ take }) => take);
    const left = kept.reduce((units, take) => units - take.units, line.units);
    const alone = { taken: [], bought: NOTHING_BOUGHT, rest: choice.offers[line.index] };
    if (kept.length === 0) takes[line.index] = alone;
    else if (isWhole) {
      const [take] = kept as [Take<LineOffer>];
      const effect = left === 0 ? Number.POSITIVE_INFINITY : take.offer.benefit.rule.effect(line, take.units);
      takes[line.index] = effect > choice.savings[line.index]! ? { ...alone, taken: [take], rest: undefined } : alone;
    } else {
      const rest = left === 0 ? undefined : bestRest(plain.perLine[line.index]!, line, left);
      takes[line.index] = { taken: sortTakes([...kept]), bought: NOTHING_BOUGHT, rest };
    }
  }
  return takes;
}

/** The benefit that takes most off the units that are left. */
function bestRest(plain: readonly LineOffer[], line: LineFacts, units: number): LineOffer | undefined {
  let best: LineOffer | undefined;
  let most = 0;
  for (const offer of plain) {
    const effect = offer.benefit.rule.effect(line, units);
    if (effect > most) [best, most] = [offer, effect];
  }
  return best;
}

/** Computes the takes to the unit; where they are not permitted, without dealing out lines whose discounts would be shared. */
function evaluate(takes: LineTakes[], problem: Problem, task: Task): Combination | undefined {
  const { evaluator, base } = task;
  problem.work.count(evaluator.stepsOf(takes));
  const found = evaluator.evaluate(takes, countTakes(takes, problem.lines));
  if (found) return found;
  const simpler = takes.map((own, i) => {
    const { existing, allocated } = problem.lines[i]!;
    return existing > 0 || allocated > 0 ? base[i]! : own;
  });
  problem.work.count(evaluator.stepsOf(simpler));
  return evaluator.evaluate(simpler, countTakes(simpler, problem.lines));
}
