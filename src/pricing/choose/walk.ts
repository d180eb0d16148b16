import type { Work } from '../work.ts';
import { COST } from '../work.ts';
import { ByNumbers } from './by-numbers.ts';
import { isComplete } from './couplings.ts';
import type { Listed } from './listing.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import { type Label, Step } from './step.ts';
import type { Way } from './way.ts';

/**
 * Walks over the lines of a component. After each line only the best of all ways that lead to the same state goes on, and none
 * whose bound is below what is known already. Where too many remain, those of the highest bound go on, and the walk proves nothing.
 */
export interface Walked {
  /** Complete ways, the best first. */
  readonly ends: readonly Label[];
  /** The most that a way left out might save; −∞ where none was. */
  readonly mostLeftOut: number;
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
  if (most < least) return { ends: [], mostLeftOut };
  if (ways * LEAST_WIDTH * model.stepCost > work.left) {
    // Too little work is left to go all ways: those that gain most on each line are gone.
    const affordable = Math.floor(work.left / (LEAST_WIDTH * model.stepCost * places.length));
    if (affordable < LEAST_WAYS) return { ends: [], mostLeftOut: most };
    const fewer = listed.map((own) => bestOf(own, affordable));
    return walk({ model, prices, listed: fewer, known, margin, times, work });
  }
  const start = new Array<number>(slots).fill(0);
  let labels: Label[] = [
    { state: start, value: 0, bound: most, uses: 0, nominal: 0, way: undefined, before: undefined },
  ];
  const step = new Step(model, prices, restFrom);
  for (let at = 0; at < places.length; at++) {
    const { ways: own, mostLeftOut: beyond } = listed[at]!;
    const next = new ByNumbers<Label>();
    const all: Label[] = [];
    labels.sort((a, b) => b.bound - a.bound);
    if (labels.length > 0 && labels[0]!.bound - best[at]! + beyond >= least)
      mostLeftOut = Math.max(mostLeftOut, labels[0]!.bound - best[at]! + beyond);
    // Each line has its part of the work, so that a walk always comes to its end.
    const share = work.left / Math.min(places.length - at, Math.ceil(AHEAD / times));
    const before = work.spent;
    for (const [n, label] of labels.entries()) {
      if (n >= LEAST_WIDTH && (n >= MOST_WIDTH || work.spent - before >= share)) {
        for (const own of labels.slice(n)) mostLeftOut = Math.max(mostLeftOut, own.bound);
        break;
      }
      let tried = 0;
      for (const { way, gain } of own) {
        // The bound of a way is that of the label, less what it loses against the best way of the line, at most.
        if (label.bound - best[at]! + gain < least) break;
        tried++;
        if (!step.go(label, way, at) || step.bound < least) continue;
        if (margin > 0) {
          all.push(step.label(label, way));
          continue;
        }
        const same = next.find(step.state);
        if (same) {
          if (isBetter(step, same)) step.take(same, label, way);
          continue;
        }
        const found = step.label(label, way);
        next.add(found.state, found);
      }
      work.count(COST.comparedOffer + tried * model.stepCost);
    }
    labels = margin > 0 ? withinMargin(all, margin) : next.values();
  }
  const ends = labels.filter(({ state }) => isComplete(state, couplings));
  ends.sort((a, b) => b.value - a.value || a.uses - b.uses || b.nominal - a.nominal);
  return { ends, mostLeftOut };
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

/** Those that save no more than the margin less than the best that leads to the same state. */
function withinMargin(labels: Label[], margin: number): Label[] {
  if (margin === Number.POSITIVE_INFINITY) return labels;
  const best = new ByNumbers<{ value: number }>();
  const ofState = labels.map(({ state, value }) => {
    let found = best.find(state);
    if (!found) {
      found = { value };
      best.add(state, found);
    }
    found.value = Math.max(found.value, value);
    return found;
  });
  return labels.filter(({ value }, at) => value >= ofState[at]!.value - margin - TOLERANCE);
}

type Rank = Pick<Label, 'value' | 'uses' | 'nominal'>;

function isBetter(one: Rank, other: Rank): boolean {
  if (Math.abs(one.value - other.value) > TOLERANCE) return one.value > other.value;
  return one.uses < other.uses || (one.uses === other.uses && one.nominal > other.nominal);
}

/** The ways of a label, line by line. */
export function waysOf(label: Label): Way[] {
  const chosen: Way[] = [];
  for (let at: Label | undefined = label; at?.way; at = at.before) chosen.push(at.way);
  return chosen.reverse();
}
