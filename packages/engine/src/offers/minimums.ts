import type { BuyGetRule } from '../compile/rule.ts';
import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { matchedLines } from '../lines/matching.ts';
import { COST, type Work } from '../work.ts';
import { shortItems } from './missing-items.ts';
import { effectAlone } from './modified-line.ts';
import {
  type BundleOffer,
  type BuyGetOffer,
  discountableLines,
  eligibleLines,
  isAt,
  isEligible,
  type Offer,
} from './offers.ts';
import { countedUnits, missingGoods } from './requirements.ts';

/**
 * What a benefit asks of the basket as it came: `minimumSpend`, `minimumQuantity`, the goods that it requires, one `perSpend` at
 * least, and units enough for one set or bundle.
 */

/** How much a basket lacks to meet the minimums of an offer: minor units and units, 0 where a minimum is met. */
export interface Shortfall {
  readonly spend: number;
  readonly quantity: number;
}

/** Measures the minimums on the eligible lines as they came, or on all lines of the basket. */
export function shortfallOf(offer: Offer, lines: readonly LineFacts[]): Shortfall {
  const { minimumSpend, minimumSpendOn, minimumQuantity, minimumQuantityOn, selectors } = offer.benefit;
  const { spend, quantity } = countEligible(offer, lines);
  const joined = selectors[0]!.isOfUnits ? offer.matches : undefined;
  const units =
    minimumQuantityOn === 'eligible' ? quantity : lines.reduce((sum, line) => sum + countedUnits(line, joined), 0);
  const counted = minimumSpendOn === 'eligible' ? spend : lines.reduce((sum, { line }) => sum + line.orderLinePrice, 0);
  return {
    spend: Math.max(0, minimumSpend - counted, perSpendOf(offer) - spend),
    quantity: Math.max(0, minimumQuantity - units),
  };
}

function asksForMinimum(offer: Offer): boolean {
  const { minimumSpend, minimumQuantity } = offer.benefit;
  return minimumSpend > 0 || minimumQuantity > 0 || perSpendOf(offer) > 0;
}

function perSpendOf({ benefit: { rule } }: Offer): number {
  return rule.level === 'order' ? rule.perSpend : 0;
}

/** Minor units and units of what is eligible under any selector, each line counted once, as they came; a unit with modifiers is one. */
function countEligible(
  offer: Offer,
  lines: readonly LineFacts[],
): { readonly spend: number; readonly quantity: number } {
  const { selectors } = offer.benefit;
  const own = selectors.flatMap((selector) =>
    matchedLines(offer.matches, selector).filter((i) => isEligible(selector, lines[i]!)),
  );
  const units = selectors.flatMap((_, n) => eligibleLines(offer, n, lines));
  const spend = [...new Set(own)].reduce((sum, i) => sum + lines[i]!.line.orderLinePrice, 0);
  return { spend, quantity: unitsOf(new Set(units), lines) };
}

export function isMinimumMet(offer: Offer, lines: readonly LineFacts[], work: Work): boolean {
  const { selectors, requires, minimumSpendOn, minimumQuantityOn } = offer.benefit;
  if (requires.length > 0) {
    work.count(COST.offer + requires.length * lines.length * COST.listedLine);
    if (missingGoods(offer, lines).length > 0) return false;
  }
  if (!asksForMinimum(offer)) return true;
  const isOfBasket = minimumSpendOn === 'basket' || minimumQuantityOn === 'basket';
  const all = isOfBasket ? 2 * lines.length : lines.length;
  work.count(COST.offer + (all + selectors.length * offer.matches.words) * COST.listedLine);
  const { spend, quantity } = shortfallOf(offer, lines);
  return spend === 0 && quantity === 0;
}

/** The offers whose minimums are met, each as often as the spend on its lines says. */
export function withMinimumsMet(offers: readonly Offer[], lines: readonly LineFacts[], work: Work): Offer[] {
  const met: Offer[] = [];
  for (const offer of offers) {
    if (isMinimumMet(offer, lines, work)) met.push(timesBySpend(offer, lines, work));
  }
  return met;
}

function timesBySpend(offer: Offer, lines: readonly LineFacts[], work: Work): Offer {
  const perSpend = perSpendOf(offer);
  if (perSpend === 0) return offer;
  work.count(COST.offer + (lines.length + offer.matches.words) * COST.listedLine);
  return { ...offer, times: Math.floor(countEligible(offer, lines).spend / perSpend) };
}

/** The lines from which units may be bought and on which they may be given, ascending. */
function buyGetLines(
  offer: BuyGetOffer,
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
): { readonly buy: readonly number[]; readonly get: readonly number[] } {
  const { rule } = offer.benefit;
  const buy = eligibleLines(offer, 0, lines);
  const get = discountableLines(offer, 1, lines).filter((i) => isWorthGiving(lines[i]!, rule, policy));
  return { buy, get };
}

/**
 * True where a given unit has an effect; where the guest may not choose which units are given, one that beats the unit's
 * share of an existing discount.
 */
export function isWorthGiving(line: LineFacts, rule: BuyGetRule, policy: ExistingLineDiscounts): boolean {
  const { effect, existing } = effectAlone(rule, true, line);
  if (effect <= 0) return false;
  return rule.pick === 'per_set' || policy !== 'replace_if_larger' || effect * line.units > existing;
}

export interface MissingUnits {
  readonly units: number;
  /** Which products the units would have to be, for people. */
  readonly description: string;
}

/** The units of each half or item that are missing to form a set or a bundle once, be it a set that gives a single unit. Empty when it can be formed. */
export function missingUnits(offer: Offer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): MissingUnits[] {
  if (isAt(offer, 'buyGet')) return missingHalves(offer, lines, policy);
  return isAt(offer, 'bundle') ? missingItems(offer, lines) : [];
}

/** Units of some lines, by their places. */
function unitsOf(places: Iterable<number>, lines: readonly LineFacts[]): number {
  return [...places].reduce((units, i) => units + lines[i]!.units, 0);
}

function missingHalves(offer: BuyGetOffer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): MissingUnits[] {
  const { rule, selectors } = offer.benefit;
  const { buy, get } = buyGetLines(offer, lines, policy);
  const [toBuy, toGet] = [rule.buyQuantity - unitsOf(buy, lines), rule.leastGiven - unitsOf(get, lines)];
  const together = rule.buyQuantity + rule.leastGiven - unitsOf(new Set([...buy, ...get]), lines);
  const [bought, given] = [selectors[0]!.description, selectors[1]!.description];
  if (toBuy > 0 && toGet > 0 && bought !== given) {
    // What only the sum lacks may be of the wider half.
    const more = Math.max(0, together - toBuy - toGet);
    const isGetWider = buy.every((line) => get.includes(line));
    return [
      { units: toBuy + (isGetWider ? 0 : more), description: bought },
      { units: toGet + (isGetWider ? more : 0), description: given },
    ];
  }
  // Where one half is short, filling it may do; where only the sum is short, a unit of either half counts.
  if (toBuy > 0) return [{ units: Math.max(toBuy, together), description: bought }];
  if (toGet > 0 || together > 0) return [{ units: Math.max(toGet, together), description: given }];
  return [];
}

/** The units of each item that are missing to form a bundle once; where items share products and all together are too few, of any of these. */
function missingItems(offer: BundleOffer, lines: readonly LineFacts[]): MissingUnits[] {
  const { rule, selectors } = offer.benefit;
  const items = rule.quantities.map((quantity, item) => ({ quantity, own: discountableLines(offer, item, lines) }));
  const namesOf = (rivals: readonly number[]): string => {
    const own = rivals.map((item) => selectors[item]!);
    const widest = own.find(({ namesEverything }) => namesEverything);
    return (
      widest?.description ?? [...new Set(own.flatMap(({ description }) => description.split(' or ')))].join(' or ')
    );
  };
  return shortItems(items, (line) => lines[line]!.units).flatMap(({ alone, shared, rivals }, item) => [
    ...(alone > 0 ? [{ units: alone, description: selectors[item]!.description }] : []),
    ...(shared > 0 ? [{ units: shared, description: namesOf(rivals) }] : []),
  ]);
}

/** True where a set or a bundle has lines to draw from, but not units enough to be formed once. */
export function lacksUnits(offer: Offer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): boolean {
  const { selectors } = offer.benefit;
  const hasLines = selectors.some((_, n) => discountableLines(offer, n, lines).length > 0);
  return hasLines && missingUnits(offer, lines, policy).length > 0;
}
