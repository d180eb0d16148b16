import { isLimited, spendsItems, type UnitOffer } from '../offers/offers.ts';
import type { LineTakes } from '../settle/split.ts';
import type { ComponentInput } from './components.ts';
import type { Model } from './model.ts';
import { withoutUnpaid } from './spent-sums.ts';
import type { Way } from './way.ts';

/** The best choice that the judge has permitted so far. */
export class Incumbent {
  value: number | undefined;
  ways: readonly Way[] = [];
  takes: readonly LineTakes[];
  readonly #model: Pick<Model, 'places' | 'couplings'>;
  readonly #input: ComponentInput;
  #rank: readonly number[] = [];

  constructor(model: Pick<Model, 'places' | 'couplings'>, input: ComponentInput) {
    this.#model = model;
    this.#input = input;
    this.takes = input.takes;
  }

  /** Choices that the judge has rejected. */
  rejected = 0;

  /** Asks the judge; true where the choice is better than all before. What is rejected is asked again without benefits that get nothing. */
  consider(ways: readonly Way[]): boolean {
    const isBetter = this.#judge(ways);
    if (isBetter !== undefined) return isBetter;
    // What takes its place may save less.
    this.rejected += 1;
    const paid = withoutUnpaid(this.#model, ways);
    return (paid && this.#judge(paid)) ?? false;
  }

  #judge(ways: readonly Way[]): boolean | undefined {
    const takes = [...this.#input.takes];
    this.#model.places.forEach(({ line }, at) => {
      takes[line.index] = ways[at]!.takes;
    });
    const value = this.#input.worthOfTakes(takes);
    if (value === undefined) return undefined;
    if (this.value !== undefined && value < this.value) return false;
    const rank = rankOf(ways);
    if (value === this.value && !isBefore(rank, this.#rank)) return false;
    this.value = value;
    this.ways = ways;
    this.takes = takes;
    this.#rank = rank;
    return true;
  }
}

/** Of equal choices: the fewest limited uses, the highest priority, the lowest benefitId, sums of money spent on more and earlier lines. */
function rankOf(ways: readonly Way[]): readonly number[] {
  const baskets = new Set<UnitOffer>();
  let items = 0;
  let [priority, ordinal] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const count = (offer: UnitOffer, units: number): void => {
    priority = Math.max(priority, offer.benefit.priority);
    ordinal = Math.min(ordinal, offer.benefit.ordinal);
    if (!isLimited(offer)) return;
    if (spendsItems(offer)) items += units;
    if (!spendsItems(offer) || offer.grant) baskets.add(offer);
  };
  let nominal = 0;
  for (const [at, { takes, cut }] of ways.entries()) {
    for (const { effect } of cut) nominal += effect * (ways.length - at);
    for (const { offer, units } of takes.taken) count(offer, units);
    if (takes.rest) count(takes.rest, 0);
  }
  return [items + baskets.size, -priority, ordinal, -nominal];
}

function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  for (const [at, own] of rank.entries()) if (own !== other[at]) return own < other[at]!;
  return false;
}
