import { formsDeals } from '../compile/rule.ts';
import type { UnitOffer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';
import { form } from './form.ts';
import { Hand } from './hand.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';
import type { Way } from './way.ts';

/**
 * Choices to begin with that are made in one go: bundles and sets are formed of the dearest units, one offer after another,
 * as long as they gain more than the benefits of each line would. They are cheap to make, and the judge has the last word.
 */

/** So many offers are tried as the first to form. */
const MOST_FIRST = 8;

/** Judges a choice; true where it is better than all before. */
export type Consider = (ways: readonly Way[]) => boolean;

/**
 * Each offer that forms bundles or sets in turn is the first; the others follow, those first that gain most. Once on all
 * units, once on those that limited offers leave when they are assigned first.
 */
export function dealsOf(
  model: Model,
  alone: readonly Way[],
  assigned: readonly Way[] | undefined,
  prices: Prices,
  considerFormed: Consider,
  considerAll: Consider,
  work: Work,
): void {
  const forming = model.offers.filter((offer) => formsDeals(offer.benefit.level));
  const cost = costOfDeal(model, forming);
  const gains = new Map<UnitOffer, number>();
  let first: { readonly hand: Hand; readonly gain: number } | undefined;
  for (const offer of forming) {
    if (!work.spend(cost / forming.length)) break;
    const hand = new Hand(model, alone, work);
    const gain = form(hand, offer);
    gains.set(offer, gain);
    if (gain > (first?.gain ?? 0)) first = { hand, gain };
  }
  if (first) considerAll(first.hand.ways());
  if (gains.size < forming.length) return;
  const ranked = forming.filter((offer) => gains.get(offer)! > 0).sort((a, b) => gains.get(b)! - gains.get(a)!);
  for (const first of ranked.slice(0, MOST_FIRST)) {
    for (const held of assigned ? [undefined, assigned] : [undefined]) {
      if (!work.spend(cost)) return;
      const hand = new Hand(model, alone, work, held, prices);
      form(hand, first);
      for (const offer of ranked) form(hand, offer);
      if (held) considerAll(hand.ways());
      else considerFormed(hand.ways());
    }
  }
}

function costOfDeal({ places }: Model, forming: readonly UnitOffer[]): number {
  return places.length * (forming.length * COST.formedLine + COST.option);
}
