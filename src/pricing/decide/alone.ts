import type { LineFacts } from '../lines/lines.ts';
import { discountableLines, eligibleLines, isAt, mostOfOffer, type Offer } from '../offers/offers.ts';
import { collectGifts, worthOfGifts } from '../settle/gifts.ts';
import { largestEffect } from '../settle/split.ts';
import { COST } from '../work.ts';
import { isPreferred, netCostOf, type Outcome } from './outcome.ts';
import type { DecisionInput } from './selection.ts';
import { possibleStandings } from './standing.ts';

/** With all benefits alone a choice takes so many times its steps at most. */
const TIMES_STEPS = 1.3;
const MOST_ROUNDS = 3;
/** The dearest are worth more work than that of all shared out evenly. */
const MOST_SHARING = 6;

type DecideTogether = (offers: readonly Offer[], input: DecisionInput) => Outcome;

/**
 * No answer saves less than one of its benefits does alone. A search that ended by itself has looked at that; of one that ran
 * out of steps it has to be made sure: those benefits that may save more alone are tried, the dearest first.
 */
export function withBestAlone(
  found: Outcome,
  offers: readonly Offer[],
  input: DecisionInput,
  decideTogether: DecideTogether,
): Outcome {
  if (found.search.mostMissed === 0 || offers.length < 2) return found;
  const { work } = input;
  const least = netCostOf(found) - found.search.mostMissed;
  const before = work.spent;
  const steps = Math.min(work.maximumSteps, work.maximumSteps * TIMES_STEPS - work.spent);
  const best = work.beyond(steps, () => {
    let best = found;
    let open: readonly Alone[] = cheapestFirst(offers, input);
    // Most are decided at once. Those that are not are tried again with what the others left.
    for (let round = 0; round < MOST_ROUNDS && open.length > 0; round++) {
      const undecided: Alone[] = [];
      for (const [at, own] of open.entries()) {
        if (work.left === 0 || own.cost >= netCostOf(best)) break;
        const alone = work.within(work.left / Math.min(open.length - at, MOST_SHARING), () =>
          decideTogether([own.offer], input),
        );
        if (isPreferred(alone, best)) best = alone;
        if (alone.search.mostMissed > 0) undecided.push(own);
      }
      open = undecided;
    }
    return best;
  });
  const spent = found.search.steps + Math.ceil(work.spent - before);
  return { ...best, search: { steps: spent, mostMissed: Math.max(0, netCostOf(best) - least) } };
}

interface Alone {
  readonly offer: Offer;
  /** The least that the basket may cost with this offer alone, in minor units. */
  readonly cost: number;
}

function cheapestFirst(offers: readonly Offer[], { basket, lines, venue, work }: DecisionInput): Alone[] {
  const standings = possibleStandings(basket, lines, venue.programme, offers).map((standing) => {
    return { lines: standing.lines, total: standing.lines.reduce((sum, { incoming }) => sum + incoming, 0) };
  });
  const alone: Alone[] = [];
  for (const offer of offers) {
    if (!work.spend(standings.length * (COST.offer + lines.length * (COST.sortedLine + COST.effect)))) break;
    const given = worthOfGifts(collectGifts([offer], venue, basket));
    const costs = standings.map((standing) => standing.total - mostAlone(offer, standing.lines) - given);
    alone.push({ offer, cost: Math.min(...costs) });
  }
  return alone.sort((a, b) => a.cost - b.cost || a.offer.benefit.ordinal - b.offer.benefit.ordinal);
}

/** An upper bound of the saving of an offer alone, in minor units: what it takes off the units that it makes cheapest. */
function mostAlone(offer: Offer, lines: readonly LineFacts[]): number {
  const most = mostOfOffer(offer, lines);
  const namedBy = (selector: number): LineFacts[] => {
    return discountableLines(offer, selector, lines).map((index) => lines[index]!);
  };
  if (isAt(offer, 'line')) {
    return Math.min(
      most,
      dearestUnits(namedBy(0), offer.items, (line) => largestEffect(line, offer)),
    );
  }
  if (isAt(offer, 'buyGet')) {
    const { buyQuantity, getQuantity, effect } = offer.benefit.rule;
    const all = new Set([...eligibleLines(offer, 0, lines), ...eligibleLines(offer, 1, lines)]);
    const sets = Math.floor(unitsOf([...all].map((index) => lines[index]!)) / (buyQuantity + getQuantity));
    const items = Math.min(offer.items, sets * getQuantity);
    return Math.min(
      most,
      dearestUnits(namedBy(1), items, (line) => effect(line, line.units)),
    );
  }
  if (isAt(offer, 'bundle')) {
    const { quantities, discount } = offer.benefit.rule;
    const size = quantities.reduce((sum, quantity) => sum + quantity, 0);
    const all = [...new Set(quantities.flatMap((_, item) => namedBy(item)))];
    const bundles = Math.floor(Math.min(offer.items, unitsOf(all)) / size);
    if (bundles === 0) return 0;
    const price = dearestUnits(all, bundles * size, ({ original }) => original);
    // A price for all is best for one bundle, an amount off for as many as fit.
    return Math.min(most, Math.max(discount(price, 1), discount(price, bundles)));
  }
  return most;
}

function unitsOf(lines: readonly LineFacts[]): number {
  return lines.reduce((sum, { units }) => sum + units, 0);
}

/** The sum of a value of lines over so many units, those of the dearest lines. A part of a line may be rounded up. */
function dearestUnits(lines: readonly LineFacts[], items: number, worthOf: (line: LineFacts) => number): number {
  const values = lines
    .filter(({ units }) => units > 0)
    .map((line) => ({ units: line.units, value: worthOf(line) }))
    .sort((a, b) => b.value / b.units - a.value / a.units);
  let sum = 0;
  let left = items;
  for (const { units, value } of values) {
    if (left <= 0) break;
    sum += left >= units ? value : Math.ceil((value * left) / units) + 1;
    left -= units;
  }
  return sum;
}
