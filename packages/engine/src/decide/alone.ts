import { mostAlone } from '../choose/promises.ts';
import type { LineFacts } from '../lines/lines.ts';
import { joinUnits } from '../offers/modified-line.ts';
import { discountableLines, eligibleLines, isAt, mostOfOffer, type Offer } from '../offers/offers.ts';
import { collectGifts, worthOfGifts } from '../settle/gifts.ts';
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
    let open: readonly Alone[] = cheapestFirst(offers, input, netCostOf(found));
    // Most are decided at once. Those that are not are tried again with what the others left.
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const undecided: Alone[] = [];
      for (const [at, own] of open.entries()) {
        if (work.left === 0 || own.cost >= netCostOf(best)) break;
        const alone = work.within(work.left / Math.min(open.length - at, MOST_SHARING), () =>
          decideTogether([own.offer], input),
        );
        if (isPreferred(alone, best)) best = alone;
        if (netCostOf(alone) - alone.search.mostMissed < netCostOf(best)) undecided.push(own);
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

/** Those offers with which alone the basket may cost less than `known` minor units. */
function cheapestFirst(
  offers: readonly Offer[],
  { basket, lines, venue, work }: DecisionInput,
  known: number,
): Alone[] {
  const { programme } = venue;
  const standings = possibleStandings(basket, lines, programme, offers).map((standing) => {
    const seen = joinUnits(standing.lines, offers[0]!.matches.modified, programme.existingLineDiscounts);
    return { ...standing, seen, total: standing.lines.reduce((sum, { incoming }) => sum + incoming, 0) };
  });
  const alone: Alone[] = [];
  for (const offer of offers) {
    if (!work.spend(standings.length * (COST.offer + lines.length * COST.listedLine))) break;
    const given = worthOfGifts(collectGifts([offer], venue, basket));
    // Most cost more even if all that they name were given for nothing.
    if (standings.every(({ total, lines }) => total - mostOfOffer(offer, lines) - given >= known)) continue;
    if (!work.spend(standings.length * lines.length * (COST.sortedLine + COST.effect))) break;
    const costs = standings.map(({ total, lines, seen }) => total - mostOf(offer, lines, seen) - given);
    alone.push({ offer, cost: Math.min(...costs) });
  }
  return alone.sort((a, b) => a.cost - b.cost);
}

/** An upper bound of the saving of an offer alone, in minor units. `seen` are the lines as benefits at line level see them. */
export function mostOf(offer: Offer, lines: readonly LineFacts[], seen: readonly LineFacts[]): number {
  const most = mostOfOffer(offer, lines);
  if (!isAt(offer, 'line') && !isAt(offer, 'buyGet') && !isAt(offer, 'bundle')) return most;
  const named = isAt(offer, 'bundle') ? offer.benefit.selectors.keys() : [offer.benefit.selectors.length - 1];
  const places = new Set([...named].flatMap((selector) => discountableLines(offer, selector, seen)));
  const own = [...places].map((index) => seen[index]!);
  // Units with modifiers stand in a row by what they cost, and not by what of it may be given.
  const isRow = isAt(offer, 'buyGet') && !offer.matches.modified;
  const others = isRow ? unitsBeside(places, eligibleLines(offer, 0, lines), lines) : Number.POSITIVE_INFINITY;
  // What a bundle gives is rounded.
  return Math.min(most, 1 + Math.ceil(mostAlone(offer, own, others)));
}

/** The units that are bought, and never given. */
function unitsBeside(given: ReadonlySet<number>, bought: readonly number[], lines: readonly LineFacts[]): number {
  let units = 0;
  for (const index of bought) if (!given.has(index)) units += lines[index]!.units;
  return units;
}
