import type { BuyGetRule } from '../compile/rule.ts';
import { isAt } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import type { Model, Multipliers } from './model.ts';
import type { Subproblem } from './roles.ts';
import { mayBeSets } from './sets.ts';

/**
 * Sets that are cut from a row, of one offer or of several together, by label setting: the units are visited the dearest first, and a label
 * is how much of a set each offer has bought or been given, with the most that can be gained so far. Every unit is skipped, or taken by
 * one of the offers; whether it is bought or given follows from the label.
 */

/** So many labels at once; where offers have more together, each answers for itself. */
export const MOST_LABELS = 150;
/** Of more units of a line than this most are taken in lots of whole sets. */
const MOST_SINGLE_UNITS = 24;
const NEVER = Number.NEGATIVE_INFINITY;

/** One offer's part of a label. */
interface Counter {
  readonly rule: BuyGetRule;
  readonly roles: readonly number[];
  readonly size: number;
  /** Its counts go from 0 up to this one, and steps of 1 in it are so far apart in the number of the label. */
  readonly range: number;
  readonly stride: number;
  /** After a full set it counts from 0 again, because no limit counts sets. */
  readonly isWrapped: boolean;
  readonly gain: Float64Array;
  /** Its count in every label. */
  readonly counts: Uint16Array;
}

/** Units that are visited together. */
interface Layer {
  readonly line: number;
  /** One, or whole sets of every offer. */
  readonly units: number;
  /** Somebody may have them to itself. */
  readonly isFree: boolean;
  /** By label: who took them on the best way to it, from 1; 0 where nobody did. */
  readonly from: Uint8Array;
}

export function labelsOf({ offer, size, most }: Pick<Subproblem, 'offer' | 'size' | 'most'>): number {
  if (most === Number.POSITIVE_INFINITY || !isAt(offer, 'buyGet')) return size;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  return most + Math.ceil(most / getQuantity) * buyQuantity + 1;
}

export function respondRows(
  model: Model,
  choice: Choice,
  subproblems: readonly Subproblem[],
  multipliers: Multipliers,
): void {
  let labels = 1;
  const strides = subproblems.map((subproblem) => {
    const stride = labels;
    labels *= labelsOf(subproblem);
    return stride;
  });
  const counters = subproblems.map((subproblem, at): Counter => {
    const { offer, roles, size, most } = subproblem;
    const [range, stride] = [labelsOf(subproblem), strides[at]!];
    const { rule } = (isAt(offer, 'buyGet') ? offer.benefit : undefined)!;
    const counts = new Uint16Array(labels);
    for (let label = 0; label < labels; label++) counts[label] = Math.floor(label / stride) % range;
    const isWrapped = most === Number.POSITIVE_INFINITY;
    return { rule, roles, size, range, stride, isWrapped, gain: model.roles[roles[1]!]!.gain, counts };
  });
  const visits = visitsOf(model, choice, counters, multipliers);
  if (!model.work.spend(visits.length * labels * counters.length * COST.label)) return;
  let best = new Float64Array(labels).fill(NEVER);
  best[0] = 0;
  const layers: Layer[] = [];
  for (const visit of visits) {
    const layer = { ...visit, from: new Uint8Array(labels) };
    best = extend(best, layer, counters, multipliers);
    layers.push(layer);
  }
  takeBack(bestOfSets(best, counters), layers, counters, choice);
}

/** The free units in the order of the row. Of equal ones those come first that others want most, as bought units may be shared with them. */
function visitsOf(
  model: Model,
  { free, freeOfDeals }: Choice,
  counters: readonly Counter[],
  { unit }: Multipliers,
): Omit<Layer, 'from'>[] {
  const lot = counters.reduce((all, { size }) => leastCommonMultiple(all, size), 1);
  const order = [...free.keys()].filter((line) => counters.some(({ gain }) => gain[line]! > NEVER));
  if (counters.some(({ rule }) => rule.sharesBought))
    order.sort((a, b) => model.placeOf[a]! - model.placeOf[b]! || unit[b]! - unit[a]! || a - b);
  return order.flatMap((line) => {
    const visits: Omit<Layer, 'from'>[] = [];
    for (let left = freeOfDeals[line]!; left > 0; ) {
      const units = left > MOST_SINGLE_UNITS + lot ? lot * Math.floor((left - MOST_SINGLE_UNITS) / lot) : 1;
      visits.push({ line, units, isFree: left <= free[line]! });
      left -= units;
    }
    return visits;
  });
}

/** The labels after some units more. */
function extend(
  best: Float64Array<ArrayBuffer>,
  { line, units, isFree, from }: Layer,
  counters: readonly Counter[],
  { unit, deal }: Multipliers,
): Float64Array<ArrayBuffer> {
  const next = best.slice();
  const shared = deal[line]!;
  const exclusive = unit[line]! + shared;
  for (let own = 0; own < counters.length; own++) {
    const { rule, size, stride, range, isWrapped, gain, counts } = counters[own]!;
    const { buyQuantity, getQuantity, sharesBought } = rule;
    const off = gain[line]!;
    if (off === NEVER || (units > 1 && !isFree)) continue;
    const ofGiven = off - exclusive;
    const ofBought = sharesBought ? -shared : -exclusive;
    const ofLot = (units / size) * (getQuantity * ofGiven + buyQuantity * ofBought);
    for (let label = 0; label < best.length; label++) {
      const value = best[label]!;
      if (value === NEVER) continue;
      const count = counts[label]!;
      let to = label;
      let reduced = ofLot;
      if (units === 1) {
        const isGiven = count % size >= buyQuantity;
        if (!isFree && (isGiven || !sharesBought)) continue;
        if (!isWrapped && count + 1 === range) continue;
        to = isWrapped && count + 1 === size ? label - count * stride : label + stride;
        reduced = isGiven ? ofGiven : ofBought;
      } else if (!isWrapped) {
        if (count + units >= range) continue;
        to = label + units * stride;
      }
      if (value + reduced <= next[to]! + TOLERANCE) continue;
      next[to] = value + reduced;
      from[to] = own + 1;
    }
  }
  return next;
}

/** Gains that differ by no more than this are equal. */
const TOLERANCE = 1e-9;

/** The label with sets alone that gains most; the last one may give fewer. */
function bestOfSets(best: Float64Array, counters: readonly Counter[]): number {
  let most = 0;
  for (let label = 1; label < best.length; label++) {
    const isBetter = best[label]! > best[most]! + TOLERANCE;
    if (isBetter && counters.every(({ counts, rule }) => mayBeSets(rule, counts[label]!))) most = label;
  }
  return most;
}

/** Gives the units on the way to a label to the offers that took them. */
function takeBack(last: number, layers: readonly Layer[], counters: readonly Counter[], choice: Choice): void {
  let label = last;
  for (let at = layers.length - 1; at >= 0; at--) {
    const { line, units, from } = layers[at]!;
    if (from[label] === 0) continue;
    const { rule, roles, size, stride, counts, isWrapped } = counters[from[label]! - 1]!;
    if (units > 1) {
      choice.add(roles[0]!, line, (units / size) * rule.buyQuantity);
      choice.add(roles[1]!, line, (units / size) * rule.getQuantity);
      if (!isWrapped) label -= units * stride;
      continue;
    }
    const count = counts[label]!;
    const before = count === 0 ? size - 1 : count - 1;
    choice.add(roles[before % size >= rule.buyQuantity ? 1 : 0]!, line, 1);
    label += (before - count) * stride;
  }
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
