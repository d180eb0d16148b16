import type { Work } from '../work.ts';
import { COST } from '../work.ts';
import { Labels, NONE, Reached, waysBefore } from './labels.ts';
import type { Listed } from './listing.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import { Step } from './step.ts';
import type { Way } from './way.ts';

/**
 * Walks over the lines of a component. After each line only the best of all ways that lead to the same state goes on, and none
 * whose bound is below what is known already. Where too many remain, those that promise most go on, and the walk proves nothing.
 */
export interface Walked {
  /** Complete ways, the best first. */
  readonly ends: readonly End[];
  /** The most that a way left out might save; −∞ where none was. */
  readonly mostLeftOut: number;
}

export interface End {
  readonly value: number;
  /** Line by line. */
  readonly ways: () => readonly Way[];
}

export interface WalkInput {
  readonly model: Model;
  readonly prices: Prices;
  /** Per line the ways that are gone. */
  readonly listed: readonly Listed[];
  /** Ways that save less than this are of no interest. */
  readonly known: number;
  /** Of the ways that lead to one state those go on as well that save so much less than the best: the judge may prefer them. */
  readonly margin: number;
  /** The larger, the more of the work the first lines may take. */
  readonly times: number;
  readonly work: Work;
}

const TOLERANCE = 1e-6;
/** A line of a walk takes no more than one in so many parts of the work, unless it is one of the last. */
const AHEAD = 6;
/** So many ways go on from each line at most, and at least. */
const MOST_WIDTH = 20_000;
const LEAST_WIDTH = 4;
const LEAST_WAYS = 2;

export function walk({ model, prices, listed, known, margin, times, work }: WalkInput): Walked {
  const { couplings, places } = model;
  const slots = couplings.capacities.length;
  const least = known - TOLERANCE * Math.max(1, Math.abs(known));
  /** Per line the most that one of its ways gains; no more is gained from there on. */
  const best = listed.map(({ ways, mostLeftOut: beyond }) =>
    Math.max(ways[0]?.gain ?? Number.NEGATIVE_INFINITY, beyond),
  );
  const restFrom = new Array<number>(places.length + 1).fill(0);
  for (let at = places.length - 1; at >= 0; at--) restFrom[at] = restFrom[at + 1]! + best[at]!;
  const most = restFrom[0]! + valueOfLimits(model, prices);
  let mostLeftOut = Number.NEGATIVE_INFINITY;
  const ways = listed.reduce((sum, own) => sum + own.ways.length, 0);
  work.count(ways * COST.pricedOption);
  if (ways * LEAST_WIDTH * model.stepCost > work.left) {
    // Too little work is left to go all ways: those that gain most on each line are gone.
    const affordable = Math.floor(work.left / (LEAST_WIDTH * model.stepCost * places.length));
    if (affordable < LEAST_WAYS) return { ends: [], mostLeftOut: most };
    const fewer = listed.map((own) => bestOf(own, affordable));
    return walk({ model, prices, listed: fewer, known, margin, times, work });
  }
  const step = new Step(model, prices, restFrom);
  const { reached } = step;
  let [labels, next] = [new Labels(slots), new Labels(slots)];
  const start = new Reached(slots);
  start.bound = most;
  labels.add(start, NONE, NONE, 0);
  let open = [0];
  const links: Int32Array[] = [];
  for (let at = 0; at < places.length; at++) {
    const { ways: own, mostLeftOut: beyond } = listed[at]!;
    const from = labels;
    next.clear();
    open.sort((a, b) => from.comparePromises(a, b));
    const beyondList = mostOf(from, open) - best[at]! + beyond;
    if (beyondList >= least) mostLeftOut = Math.max(mostLeftOut, beyondList);
    // Each line has its part of the work, so that a walk always comes to its end.
    const share = work.left / Math.min(places.length - at, Math.ceil(AHEAD / times));
    const before = work.spent;
    for (const [n, label] of open.entries()) {
      if (n >= LEAST_WIDTH && (n >= MOST_WIDTH || work.spent - before >= share)) {
        mostLeftOut = Math.max(mostLeftOut, mostOf(from, open.slice(n)));
        break;
      }
      let tried = 0;
      const bound = from.boundOf(label) - best[at]!;
      step.from(from, label);
      for (let number = 0; number < own.length; number++) {
        const { way, gain } = own[number]!;
        // The bound of a way is that of the label, less what it loses against the best way of the line, at most.
        if (bound + gain < least) break;
        tried++;
        if (!step.go(way, at) || reached.bound < least) continue;
        const same = next.find(reached.state);
        if (same === NONE) next.addFirst(reached, label, number);
        else if (margin > 0) next.add(reached, label, number, same);
        else if (isBetter(reached, next, same)) next.put(same, reached, label, number);
      }
      work.count(COST.comparedOffer + tried * model.stepCost);
    }
    links.push(next.links());
    open = next.within(margin + TOLERANCE);
    [labels, next] = [next, labels];
  }
  const waysOf = (label: number): Way[] => waysBefore(links, label).map((number, at) => listed[at]!.ways[number]!.way);
  const last = labels;
  open.sort((a, b) => last.compareSaved(a, b));
  const ends = open.map((label): End => ({ value: last.valueOf(label), ways: () => waysOf(label) }));
  return { ends, mostLeftOut };
}

/** The highest bound of some labels. */
function mostOf(labels: Labels, some: readonly number[]): number {
  return some.reduce((most, label) => Math.max(most, labels.boundOf(label)), Number.NEGATIVE_INFINITY);
}

/** So many ways of a line, those that gain most. */
function bestOf({ ways, mostLeftOut }: Listed, most: number): Listed {
  if (ways.length <= most) return { ways, mostLeftOut };
  return { ways: ways.slice(0, most), mostLeftOut: Math.max(mostLeftOut, ways[most]!.gain) };
}

/** What all that is limited costs at its price. */
export function valueOfLimits({ couplings }: Model, { ofSlot }: Prices): number {
  let value = 0;
  for (const slot of [...couplings.limits, ...couplings.sums]) value += ofSlot[slot]! * couplings.capacities[slot]!;
  return value;
}

/** True where what was reached is better than a label of the same state. */
function isBetter(reached: Reached, labels: Labels, other: number): boolean {
  const { value } = reached;
  if (Math.abs(value - labels.valueOf(other)) > TOLERANCE) return value > labels.valueOf(other);
  return labels.isBefore(reached, other);
}
