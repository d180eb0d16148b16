import type { LineFacts } from '../lines.ts';
import { isAt, isLimited, type LineOffer, type UnitOffer } from '../offers.ts';
import type { LineTakes } from '../split.ts';
import { assignLimited } from './assign.ts';
import type { Component } from './components.ts';
import { type Couplings, findCouplings } from './couplings.ts';
import { climb } from './climb.ts';
import { type LineOption, listLineOptions, type OptionInput, type UnitBound } from './line-options.ts';
import { demandsOf, type Model } from './model.ts';
import { findPrices, type Prices, withOptions } from './prices.ts';
import type { Problem } from './problem.ts';
import { netSavingOf, type SetLines, type SetsOf } from './sets.ts';
import { COST } from '../work.ts';
import { startsOf, stepCostOf } from './starts.ts';
import { optionsOf, walk } from './walk.ts';

/** Chooses for the lines of one component: prices, a walk, and a climb where the walk had to leave ways out. */

export interface ComponentInput {
  /** Per line the unlimited offers that may be best on a part of it. */
  readonly plain: readonly (readonly LineOffer[])[];
  readonly drawn: readonly LineTakes[] | undefined;
  readonly sets: SetsOf;
  /** Per line what a minor unit saved there is worth; absent where it is worth one everywhere. */
  readonly worth: readonly number[] | undefined;
  /** The value of a choice is at most this and what its ways save. */
  readonly offset: number;
  /** What all lines take so far. */
  readonly takes: readonly LineTakes[];
  /** The value that the judge gives, the higher the better; undefined where the choice is not permitted. */
  readonly valueOf: (takes: readonly LineTakes[]) => number | undefined;
  readonly everyChoice: boolean;
}

export interface FoundInComponent {
  readonly takes: readonly LineTakes[];
  readonly mostMissed: number;
}

/** So many of the best ends of a walk are judged; more where every way is kept. */
const ENDS_JUDGED = 16;
const MOST_WIDTH = 20_000;
/** The part of the work for the first walk. */
const PART_OF_WALK = 1 / 2;
const PART_OF_STARTS = 1 / 2;
/** So many offers are walked with at once; of more the most promising. */
const MOST_OFFERS = 32;
const MOST_PAIRS = 1_600;
const MOST_ASSIGNED = 100;
const MOST_ROUNDS = 8;
const TINY = 1e-6;
/** To list the ways of all lines takes this part of the work at most. */
const PART_OF_LISTING = 1 / 4;

export function searchComponent(problem: Problem, component: Component, input: ComponentInput): FoundInComponent {
  const { work, policy } = problem;
  const { offset, valueOf } = input;
  const { model, inputs } = modelOf(problem, component, input);
  const best = new Incumbent(model.lines, input);
  const free = model.options.map(freeOption);
  best.consider(free);
  const assigned = assignLimited(model, inputs, free, work);
  if (assigned) best.consider(assigned.options);
  if (best.value === undefined) best.consider(model.options.map((own) => own[0]!));
  const known = best.value === undefined ? Number.NEGATIVE_INFINITY : best.value - offset;
  const prices = findPrices(model, Number.isFinite(known) ? known : 0, work, assigned?.ofSlot);
  let most = prices.most + model.slack + model.leftAside;
  const isComplete = model.leftAside === 0 && model.beyond.every((own) => own === undefined);
  const missed = (): number => {
    if (best.value === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor(most + offset - best.value + TINY));
  };
  const target = (): number => (best.value === undefined ? Number.NEGATIVE_INFINITY : best.value - offset - model.slack);
  if (missed() === 0) return { takes: best.takes, mostMissed: 0 };
  const starts = work.left === 0 ? [] : startsOf(model, component.offers);
  for (const [at, own] of starts.entries()) {
    const steps = (work.left * PART_OF_STARTS) / (starts.length - at);
    const { ends } = work.within(steps, () => {
      work.count(own.options.reduce((sum, options) => sum + options.length, 0) * COST.pricedOption);
      const gains = findPrices(own, Number.isFinite(known) ? known : 0, work);
      return walk({ model: own, prices: gains, known: target() + model.slack, keepsAll: false, width: MOST_WIDTH, work });
    });
    for (const label of ends.slice(0, 2)) best.consider(optionsOf(label));
  }
  const first = work.within(work.left * PART_OF_WALK, () =>
    walk({ model, prices, known: target(), keepsAll: false, width: MOST_WIDTH, work }),
  );
  for (const label of first.ends.slice(0, ENDS_JUDGED)) {
    if (best.value !== undefined && label.value < target() - TINY) break;
    best.consider(optionsOf(label));
  }
  const bestEnd = first.ends[0]?.value ?? Number.NEGATIVE_INFINITY;
  if (isComplete) most = Math.min(most, Math.max(bestEnd, first.mostLeftOut, known) + model.slack);
  if (isComplete && missed() > 0 && first.mostLeftOut === Number.NEGATIVE_INFINITY && work.left > 0) {
    const second = work.within(work.left * PART_OF_WALK, () =>
      walk({ model, prices, known: target(), keepsAll: true, width: MOST_WIDTH, work }),
    );
    let left = second.mostLeftOut;
    for (const label of second.ends) {
      if (best.value !== undefined && label.value < target() - TINY) break;
      if (work.left === 0) {
        left = Math.max(left, label.value);
        break;
      }
      best.consider(optionsOf(label));
    }
    if (best.value !== undefined) most = Math.min(most, Math.max(left + model.slack, best.value - offset));
  }
  if (missed() > 0 && work.left > 0) climb(model, prices, best, offset, work);
  // Of lines of many units not every number is listed: those beside the best choice are, and it is chosen again.
  for (let round = 0; round < MOST_ROUNDS && missed() > 0 && work.left > 0; round++) {
    if (model.beyond.every((own) => own === undefined) || !refine(problem, component, input, best, prices)) break;
  }
  void policy;
  void valueOf;
  return { takes: best.takes, mostMissed: missed() };
}

/** Chooses again among numbers of units beside those of the best choice. True where that is better. */
function refine(problem: Problem, component: Component, input: ComponentInput, best: Incumbent, prices: Prices): boolean {
  const { work } = problem;
  const { model } = modelOf(problem, component, input, best.takes);
  const before = best.value!;
  const own = withOptions(prices, model);
  const { ends } = walk({ model, prices: own, known: before - input.offset, keepsAll: false, width: MOST_WIDTH, work });
  for (const label of ends.slice(0, 4)) best.consider(optionsOf(label));
  return best.value! > before;
}

/** The offers that may save most, where there are more than can be walked with; in their order. */
function mostPromising(
  { lines, offers }: Component,
  { lines: all, lists, work }: Problem,
): { readonly offers: readonly UnitOffer[]; readonly leftAside: number } {
  const most = Math.max(4, Math.min(MOST_OFFERS, Math.floor(MOST_PAIRS / lines.length)));
  // What is limited by items alone is assigned, however many offers there are.
  const isAssigned = (offer: UnitOffer): boolean => isAt(offer, 'line') && offer.mostDiscount === Number.POSITIVE_INFINITY;
  const rest = offers.filter((offer) => !isAssigned(offer)).length;
  if (rest <= most && offers.length - rest <= MOST_ASSIGNED) return { offers, leftAside: 0 };
  work.count(offers.length * lines.length * COST.listedLine * 4);
  const promise = new Map(
    offers.map((offer) => {
      let [sum, best] = [0, 0];
      for (const i of lists.eligible(offer, offer.benefit.selectors.length - 1)) {
        const line = all[i]!;
        const unit = isAt(offer, 'bundle') ? line.unitPrice : offer.benefit.rule.effect(line, 1);
        sum += unit * line.units;
        best = Math.max(best, unit);
      }
      return [offer, Math.min(sum, offer.mostDiscount, best * offer.items)];
    }),
  );
  const sorted = offers.toSorted((a, b) => promise.get(b)! - promise.get(a)!);
  const kept = new Set([
    ...sorted.filter((offer) => !isAssigned(offer)).slice(0, most),
    ...sorted.filter(isAssigned).slice(0, MOST_ASSIGNED),
  ]);
  let leftAside = 0;
  for (const offer of offers) if (!kept.has(offer)) leftAside += promise.get(offer)!;
  const price = lines.reduce((sum, i) => sum + all[i]!.incoming, 0);
  return { offers: offers.filter((offer) => kept.has(offer)), leftAside: Math.min(leftAside, price) };
}

/** The way that takes nothing which lines share and saves most. */
function freeOption(options: readonly LineOption[]): LineOption {
  let best: LineOption | undefined;
  for (const option of options) {
    const { slots, cut, sets, saving } = option;
    if (slots.length === 0 && cut.length === 0 && sets.length === 0 && (!best || saving > best.saving)) best = option;
  }
  return best ?? options[0]!;
}

/** The best choice that the judge has permitted so far. */
export class Incumbent {
  value: number | undefined;
  options: readonly LineOption[] = [];
  takes: readonly LineTakes[];
  readonly #lines: readonly LineFacts[];
  readonly #input: ComponentInput;
  #rank: readonly number[] = [];

  constructor(lines: readonly LineFacts[], input: ComponentInput) {
    this.#lines = lines;
    this.#input = input;
    this.takes = input.takes;
  }

  /** Asks the judge; true where the choice is better than all before. */
  consider(options: readonly LineOption[]): boolean {
    const takes = [...this.#input.takes];
    this.#lines.forEach(({ index }, at) => {
      takes[index] = options[at]!.takes;
    });
    const value = this.#input.valueOf(takes);
    if (value === undefined || (this.value !== undefined && value < this.value)) return false;
    const rank = rankOf(options);
    if (value === this.value && !isBefore(rank, this.#rank)) return false;
    this.value = value;
    this.options = options;
    this.takes = takes;
    this.#rank = rank;
    return true;
  }
}

/** Of equal choices: the fewest limited uses, the highest priority, the lowest benefitId. */
function rankOf(options: readonly LineOption[]): readonly number[] {
  const baskets = new Set<UnitOffer>();
  let items = 0;
  let [priority, ordinal] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const count = (offer: UnitOffer, units: number): void => {
    priority = Math.max(priority, offer.benefit.priority);
    ordinal = Math.min(ordinal, offer.benefit.ordinal);
    if (!isLimited(offer)) return;
    if (offer.use?.counts === 'items') items += units;
    if (offer.use?.counts !== 'items' || offer.grant) baskets.add(offer);
  };
  for (const { takes } of options) {
    for (const { offer, units } of takes.taken) count(offer, units);
    if (takes.rest) count(takes.rest, 0);
  }
  return [items + baskets.size, -priority, ordinal];
}

function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  for (const [at, own] of rank.entries()) if (own !== other[at]) return own < other[at]!;
  return false;
}

function modelOf(
  problem: Problem,
  component: Component,
  input: ComponentInput,
  around?: readonly LineTakes[],
): { readonly model: Model; readonly inputs: readonly OptionInput[] } {
  const { lines: all, policy, work, lists } = problem;
  const { offers, leftAside } = mostPromising(component, problem);
  const sets = offers.flatMap((offer) => (isAt(offer, 'buyGet') ? input.sets(offer) : []));
  const lines = inWalkOrder(component.lines.map((i) => all[i]!), sets, policy);
  const couplings = findCouplings(offers, sets, lines);
  const spent = new Map<number, number>();
  for (const i of component.lines)
    for (const { offer, units } of input.drawn?.[i]?.taken ?? []) {
      const pool = offer.pool?.counts === 'items' ? offer.pool : undefined;
      const sharing = pool && offers.find((other) => other.pool === pool);
      const slot = sharing && couplings.limitsOf.get(sharing)!.at(-1);
      if (slot !== undefined) spent.set(slot, (spent.get(slot) ?? 0) + units);
    }
  const capacities = couplings.capacities.map((own, slot) => own - (spent.get(slot) ?? 0));
  const discountable = new Map<UnitOffer, ReadonlySet<number>[]>();
  for (const offer of offers)
    discountable.set(offer, offer.benefit.selectors.map((_, n) => new Set(lists.discountable(offer, n))));
  const inputs: OptionInput[] = [];
  const beyond: (UnitBound | undefined)[] = [];
  const worths = component.lines.map((i) => input.worth?.[i] ?? 1);
  const spread = Math.max(...worths) - Math.min(...worths);
  const steps = (work.left * PART_OF_LISTING) / lines.length;
  const options = lines.map((line) => {
    const worth = input.worth?.[line.index] ?? 1;
    const own: OptionInput = {
      couplings,
      offers,
      isDiscountable: (offer, selector, i) => discountable.get(offer)![selector]!.has(i),
      plain: input.plain[line.index] ?? [],
      drawn: input.drawn?.[line.index],
      policy,
      worth,
      isUneven: spread > 0,
      around: around?.[line.index],
      everyChoice: input.everyChoice,
      work,
    };
    inputs.push(own);
    const listed = work.within(steps, () => listLineOptions(line, own));
    beyond.push(listed.beyond);
    return listed.options;
  });
  const endsPlace = lines.map((line, at) =>
    couplings.sets.map(({ set, isOrdered }) => {
      if (!isOrdered || set.row.length === 0) return false;
      const own = set.placeOf[line.index];
      if (own === undefined) return false;
      const next = lines.slice(at + 1).find(({ index }) => set.placeOf[index] !== undefined);
      return !next || set.placeOf[next.index] !== own;
    }),
  );
  const slots = capacities.length;
  work.count(lines.length * slots * COST.listedLine);
  const stepCost = stepCostOf(slots);
  const model = { lines, options, couplings: { ...couplings, capacities }, endsPlace, beyond, leftAside, stepCost, ...demandsOf(options, slots), slack: slackOf(lines, offers, problem) + spread * movable(couplings, lines) };
  return { model, inputs };
}

/** What bundles give is rounded once; a part of one on which nothing falls keeps its existing discount. */
function slackOf(lines: readonly LineFacts[], offers: readonly UnitOffer[], { policy }: Problem): number {
  let slack = 0;
  for (const offer of offers) {
    if (!isAt(offer, 'bundle')) continue;
    if (offer.benefit.rule.estimate.ofPrice % 1 !== 0) slack += 0.5;
    if (policy === 'replace_if_larger') for (const { existing, unit } of lines) slack += unit ? sumOfExisting(unit) : existing;
  }
  return slack;
}

/** What may come off one line or off another: sums of money, what bundles cost, and what sets share out. */
function movable({ sums, capacities, bundles, sets }: Couplings, lines: readonly LineFacts[]): number {
  const price = lines.reduce((total, { original }) => total + original, 0);
  if (bundles.length > 0 || sets.some(({ set }) => set.offer.benefit.rule.spreads)) return price;
  return sums.reduce((total, slot) => total + Math.min(price, capacities[slot]!), 0);
}

function sumOfExisting({ lines }: NonNullable<LineFacts['unit']>): number {
  return lines.reduce((sum, { line }) => sum + line.existing, 0);
}

/**
 * The order in which lines are walked: those that fit one half of a set alone, then the dearest units first, as sets are cut.
 * The place of a line in the basket says nothing, so that a basket in another order is chosen alike.
 */
function inWalkOrder(lines: readonly LineFacts[], sets: readonly SetLines[], policy: Problem['policy']): LineFacts[] {
  const first = sets.find(({ row }) => row.length > 0);
  const isOutside = ({ index }: LineFacts): boolean =>
    sets.some(({ fitsBuy, fitsGet, row }) => row.length > 0 && fitsBuy[index] !== fitsGet[index]) &&
    !sets.some(({ placeOf }) => placeOf[index] !== undefined);
  const keyed = lines.map((line) => ({
    line,
    outside: isOutside(line) ? 0 : 1,
    saving: first ? netSavingOf(line, first.offer.benefit.rule, policy) : 0,
  }));
  keyed.sort(
    (a, b) =>
      a.outside - b.outside ||
      b.line.unitPrice - a.line.unitPrice ||
      a.saving - b.saving ||
      b.line.units - a.line.units ||
      (a.line.line.lineId < b.line.line.lineId ? -1 : 1),
  );
  return keyed.map(({ line }) => line);
}
