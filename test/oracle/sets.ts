/** Every way in which `buy_x_get_y` can form sets (packages/engine/README.md, rule 9). */
import { buy, type Draft, freeUnits, type GroupRules, isCombinable, sharedUnitsLeft, take } from './draft.ts';
import { familyOf } from './kinds.ts';
import { offAlone } from './settle.ts';
import { sumOf } from './share.ts';
import type { Line, Offer, PricedBenefit } from './types.ts';
import { existingOf, givenOff, touchedLines } from './units.ts';

type BuyXGetY = Extract<PricedBenefit, { kind: 'buy_x_get_y' }>;

/** A benefit of lines that draws the cheapest units. */
export function takesCheapest({ benefit }: Offer): boolean {
  return familyOf(benefit) === 'line' && (benefit as { pick?: string }).pick === 'cheapest';
}

export function givesCheapest({ benefit }: Offer): boolean {
  return (benefit as BuyXGetY).pick === 'cheapest';
}

/** A line that cannot be split takes one benefit, and the units bought for an offer that shares them with none count. */
function isFreeFor(draft: Draft, line: Line, offer: Offer): boolean {
  if (line.isSplittable) return true;
  const takers = [...(draft.taken.get(line)?.keys() ?? []), ...(draft.apart.get(line)?.keys() ?? [])];
  return takers.every((other) => other === offer);
}

/** A unit may be given if it is named, may be discounted at line level, and its percentage is a minor unit at least. */
function mayGive(draft: Draft, line: Line, offer: Offer, rules: GroupRules): boolean {
  return fitsGiving(line, offer, rules) && isFreeFor(draft, line, offer);
}

/** Whether others have the line already, or not. */
function fitsGiving(line: Line, offer: Offer, rules: GroupRules): boolean {
  const { get } = offer.benefit as BuyXGetY;
  return (
    offer.eligible[1]!.has(line) && line.takesLineLevel && givenOff(line, offer.benefit, get.percent ?? 100, rules) > 0
  );
}

function mayBuy(draft: Draft, line: Line, offer: Offer): boolean {
  return offer.eligible[0]!.has(line) && (isCombinable(offer) || isFreeFor(draft, line, offer));
}

/** What an offer does with the units of one line. */
interface Roles {
  readonly line: Line;
  readonly bought: number;
  readonly given: number;
  readonly fitsBuy: boolean;
  readonly fitsGet: boolean;
}

/** Every way to form sets of each offer, of any units; the last set may give fewer, unless it has to be complete. */
export function* setDrafts(draft: Draft, [offer, ...others]: readonly Offer[], rules: GroupRules): Generator<Draft> {
  if (!offer) {
    yield draft;
    return;
  }
  const { buy: toBuy, get } = offer.benefit as BuyXGetY;
  for (const roles of assignments(draft, offer, rules.lines, rules)) {
    const bought = sumOf(roles, (own) => own.bought);
    const given = sumOf(roles, (own) => own.given);
    if (given % leastGiven(offer) !== 0 || given > offer.items) continue;
    if (bought !== Math.ceil(given / get.quantity) * toBuy.quantity) continue;
    if (!isCutDearestFirst(roles, offer, rules)) continue;
    let result = draft;
    for (const own of roles) {
      if (own.bought > 0) result = buy(result, own.line, offer, own.bought);
      if (own.given > 0) result = take(result, own.line, offer, own.given);
    }
    yield* setDrafts(result, others, rules);
  }
}

/** So many units at once, and no fewer, are given. */
function leastGiven({ benefit }: Offer): number {
  const { get } = benefit as BuyXGetY;
  return get.complete ? get.quantity : 1;
}

function* assignments(
  draft: Draft,
  offer: Offer,
  [line, ...others]: readonly Line[],
  rules: GroupRules,
): Generator<Roles[]> {
  if (!line) {
    yield [];
    return;
  }
  // Where a unit stands in the row follows from the selectors, whatever others have taken.
  const [fitsBuy, fitsGet] = [offer.eligible[0]!.has(line), fitsGiving(line, offer, rules)];
  const [buyable, giveable] = [mayBuy(draft, line, offer), mayGive(draft, line, offer, rules)];
  const free = freeUnits(draft, line);
  for (const rest of assignments(draft, offer, others, rules)) {
    for (let bought = 0; bought <= (buyable ? free : 0); bought++) {
      for (let given = 0; given <= (giveable ? free - bought : 0); given++) {
        yield [{ line, bought, given, fitsBuy, fitsGet }, ...rest];
      }
    }
  }
}

/**
 * The units that fit both halves stand in a row, the dearest first, of one price the smaller net saving first, and are cut
 * into sets whose last units are given. Where units that fit one half alone take part, those to buy stand before
 * the row, and up to every place of it only full sets of bought units have given some.
 */
function isCutDearestFirst(roles: readonly Roles[], offer: Offer, rules: GroupRules): boolean {
  const { buy: bought, get } = offer.benefit as BuyXGetY;
  const [toBuy, toGive] = [bought.quantity, get.quantity];
  const row = roles.filter(({ fitsBuy, fitsGet }) => fitsBuy && fitsGet);
  const isAlone = roles.every((own) => own.bought + own.given === 0 || row.includes(own));
  const places = row.map(({ line }) => placeOf(line, offer, rules));
  const before = sumOf(
    roles.filter(({ fitsBuy, fitsGet }) => fitsBuy && !fitsGet),
    (own) => own.bought,
  );
  for (const place of places) {
    const upTo = row.filter(({ line }) => comesBy(placeOf(line, offer, rules), place));
    const boughtBefore = before + sumOf(upTo, (own) => own.bought);
    const given = sumOf(upTo, (own) => own.given);
    const [full, rest] = [
      Math.floor((boughtBefore + given) / (toBuy + toGive)),
      (boughtBefore + given) % (toBuy + toGive),
    ];
    if (isAlone && given !== full * toGive + Math.max(0, rest - toBuy)) return false;
    if (given > Math.floor(boughtBefore / toBuy) * toGive) return false;
  }
  return true;
}

interface Place {
  readonly price: number;
  readonly netSaving: number;
}

/**
 * The price of a unit, and what it saves when it is given: what is taken off, no more than it still costs, less the existing
 * discount that it loses.
 */
function placeOf(line: Line, { benefit }: Offer, rules: GroupRules): Place {
  if (!line.joined) return { price: line.price, netSaving: netSavingOf(line, 1, line.units, benefit, rules) };
  const touched = touchedLines(line, benefit);
  const netSaving = sumOf(touched, (own) =>
    Math.max(0, netSavingOf(own.line, own.perUnit, line.units, benefit, rules)),
  );
  return { price: line.price, netSaving };
}

/** Of so many units of a line that belong to one of `all` units. */
function netSavingOf(
  { price, body, units }: Line,
  count: number,
  all: number,
  benefit: PricedBenefit,
  rules: GroupRules,
): number {
  const { get } = benefit as BuyXGetY;
  const { existingLineDiscountAmount: existing, originalLinePrice, orderDiscountAllocation } = body;
  const allocated = sumOf(orderDiscountAllocation, ({ orderDiscountId, orderDiscountAllocationAmount }) =>
    rules.removed.has(orderDiscountId) ? 0 : orderDiscountAllocationAmount,
  );
  const stays = rules.existingLineDiscounts === 'stack' ? existing : 0;
  const goes = rules.existingLineDiscounts === 'replace_if_larger' ? existing : 0;
  const effect = ((price - stays / units) * Math.round((get.percent ?? 100) * 100)) / 10_000;
  return Math.min(effect * count, (originalLinePrice - allocated - stays) / all) - goes / all;
}

function comesBy(place: Place, other: Place): boolean {
  return place.price > other.price || (place.price === other.price && place.netSaving <= other.netSaving);
}

/** The offers that give the cheapest units, in order, each as if it were alone, or not at all. */
export function* cheapestDrafts(
  draft: Draft,
  [offer, ...others]: readonly Offer[],
  rules: GroupRules,
): Generator<Draft> {
  if (!offer) {
    yield draft;
    return;
  }
  yield* cheapestDrafts(draft, others, rules);
  if (takesCheapest(offer)) {
    const taken = takeCheapest(draft, offer, rules);
    if (taken !== draft) yield* cheapestDrafts(taken, others, rules);
    return;
  }
  let most: Draft | undefined;
  const left = Math.min(offer.items, sharedUnitsLeft(draft, offer));
  for (let units = leastGiven(offer); units <= left; units += leastGiven(offer)) {
    const given = giveUnits(draft, offer, units, rules);
    if (!given) break;
    most = given;
  }
  if (most) yield* cheapestDrafts(most, others, rules);
}

/** The one way to give so many units, or undefined when there are not enough of them or not enough to buy. */
function giveUnits(draft: Draft, offer: Offer, all: number, rules: GroupRules): Draft | undefined {
  const { lines } = rules;
  const replacesIfLarger = rules.existingLineDiscounts === 'replace_if_larger';
  const { buy: bought, get } = offer.benefit as BuyXGetY;
  const toBuy = Math.ceil(all / get.quantity) * bought.quantity;
  const buyers = lines.filter((line) => mayBuy(draft, line, offer));
  let buyable = sumOf(buyers, (line) => freeUnits(draft, line));
  let toGive = all;
  let result = draft;
  const dearestFirst = [...lines].sort((a, b) => {
    const [one, other] = [placeOf(a, offer, rules), placeOf(b, offer, rules)];
    if (comesBy(one, other) && comesBy(other, one)) return a.position - b.position;
    return comesBy(one, other) ? -1 : 1;
  });
  for (const line of [...dearestFirst].reverse()) {
    if (!mayGive(draft, line, offer, rules)) continue;
    const perUnit = givenOff(line, offer.benefit, get.percent ?? 100, rules);
    if (replacesIfLarger && perUnit * line.units <= existingOf(line, offer.benefit)) continue;
    const spare = buyers.includes(line) ? buyable - toBuy : Infinity;
    const units = Math.max(0, Math.min(toGive, freeUnits(draft, line), spare));
    if (units === 0) continue;
    result = take(result, line, offer, units);
    toGive -= units;
    if (buyers.includes(line)) buyable -= units;
  }
  if (toGive > 0 || buyable < toBuy) return undefined;
  let left = toBuy;
  for (const line of dearestFirst) {
    if (!buyers.includes(line)) continue;
    const units = Math.min(left, freeUnits(result, line));
    if (units > 0) result = buy(result, line, offer, units);
    left -= units;
  }
  return result;
}

/** The cheapest units that the benefit makes cheaper, of one price the larger net saving first, then by position, as many as it may take. */
function takeCheapest(draft: Draft, offer: Offer, rules: GroupRules): Draft {
  const isReplaced = rules.existingLineDiscounts === 'replace_if_larger';
  const open = rules.lines
    .filter((line) => offer.eligible[0]!.has(line) && line.takesLineLevel && isFreeFor(draft, line, offer))
    .map((line) => {
      const off = offAlone(line, offer, rules);
      const goes = isReplaced ? existingOf(line, offer.benefit) : 0;
      return { line, off, goes, saving: Math.min(off, roomOfLine(line, rules) / line.units) - goes / line.units };
    })
    .filter(({ line, off, goes }) => off > 0 && off * line.units > goes);
  open.sort((a, b) => a.line.price - b.line.price || b.saving - a.saving || a.line.position - b.line.position);
  let left = Math.min(offer.items, sharedUnitsLeft(draft, offer));
  let result = draft;
  for (const { line } of open) {
    const units = Math.min(left, freeUnits(result, line));
    if (units > 0) result = take(result, line, offer, units);
    left -= units;
  }
  return result;
}

/** What a line can still get cheaper, with all that stands with it. */
function roomOfLine(line: Line, rules: GroupRules): number {
  return sumOf(line.joined?.map((own) => own.line) ?? [line], ({ body }) => {
    const allocated = sumOf(body.orderDiscountAllocation, (own) =>
      rules.removed.has(own.orderDiscountId) ? 0 : own.orderDiscountAllocationAmount,
    );
    const stays = rules.existingLineDiscounts === 'stack' ? body.existingLineDiscountAmount : 0;
    return body.originalLinePrice - allocated - stays;
  });
}
