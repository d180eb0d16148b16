import { type BundleOffer, isAt, type UnitOffer } from '../offers.ts';
import { formsGroups } from '../rule.ts';
import { COST } from '../work.ts';
import type { SetCoupling } from './couplings.ts';
import { Hand } from './hand.ts';
import type { LineOption, OptionInput } from './line-option.ts';
import type { Model } from './model.ts';
import type { Prices } from './prices.ts';

/**
 * Choices to begin with that are made in one go: bundles and sets are formed of the dearest units, one offer after another,
 * as long as they gain more than the benefits of each line would. They are cheap to make, and the judge has the last word.
 */

/** So many offers are tried as the first to form. */
const MOST_FIRST = 8;

type Made = { readonly model: Model; readonly inputs: readonly OptionInput[] };
/** Judges a choice; true where it is better than all before. */
export type Consider = (options: readonly LineOption[]) => boolean;

/**
 * Each offer that forms bundles or sets in turn is the first; the others follow, those first that gain most. Once on all
 * units, once on those that limited offers leave when they are assigned first.
 */
export function dealsOf(
  { model, inputs }: Made,
  free: readonly LineOption[],
  assigned: readonly LineOption[] | undefined,
  prices: Prices,
  offers: readonly UnitOffer[],
  considerFormed: Consider,
  considerAll: Consider,
): readonly UnitOffer[] {
  const forming = offers.filter((offer) => formsGroups(offer.benefit.level) && model.couplings.limitsOf.has(offer));
  const { work } = inputs[0]!;
  const cost = costOfDeal(model, forming);
  const gains = new Map<UnitOffer, number>();
  for (const offer of forming) {
    if (!work.spend(cost / forming.length)) return [];
    gains.set(offer, form(new Hand(model, inputs, free), offer));
  }
  const ranked = forming.filter((offer) => gains.get(offer)! > 0).sort((a, b) => gains.get(b)! - gains.get(a)!);
  for (const first of ranked.slice(0, MOST_FIRST)) {
    for (const held of assigned ? [undefined, assigned] : [undefined])
      for (const priced of [undefined, prices]) {
        if (!work.spend(cost)) return ranked;
        const hand = new Hand(model, inputs, free, held, priced);
        form(hand, first);
        for (const offer of ranked) form(hand, offer);
        if (held) considerAll(hand.options());
        else considerFormed(hand.options());
      }
  }
  return ranked;
}

function costOfDeal({ lines }: Model, forming: readonly UnitOffer[]): number {
  return lines.length * (forming.length * COST.sortedLine + COST.option);
}

/**
 * Improves a choice: one offer gives its bundles or sets back, and another one too or none, so that others may be formed of
 * their units before they are formed again. It ends when no such change helps, or the work is used up.
 */
export function dealAnew(
  { model, inputs }: Made,
  free: readonly LineOption[],
  ranked: readonly UnitOffer[],
  best: { readonly options: readonly LineOption[] },
  considerFormed: Consider,
  considerAll: Consider,
): void {
  const { work } = inputs[0]!;
  const cost = costOfDeal(model, ranked);
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
  let unchanged = 0;
  for (let at = 0; unchanged < tries.length; at = (at + 1) % tries.length) {
    if (!work.spend(cost)) return;
    const { change, isFormed } = tries[at]!;
    const options = change(new Hand(model, inputs, free, best.options));
    unchanged = (isFormed ? considerFormed : considerAll)(options) ? 0 : unchanged + 1;
  }
}

function form(hand: Hand, offer: UnitOffer, most = Number.POSITIVE_INFINITY): number {
  if (isAt(offer, 'bundle')) return formBundles(hand, offer, most);
  const set = hand.model.couplings.sets.find((own) => own.set.offer === offer);
  if (!set) return 0;
  const ofRow = set.set.row.length > 0 ? formRow(hand, set, most) : 0;
  return ofRow > 0 ? ofRow : formHalves(hand, set, most);
}

/** A unit that a role may take, and what it gains there more than in the benefits of its line. */
interface Unit {
  readonly at: number;
  readonly gain: number;
  /** The same by prices, by which it is chosen. */
  readonly priced: number;
}

/** The units that are free for a role, those first that gain most. */
function unitsFor(hand: Hand, offer: UnitOffer, part: 'bundle' | 'given' | 'bought', item?: number): Unit[] {
  const units: Unit[] = [];
  hand.model.lines.forEach((_line, at) => {
    const role = hand.roleOf(at, offer, part, item);
    if (role < 0) return;
    const own = { at, gain: hand.gainOf(at, role), priced: hand.pricedGainOf(at, role) };
    for (let unit = hand.freeFor(at, role); unit > 0; unit--) units.push(own);
  });
  return units.sort((a, b) => b.priced - a.priced);
}

/** One bundle after another of the units that gain most, until one gains nothing. */
function formBundles(hand: Hand, offer: BundleOffer, most: number): number {
  const { quantities } = offer.benefit.rule;
  const { perBundle } = offer.benefit.rule.estimate;
  const size = quantities.reduce((sum, quantity) => sum + quantity, 0);
  const units = quantities.map((_, item) => unitsFor(hand, offer, 'bundle', item));
  // The item that has least to choose from chooses first.
  const items = quantities.map((_, item) => item).sort((a, b) => units[a]!.length - units[b]!.length);
  let gained = 0;
  for (let made = size; ; made += size) {
    if (made > most || hand.leftOf(offer) < size) return gained;
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
function formRow(hand: Hand, { set }: SetCoupling, most: number): number {
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
  let [gained, given] = [0, 0];
  for (let from = 0; from + size <= units.length && hand.leftOf(offer) >= getQuantity; from += size) {
    if (given + getQuantity > most) break;
    const roles = units
      .slice(from, from + size)
      .map((at, n) => [at, hand.roleOf(at, offer, n < buyQuantity ? 'bought' : 'given')] as const);
    const gain = roles.reduce((sum, [at, role]) => sum + hand.gainOf(at, role), 0);
    if (gain <= 0 || !hand.takeAll(roles)) continue;
    gained += gain;
    given += getQuantity;
  }
  return gained;
}

/** Where other lines are bought than given: the units that cost least to buy for those that gain most when given. */
function formHalves(hand: Hand, { set }: SetCoupling, most: number): number {
  const { offer, fitsBuy, fitsGet } = set;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  const { lines } = hand.model;
  const isOutside = (at: number): boolean => fitsBuy[lines[at]!.index] !== fitsGet[lines[at]!.index];
  const bought = unitsFor(hand, offer, 'bought').filter(({ at }) => isOutside(at) || set.row.length === 0);
  const given = unitsFor(hand, offer, 'given');
  let gained = 0;
  for (let made = getQuantity; made <= most; made += getQuantity) {
    if (bought.length < buyQuantity || given.length < getQuantity || hand.leftOf(offer) < getQuantity) break;
    const own = [...bought.splice(0, buyQuantity), ...given.splice(0, getQuantity)];
    const gain = own.reduce((sum, unit) => sum + unit.gain, 0);
    if (gain <= 0) break;
    const roles = own.map(({ at }, n) => [at, hand.roleOf(at, offer, n < buyQuantity ? 'bought' : 'given')] as const);
    if (hand.takeAll(roles)) gained += gain;
  }
  return gained;
}
