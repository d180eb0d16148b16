import type { Gift } from './gifts.ts';
import type { LineFacts } from './lines.ts';
import { discountableLines, eligibleLines, isAt, mostOfOffer, type Offer } from './offers.ts';
import type { Outcome } from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';
import { largestEffect } from './split.ts';
import { COST } from './work.ts';

/** Benefits that are not spent on less than they say. */

/** The offers with an effect that save the guest less than their minimum, the one that lacks most first. */
export function lowSavers(outcome: Outcome): Offer[] {
  const saved = netSavingsOf(outcome);
  const lack = (offer: Offer): number => offer.benefit.minimumSaving - saved.get(offer)!;
  const low = [...saved.keys()].filter((offer) => lack(offer) > 0);
  return low.sort((a, b) => lack(b) - lack(a) || a.benefit.ordinal - b.benefit.ordinal);
}

/** What each offer saves the guest: its effect less the existing discounts that give way to it. */
function netSavingsOf({ parts, orders, gifts }: Outcome): Map<Offer, number> {
  const saved = new Map<Offer, number>();
  const add = (offer: Offer, amount: number): unknown => saved.set(offer, (saved.get(offer) ?? 0) + amount);
  for (const { offer, effect, existing, isCleared } of parts)
    if (offer) add(offer, effect - (isCleared ? existing : 0));
  for (const { offer, amount } of orders) add(offer, amount);
  for (const { offer, worth } of gifts) add(offer, worth);
  return saved;
}

/** True where all that the offer may touch costs less than its minimum saving. */
export function isOutOfReach(
  offer: Offer,
  { standing, lines: seen, gifts }: Selection,
  { work }: DecisionInput,
): boolean {
  const lines = isAt(offer, 'order') ? standing.lines : seen;
  const { minimumSaving } = offer.benefit;
  if (minimumSaving === 0) return false;
  const given = worthGivenBy(offer, gifts);
  if (isAt(offer, 'gift')) return given < minimumSaving;
  work.count(COST.offer + lines.length * COST.listedLine);
  return given + mostOfOffer(offer, lines) < minimumSaving;
}

/** The price of the products that an offer adds. */
function worthGivenBy(offer: Offer, gifts: readonly Gift[]): number {
  return gifts.find((gift) => gift.offer === offer)?.worth ?? 0;
}

/** True where the offer saves less than its minimum whatever else applies: without competitors it saves most. */
export function isHopeless(offer: Offer, { lines, gifts }: Selection, { work }: DecisionInput): boolean {
  const { minimumSaving } = offer.benefit;
  if (!isAt(offer, 'line')) return false;
  work.count(lines.length * (lines.some(({ isWeighed }) => isWeighed) ? COST.weighedEffect : COST.effect));
  let most = worthGivenBy(offer, gifts);
  for (const i of discountableLines(offer, 0, lines)) most += largestEffect(lines[i]!, offer);
  return most < minimumSaving;
}

/** The offers that hold lines, or a part of the order, which this one might have. */
export function competitorsOf(offer: Offer, { parts, orders }: Outcome, lines: readonly LineFacts[]): Set<Offer> {
  const own = new Set(offer.benefit.selectors.flatMap((_, n) => eligibleLines(offer, n, lines)));
  const holders = parts.flatMap(({ offer: holder, joined, line }) =>
    holder && own.has((joined ?? line).index) ? holder : [],
  );
  const others = new Set<Offer>(isAt(offer, 'order') ? [...holders, ...orders.map((order) => order.offer)] : holders);
  others.delete(offer);
  return others;
}
