import { isAt, type UnitOffer } from '../offers.ts';
import { formsGroups } from '../rule.ts';
import { COST } from '../work.ts';
import type { SetCoupling } from './couplings.ts';
import { Hand } from './hand.ts';
import type { LineOption, OptionInput } from './line-option.ts';
import type { Model } from './model.ts';

/**
 * Choices to begin with that are made in one go: bundles and sets are formed of the dearest units, one offer after another,
 * as long as they gain more than the benefits of each line would. They are cheap to make, and the judge has the last word.
 */

/** So many offers are tried as the first to form. */
const MOST_FIRST = 8;

/** Each offer that forms bundles or sets in turn is the first; the others follow, those first that gain most. */
export function dealsOf(
  { model, inputs }: { readonly model: Model; readonly inputs: readonly OptionInput[] },
  free: readonly LineOption[],
  offers: readonly UnitOffer[],
  consider: (options: readonly LineOption[]) => void,
): void {
  const forming = offers.filter(
    ({ benefit }, at) => formsGroups(benefit.level) && model.couplings.limitsOf.has(offers[at]!),
  );
  if (forming.length === 0) return;
  const { work } = inputs[0]!;
  const cost = model.lines.length * forming.length * COST.sortedLine;
  const gains = new Map<UnitOffer, number>();
  for (const offer of forming) {
    if (!work.spend(cost / forming.length)) return;
    gains.set(offer, form(new Hand(model, inputs, free), offer));
  }
  const ranked = forming.filter((offer) => gains.get(offer)! > 0).sort((a, b) => gains.get(b)! - gains.get(a)!);
  for (const first of ranked.slice(0, MOST_FIRST)) {
    if (!work.spend(cost + model.lines.length * COST.option)) return;
    const hand = new Hand(model, inputs, free);
    form(hand, first);
    for (const offer of ranked) if (offer !== first) form(hand, offer);
    consider(hand.options());
  }
}

function form(hand: Hand, offer: UnitOffer): number {
  if (isAt(offer, 'bundle')) return formBundles(hand, offer.benefit.rule.quantities, offer);
  const set = hand.model.couplings.sets.find((own) => own.set.offer === offer);
  if (!set) return 0;
  return set.set.row.length > 0 ? formRow(hand, set) + formHalves(hand, set) : formHalves(hand, set);
}

/** A unit that a role may take, and what it gains there more than in the benefits of its line. */
interface Unit {
  readonly at: number;
  readonly gain: number;
}

/** The units that are free for a role, those first that gain most. */
function unitsFor(hand: Hand, offer: UnitOffer, part: 'bundle' | 'given' | 'bought', item?: number): Unit[] {
  const units: Unit[] = [];
  hand.model.lines.forEach((_line, at) => {
    const role = hand.roleOf(at, offer, part, item);
    if (role < 0) return;
    const gain = hand.gainOf(at, role);
    for (let unit = hand.freeFor(at, role); unit > 0; unit--) units.push({ at, gain });
  });
  return units.sort((a, b) => b.gain - a.gain);
}

/** One bundle after another of the units that gain most, until one gains nothing. */
function formBundles(hand: Hand, quantities: readonly number[], offer: UnitOffer): number {
  if (!isAt(offer, 'bundle')) return 0;
  const { perBundle } = offer.benefit.rule.estimate;
  const size = quantities.reduce((sum, quantity) => sum + quantity, 0);
  const units = quantities.map((_, item) => unitsFor(hand, offer, 'bundle', item));
  // The item that has least to choose from chooses first.
  const items = quantities.map((_, item) => item).sort((a, b) => units[a]!.length - units[b]!.length);
  let gained = 0;
  for (;;) {
    if (hand.leftOf(offer) < size) return gained;
    const taken: (readonly [at: number, role: number])[] = [];
    let gain = perBundle;
    for (const item of items) {
      let wanted = quantities[item]!;
      for (const { at, gain: own } of units[item]!) {
        if (wanted === 0) break;
        const role = hand.roleOf(at, offer, 'bundle', item);
        if (!hand.take(at, role, 1)) continue;
        taken.push([at, role]);
        gain += own;
        wanted -= 1;
      }
      if (wanted > 0) gain = Number.NEGATIVE_INFINITY;
    }
    if (gain <= 0) {
      for (const [at, role] of taken) hand.take(at, role, -1);
      return gained;
    }
    gained += gain;
  }
}

/** Sets of the row, cut one after another from the dearest unit on; those that gain nothing are not formed. */
function formRow(hand: Hand, { set }: SetCoupling): number {
  const { offer, row } = set;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  const placeOf = new Map(hand.model.lines.map((line, at) => [line.index, at]));
  const units = row.flatMap((line): number[] => {
    const at = placeOf.get(line);
    if (at === undefined) return [];
    const role = hand.roleOf(at, offer, 'bought');
    return new Array<number>(hand.freeFor(at, role)).fill(at);
  });
  const size = buyQuantity + getQuantity;
  let gained = 0;
  for (let from = 0; from + size <= units.length && hand.leftOf(offer) >= getQuantity; from += size) {
    const roles = units
      .slice(from, from + size)
      .map((at, n) => [at, hand.roleOf(at, offer, n < buyQuantity ? 'bought' : 'given')] as const);
    const gain = roles.reduce((sum, [at, role]) => sum + hand.gainOf(at, role), 0);
    if (gain <= 0) continue;
    if (hand.takeAll(roles)) gained += gain;
  }
  return gained;
}

/** Where other lines are bought than given: the units that cost least to buy for those that gain most when given. */
function formHalves(hand: Hand, { set }: SetCoupling): number {
  const { offer, fitsBuy, fitsGet } = set;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  const { lines } = hand.model;
  const isOutside = (at: number): boolean => fitsBuy[lines[at]!.index] !== fitsGet[lines[at]!.index];
  const bought = unitsFor(hand, offer, 'bought').filter(({ at }) => isOutside(at) || set.row.length === 0);
  const given = unitsFor(hand, offer, 'given');
  let gained = 0;
  while (bought.length >= buyQuantity && given.length >= getQuantity && hand.leftOf(offer) >= getQuantity) {
    const own = [...bought.splice(0, buyQuantity), ...given.splice(0, getQuantity)];
    const gain = own.reduce((sum, unit) => sum + unit.gain, 0);
    if (gain <= 0) break;
    const roles = own.map(({ at }, n) => [at, hand.roleOf(at, offer, n < buyQuantity ? 'bought' : 'given')] as const);
    if (hand.takeAll(roles)) gained += gain;
  }
  return gained;
}
