import { formsGroups } from '../compile/rule.ts';
import { isAt, type UnitOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import { form } from './form.ts';
import { Hand, type Table } from './hand.ts';
import type { LineOption } from './line-option.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';

/**
 * Choices to begin with that are made in one go: bundles and sets are formed of the dearest units, one offer after another,
 * as long as they gain more than the benefits of each line would. They are cheap to make, and the judge has the last word.
 */

/** So many offers are tried as the first to form. */
const MOST_FIRST = 8;

/** Judges a choice; true where it is better than all before. */
export type Consider = (options: readonly LineOption[]) => boolean;

/**
 * Each offer that forms bundles or sets in turn is the first; the others follow, those first that gain most. Once on all
 * units, once on those that limited offers leave when they are assigned first.
 */
export function dealsOf(
  table: Table,
  assigned: readonly LineOption[] | undefined,
  prices: Prices,
  offers: readonly UnitOffer[],
  considerFormed: Consider,
  considerAll: Consider,
): readonly UnitOffer[] {
  const { model, inputs } = table;
  const { work } = inputs[0]!;
  const forming = offers.filter((offer) => formsGroups(offer.benefit.level) && model.couplings.limitsOf.has(offer));
  const cost = costOfDeal(model, forming);
  const gains = new Map<UnitOffer, number>();
  let alone: { readonly hand: Hand; readonly gain: number } | undefined;
  for (const offer of forming) {
    if (!work.spend(cost / forming.length)) break;
    const hand = new Hand(table);
    const gain = form(hand, offer);
    gains.set(offer, gain);
    if (gain > (alone?.gain ?? 0)) alone = { hand, gain };
  }
  if (alone) considerAll(alone.hand.options());
  if (gains.size < forming.length) return [];
  const ranked = forming.filter((offer) => gains.get(offer)! > 0).sort((a, b) => gains.get(b)! - gains.get(a)!);
  for (const first of ranked.slice(0, MOST_FIRST)) {
    for (const held of assigned ? [undefined, assigned] : [undefined])
      for (const priced of [undefined, prices]) {
        if (!work.spend(cost)) return ranked;
        const hand = new Hand(table, held, priced);
        form(hand, first);
        for (const offer of ranked) form(hand, offer);
        if (held) considerAll(hand.options());
        else considerFormed(hand.options());
      }
  }
  return ranked;
}

function costOfDeal({ lines }: Model, forming: readonly UnitOffer[]): number {
  return lines.length * (forming.length * COST.formedLine + COST.option);
}

/**
 * Improves a choice: one offer gives its bundles or sets back, and another one too or none, so that others may be formed of
 * their units before they are formed again. It ends when no such change helps, or the work is used up.
 */
export function dealAnew(
  table: Table,
  ranked: readonly UnitOffer[],
  best: { readonly options: readonly LineOption[] },
  considerFormed: Consider,
  considerAll: Consider,
): void {
  if (ranked.length === 0) return;
  const { model, inputs } = table;
  const { work } = inputs[0]!;
  const limited = [...model.couplings.limitsOf.keys()].filter((offer) => isAt(offer, 'line'));
  const formAll = (hand: Hand, without?: UnitOffer): void => {
    for (const offer of ranked) if (offer !== without) form(hand, offer);
  };
  const changes: ((hand: Hand) => readonly LineOption[])[] = ranked.flatMap((first) =>
    ranked.flatMap((second) => [
      (hand: Hand) => {
        hand.clear(first);
        hand.clear(second);
        for (const offer of ranked) if (offer !== first && offer !== second) form(hand, offer);
        form(hand, second);
        formAll(hand);
        return hand.options();
      },
      (hand: Hand) => {
        const had = hand.clear(first);
        hand.clear(second);
        form(hand, first, had - 1);
        if (first !== second) form(hand, second);
        formAll(hand, first);
        form(hand, first);
        return hand.options();
      },
    ]),
  );
  const tries = changes.map((change) => ({ change, isFormed: false }));
  for (const offer of limited)
    tries.push({
      change: (hand) => {
        hand.clear(offer);
        formAll(hand);
        for (const other of limited) hand.clear(other);
        return hand.options();
      },
      isFormed: true,
    });
  const cost = costOfDeal(model, ranked);
  const costOfClearing = model.lines.length * limited.length * COST.formedLine;
  let unchanged = 0;
  for (let at = 0; unchanged < tries.length; at = (at + 1) % tries.length) {
    const { change, isFormed } = tries[at]!;
    if (!work.spend(isFormed ? cost + costOfClearing : cost)) return;
    const options = change(new Hand(table, best.options));
    unchanged = (isFormed ? considerFormed : considerAll)(options) ? 0 : unchanged + 1;
  }
}
