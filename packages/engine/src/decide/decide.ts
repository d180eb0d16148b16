import type { Depth } from '../choose/search.ts';
import { joinUnits } from '../offers/modified-line.ts';
import { isAt, mostOfOffer, type Offer } from '../offers/offers.ts';
import { collectGifts, placeGifts, worthOfGifts } from '../settle/gifts.ts';
import { COST } from '../work.ts';
import { chooseMembers } from './benefit-groups.ts';
import { effectiveOffers, isPreferred, type LowSaver, lowSavers, netCostOf, type Outcome } from './outcome.ts';
import { priceSelection } from './price-selection.ts';
import { asksForNet, type DecisionInput, type Selection } from './selection.ts';
import { possibleStandings, type Standing } from './standing.ts';
import { withoutWaste } from './waste.ts';

/** So often a single benefit is left out that saves too little; after that all that do are. */
const MOST_LEFT_OUT_SINGLY = 4;
/** Parts of the effort that is left: of one choice where others may follow, and of the first look at groups. */
const PART = { withMinimums: 1 / 2, ofMembers: 1 / 2, ofExclusives: 1 / 4 } as const;

/**
 * Chooses a good permitted combination of a set of offers (packages/engine/README.md, The rules). A benefit that saves less than it is meant to
 * be spent on is left out, the one that lacks most first, and the rest is chosen again.
 */
export function decide(offers: readonly Offer[], input: DecisionInput): Outcome {
  const { work } = input;
  const before = work.spent;
  let open = placeGifts(offers, input);
  const leftOut: LowSaver[] = [];
  for (let choice = 1; ; choice++) {
    const hasMinimums = !input.ignoresMinimums && open.some(({ benefit }) => benefit.minimumSaving > 0);
    const part = hasMinimums ? PART.withMinimums : 1;
    const outcome = work.within(work.left * part, () => bestOfStandings(open, input));
    const low = hasMinimums ? lowSavers(outcome) : [];
    if (low.length === 0)
      return { ...outcome, leftOut, search: { ...outcome.search, steps: Math.ceil(work.spent - before) } };
    const left = choice > MOST_LEFT_OUT_SINGLY ? low : low.slice(0, 1);
    leftOut.push(...left);
    const effective = new Set(effectiveOffers(outcome).map(({ benefit }) => benefit));
    const isOut = ({ benefit }: Offer): boolean =>
      left.some(({ offer }) => offer.benefit === benefit) ||
      (work.left === 0 && benefit.minimumSaving > 0 && !effective.has(benefit));
    open = open.filter((offer) => !isOut(offer));
  }
}

/** With each standing of the staff's discounts. */
function bestOfStandings(offers: readonly Offer[], input: DecisionInput): Outcome {
  const { basket, lines, venue, work } = input;
  const all = possibleStandings(basket, lines, venue.programme, offers);
  const mustGiveUp = all.length > 1 && input.givesUpStaffDiscounts;
  const standings = mustGiveUp ? all.filter(({ ofBasket }) => ofBasket !== 'kept') : all;
  let best: Outcome | undefined;
  for (const [at, standing] of standings.entries()) {
    const own = work.within(work.left / (standings.length - at), () => bestOfExclusives(standing, offers, input));
    // Of equals everything stays that the staff gave.
    const isStaffs = standing.ofBasket === 'given up' && own && netCostOf(own) >= basket.totals.total;
    if (!own || (isStaffs && !input.givesUpStaffDiscounts)) continue;
    if (!best || isPreferred(own, best)) best = own;
  }
  if (!best) throw new Error('assertion failed: to keep what the staff gave is always possible');
  return best;
}

/** Of the offers that are not exclusive together, or of one exclusive benefit alone. */
function bestOfExclusives(standing: Standing, offers: readonly Offer[], input: DecisionInput): Outcome | undefined {
  const { basket, venue, work } = input;
  const { lines, ofBasket } = standing;
  if (ofBasket === 'kept') return priceSelection({ standing, selection: [], lines, gifts: [] }, input, 'quick');
  const seen = joinUnits(lines, offers[0]?.matches.modified, venue.programme.existingLineDiscounts);
  const shared = offers.filter(({ benefit }) => !benefit.exclusive);
  const exclusive = offers.filter(({ benefit }) => benefit.exclusive);
  const select = (selection: readonly Offer[]): Selection => ({
    standing,
    selection,
    lines: seen,
    gifts: collectGifts(selection, venue, basket),
  });
  const total = lines.reduce((sum, { incoming }) => sum + incoming, 0);
  work.count(exclusive.length * lines.length * COST.listedLine);
  // Those first that may save most. Each alone seldom takes long, so they come before all others together.
  const byMost = exclusive
    .map((offer) => ({ selected: select([offer]), most: mostOfOffer(offer, lines) }))
    .sort((a, b) => b.most - a.most);
  let best: Outcome | undefined;
  const consider = (selected: Selection, depth: Depth): void => {
    const outcome = bestOfGroups(selected, input, depth);
    if (outcome && (!best || isPreferred(outcome, best))) best = outcome;
  };
  work.within(work.left * (shared.length > 0 ? PART.ofExclusives : 1), () => {
    for (const { selected, most } of byMost) {
      if (best && (work.left === 0 || total - most - worthOfGifts(selected.gifts) > netCostOf(best))) continue;
      consider(selected, 'quick');
    }
  });
  consider(select(shared), 'full');
  return best;
}

/** Of offers that may all be had together, but for groups, those that may; and none that is spent in vain. */
function bestOfGroups(selected: Selection, input: DecisionInput, depth: Depth): Outcome | undefined {
  const { work, venue } = input;
  const priceQuickly = (own: Selection): Outcome | undefined => priceSelection(own, input, 'quick');
  const isRestricted = venue.programme.isRestricted && selected.selection.length > 1;
  const chosen = isRestricted
    ? work.within(work.left * PART.ofMembers, () => chooseMembers(selected, input, priceQuickly))
    : selected;
  let best = priceSelection(chosen, input, depth);
  for (const start of startsOfNetMinimums(selected, chosen, input)) {
    if (best && work.left === 0) break;
    const outcome = priceQuickly(start);
    if (outcome && (!best || isPreferred(outcome, best))) best = outcome;
  }
  return best && withoutWaste(best, chosen, input, priceQuickly);
}

/**
 * A discount on the order whose net minimum is not met by what was chosen is left out. The search knows nothing of that, so it has two starts
 * more: each offer alone, and all discounts on the order without line-level benefits.
 */
function startsOfNetMinimums(
  selected: Selection,
  chosen: Selection,
  { venue, basket, ignoresMinimums }: DecisionInput,
): Selection[] {
  if (!asksForNet(selected) || ignoresMinimums) return [];
  const only = (selection: readonly Offer[]): Selection => ({
    ...selected,
    selection,
    gifts: collectGifts(selection, venue, basket),
  });
  const orders = only(chosen.selection.filter((offer) => offer.adds || isAt(offer, 'order') || isAt(offer, 'gift')));
  // What a gift adds is no line-level benefit, and what it gives in the basket is one.
  const withoutLines = { ...orders, selection: orders.selection.filter((offer) => !offer.adds) };
  return [withoutLines, orders, ...selected.selection.map((offer) => only([offer]))];
}
