import { type BundleOffer, isAt, type UnitOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { SetCoupling } from './couplings.ts';
import type { Hand } from './hand.ts';
import type { Role } from './way.ts';

/** Forms bundles and sets of the dearest units that are free in a hand. */

/** So many units may still be given or bundled. */
interface Quota {
  units: number;
}

/** Forms them of one offer, with at most so many units that are given or bundled; answers with what they gain. */
export function form(hand: Hand, offer: UnitOffer, most = Number.POSITIVE_INFINITY): number {
  const quota = { units: most };
  if (isAt(offer, 'bundle')) return formBundles(hand, offer, quota);
  const set = hand.model.couplings.setOf.get(offer);
  if (!set) return 0;
  if (set.set.row.length === 0) return formHalves(hand, set, quota, 'any', 'any');
  // What fits one half only is cheaper to use there than what fits both.
  const ofOutside = formHalves(hand, set, quota, 'outside', 'any') + formHalves(hand, set, quota, 'any', 'outside');
  return ofOutside + formRow(hand, set, quota);
}

/** Units of a line that a role may have. */
interface Source {
  readonly at: number;
  readonly role: number;
  /** What a unit gains there more than in the benefits of its line. */
  readonly gain: number;
}

/** The lines that have units for a role, those first that gain most by prices. */
function sourcesFor(hand: Hand, offer: UnitOffer, part: Role['part'], item?: number): Source[] {
  const found: (Source & { readonly rank: number; readonly lost: number })[] = [];
  for (const at of hand.model.places.keys()) {
    const role = hand.roleOf(at, offer, part, item);
    if (role < 0 || hand.freeFor(at, role) === 0) continue;
    // A unit that is bought cannot be given: those are bought first that would gain least.
    const other = part === 'bought' ? hand.roleOf(at, offer, 'given') : -1;
    const lost = other < 0 ? 0 : hand.gainOf(at, other);
    found.push({ at, role, gain: hand.gainOf(at, role), rank: hand.pricedGainOf(at, role), lost });
  }
  return found.sort((a, b) => b.rank - a.rank || a.lost - b.lost);
}

type Units = readonly [source: Source, units: number];

/** Takes so many units from the sources, the first ones first. Undefined where there are too few. */
function draw(hand: Hand, sources: readonly Source[], wanted: number, from = 0): Units[] | undefined {
  const drawn: Units[] = [];
  let left = wanted;
  for (let n = from; n < sources.length && left > 0; n++) {
    const source = sources[n]!;
    const units = Math.min(left, hand.freeFor(source.at, source.role));
    if (units === 0 || !hand.take(source.at, source.role, units)) continue;
    drawn.push([source, units]);
    left -= units;
  }
  if (left === 0) return drawn;
  giveBack(hand, drawn);
  return undefined;
}

function giveBack(hand: Hand, drawn: readonly Units[]): void {
  for (const [{ at, role }, units] of drawn) hand.take(at, role, -units);
}

function gainOf(drawn: readonly Units[]): number {
  return drawn.reduce((sum, [{ gain }, units]) => sum + gain * units, 0);
}

/** Takes as many units again as often as the same lines have them; answers with how often. */
function repeat(hand: Hand, drawn: readonly Units[], most: number): number {
  const ofLine = new Map<number, number>();
  for (const [{ at }, units] of drawn) ofLine.set(at, (ofLine.get(at) ?? 0) + units);
  let times = most;
  for (const [{ at, role }] of drawn) times = Math.min(times, Math.floor(hand.freeFor(at, role) / ofLine.get(at)!));
  if (!(times > 0)) return 0;
  for (const [{ at, role }, units] of drawn) hand.take(at, role, units * times);
  return times;
}

/**
 * One bundle or set after another until one gains nothing: `next` draws the units of one, and those of the same lines follow
 * as often as they suffice.
 */
function formEach(
  hand: Hand,
  offer: UnitOffer,
  size: number,
  quota: Quota,
  next: () => readonly Units[] | undefined,
  perBundle = 0,
): number {
  let gained = 0;
  let left = Math.floor(Math.min(quota.units, hand.leftOf(offer)) / size);
  while (left > 0 && hand.work.spend(COST.deal)) {
    const drawn = next();
    if (!drawn) break;
    const gain = gainOf(drawn) + perBundle * hand.worthOf(drawn[0]![0].at);
    if (gain <= 0) {
      giveBack(hand, drawn);
      break;
    }
    const times = 1 + repeat(hand, drawn, left - 1);
    gained += gain * times;
    left -= times;
    quota.units -= times * size;
  }
  return gained;
}

/** Bundles of the units that gain most. The item that has least to choose from chooses first. */
function formBundles(hand: Hand, offer: BundleOffer, quota: Quota): number {
  const { quantities, estimate } = offer.benefit.rule;
  const sources = quantities.map((_, item) => sourcesFor(hand, offer, 'bundle', item));
  const units = sources.map((own) => own.reduce((sum, { at, role }) => sum + hand.freeFor(at, role), 0));
  const items = [...quantities.keys()].sort((a, b) => units[a]! - units[b]!);
  const size = quantities.reduce((sum, quantity) => sum + quantity, 0);
  const next = (): readonly Units[] | undefined => {
    const all: Units[] = [];
    for (const item of items) {
      const drawn = draw(hand, sources[item]!, quantities[item]!);
      if (!drawn) {
        giveBack(hand, all);
        return undefined;
      }
      all.push(...drawn);
    }
    return all;
  };
  return formEach(hand, offer, size, quota, next, estimate.perBundle);
}

/** Sets of the row, cut one after another from the dearest unit on; those that gain nothing are passed over. */
function formRow(hand: Hand, { set }: SetCoupling, quota: Quota): number {
  const { offer, row } = set;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  const placeOf = new Map(hand.model.places.map(({ line }, at) => [line.index, at]));
  const sourcesOf = (part: Role['part']): Source[] =>
    row.flatMap((line) => {
      const at = placeOf.get(line);
      const role = at === undefined ? -1 : hand.roleOf(at, offer, part);
      return at === undefined || role < 0 ? [] : [{ at, role, gain: hand.gainOf(at, role) }];
    });
  // Both lists hold the same lines: those up to `from` are passed over.
  const [bought, given] = [sourcesOf('bought'), sourcesOf('given')];
  let from = 0;
  const next = (): readonly Units[] | undefined => {
    for (;;) {
      const own = draw(hand, bought, buyQuantity, from);
      if (!own) return undefined;
      const last = bought.indexOf(own.at(-1)![0]);
      const other = draw(hand, given, getQuantity, last);
      const drawn = other ? [...own, ...other] : own;
      if (other && gainOf(drawn) > 0) return drawn;
      giveBack(hand, drawn);
      if (!other || !hand.work.spend(COST.deal)) return undefined;
      from = last + 1;
    }
  };
  return formEach(hand, offer, getQuantity, quota, next);
}

type Lines = 'any' | 'outside';

/**
 * Where other lines are bought than given: the units that cost least to buy for those that gain most when given. `outside`:
 * only lines that fit one half.
 */
function formHalves(hand: Hand, { set }: SetCoupling, quota: Quota, ofBuy: Lines, ofGet: Lines): number {
  const { offer, fitsBuy, fitsGet } = set;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  const { places } = hand.model;
  const isOutside = ({ at }: Source): boolean => fitsBuy[places[at]!.line.index] !== fitsGet[places[at]!.line.index];
  const sourcesOf = (part: Role['part'], which: Lines): Source[] => {
    const all = sourcesFor(hand, offer, part);
    return which === 'any' ? all : all.filter(isOutside);
  };
  const [bought, given] = [sourcesOf('bought', ofBuy), sourcesOf('given', ofGet)];
  if (bought.length === 0 || given.length === 0) return 0;
  const next = (): readonly Units[] | undefined => {
    const own = draw(hand, bought, buyQuantity);
    const other = own && draw(hand, given, getQuantity);
    if (own && !other) giveBack(hand, own);
    return own && other && [...own, ...other];
  };
  return formEach(hand, offer, getQuantity, quota, next);
}
