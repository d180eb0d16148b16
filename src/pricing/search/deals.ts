import type { LineFacts } from '../lines.ts';
import type { LineOffer } from '../offers.ts';
import type { Take } from '../split.ts';
import { COST, type Work } from '../work.ts';

/** The ways to deal units of one line out to the benefits that are limited by items. */

/** An offer that draws on a budget; `slot` is its number among all of them. */
export interface BudgetedOffer {
  readonly offer: LineOffer;
  readonly slot: number;
}

export interface Deals {
  readonly deals: readonly (readonly Take<LineOffer>[])[];
  readonly isComplete: boolean;
}

/** Where not all ways are listed, a few will do: which of them is best cannot be told anyway. */
const MAX_SPREAD_DEALS = 64;

const NO_TAKES: readonly Take<LineOffer>[] = [];

/** All ways, or, where there are too many, the numbers of units that are most likely to matter. */
export function dealUnits(
  line: LineFacts,
  byItems: readonly BudgetedOffer[],
  units: number,
  maximumDeals: number,
  maximumTakes: number,
  work: Work,
): Deals {
  if (byItems.length === 0) return { deals: [NO_TAKES], isComplete: true };
  const all = enumerate(line, byItems, units, maximumDeals, maximumTakes, work, everyAmount);
  if (all.isComplete) return all;
  // Every benefit has its say, the largest first, each with as many numbers of units as there is room for.
  const most = Math.min(maximumDeals, MAX_SPREAD_DEALS);
  const offers = byItems.slice(0, Math.max(1, Math.floor(Math.log2(most))));
  const amounts = Math.max(1, Math.floor(most ** (1 / offers.length)) - 1);
  const spread = (all: number): number[] => spreadAmounts(all, amounts);
  return { ...enumerate(line, offers, units, most, maximumTakes, work, spread), isComplete: false };
}

function everyAmount(most: number): number {
  return most;
}

function enumerate(
  line: LineFacts,
  byItems: readonly BudgetedOffer[],
  units: number,
  maximumDeals: number,
  maximumTakes: number,
  work: Work,
  amountsOf: (most: number) => number | readonly number[],
): Deals {
  const deals: (readonly Take<LineOffer>[])[] = [NO_TAKES];
  let isComplete = true;
  for (const { offer } of byItems) {
    const count = deals.length;
    for (let before = 0; before < count; before++) {
      const deal = deals[before]!;
      const most = Math.min(openUnits(line, units, deal), offer.items);
      if (most > 0 && deal.length >= maximumTakes) {
        isComplete = false;
        continue;
      }
      const amounts = amountsOf(most);
      const tried = typeof amounts === 'number' ? amounts : amounts.length;
      for (let at = 0; at < tried; at++) {
        if (deals.length >= maximumDeals || !work.spend(COST.deal)) return { deals, isComplete: false };
        const taken = typeof amounts === 'number' ? amounts - at : amounts[at]!;
        deals.push([...deal, { line: line.index, units: taken, offer }]);
      }
    }
  }
  return { deals, isComplete };
}

/** `count` numbers from `most` down, evenly spread. */
function spreadAmounts(most: number, count: number): number[] {
  const amounts: number[] = [];
  for (let at = 0; at < Math.min(most, count); at++) amounts.push(Math.ceil((most * (count - at)) / count));
  return [...new Set(amounts)];
}

/** On a line that cannot be split, the first benefit takes the whole line. */
function openUnits({ isSplittable }: LineFacts, units: number, deal: readonly Take[]): number {
  if (!isSplittable) return deal.length > 0 ? 0 : units;
  return deal.reduce((open, take) => open - take.units, units);
}
