import type { Offer } from './offers/offers.ts';
import type { LowSaver, Outcome } from './outcome.ts';

/** Benefits that are not spent on less than they say. */

/** The offers with an effect that save the guest less than their minimum, the one that lacks most first. */
export function lowSavers(outcome: Outcome): LowSaver[] {
  const lack = ({ offer, saved }: LowSaver): number => offer.benefit.minimumSaving - saved;
  const all = [...netSavingsOf(outcome)].map(([offer, saved]) => ({ offer, saved }));
  const low = all.filter((own) => lack(own) > 0);
  return low.sort((a, b) => lack(b) - lack(a) || a.offer.benefit.ordinal - b.offer.benefit.ordinal);
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
