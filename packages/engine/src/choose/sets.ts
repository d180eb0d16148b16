import type { BuyGetRule } from '../compile/rule.ts';
import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { netSavingOf as netSavingOfUnit } from '../offers/modified-line.ts';
import type { BuyGetOffer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';
import type { LineLists } from './line-lists.ts';

/** Sets of units bought and given: which lines they draw from, and how the dearest units come first. */

/** An offer in sets with the lines of its two halves. */
export interface SetLines {
  readonly offer: BuyGetOffer;
  readonly fitsBuy: readonly boolean[];
  readonly fitsGet: readonly boolean[];
  /** The lines that fit both halves in the order in which their units are cut into sets, the dearest first. */
  readonly row: readonly number[];
  /** Per line of the row its place: lines of equal price and equal net saving have the same one. */
  readonly placeOf: readonly number[];
}

/** Units of one line that an offer has bought and given. */
export interface SetUnits {
  readonly line: number;
  readonly bought: number;
  readonly given: number;
}

/** The lines of each offer, found when they are first asked for. */
export type SetsOf = (offer: BuyGetOffer) => SetLines;

export function findSets(
  lines: readonly LineFacts[],
  lists: LineLists,
  policy: ExistingLineDiscounts,
  work: Work,
): SetsOf {
  const known = new Map<BuyGetOffer, SetLines>();
  return (offer) => {
    let own = known.get(offer);
    if (!own) {
      own = setLinesOf(offer, lines, lists, policy);
      work.count(lines.length * COST.countedLine + own.row.length * COST.evaluatedLine);
      known.set(offer, own);
    }
    return own;
  };
}

function setLinesOf(
  offer: BuyGetOffer,
  lines: readonly LineFacts[],
  lists: LineLists,
  policy: ExistingLineDiscounts,
): SetLines {
  const fitsBuy = new Array<boolean>(lines.length).fill(false);
  const fitsGet = new Array<boolean>(lines.length).fill(false);
  for (const i of lists.eligible(offer, 0)) fitsBuy[i] = true;
  for (const i of lists.giveable(offer, policy)) fitsGet[i] = true;
  const { rule } = offer.benefit;
  const both = lists.eligible(offer, 0).filter((i) => fitsGet[i]);
  const savings = new Map(both.map((i) => [i, netSavingOf(lines[i]!, rule, policy)]));
  const byPlace = (a: number, b: number): number =>
    lines[b]!.unitPrice - lines[a]!.unitPrice || savings.get(a)! - savings.get(b)!;
  const row = both.toSorted((a, b) => byPlace(a, b) || a - b);
  const placeOf: number[] = [];
  row.forEach((line, at) => {
    const before = row[at - 1];
    placeOf[line] = before !== undefined && byPlace(before, line) === 0 ? placeOf[before]! : at;
  });
  return { offer, fitsBuy, fitsGet, row, placeOf };
}

/**
 * What a given unit of the line saves: what is taken off it, cut to what it still costs, less the existing discount that
 * gives way; before rounding. Of one price the units that save less come first in a set.
 */
export function netSavingOf(line: LineFacts, rule: BuyGetRule, policy: ExistingLineDiscounts): number {
  if (line.unit) return netSavingOfUnit(line, rule);
  const { units, room, existing } = line;
  const replaced = policy === 'replace_if_larger' && existing > 0 ? existing / units : 0;
  return Math.min(rule.extent(line).perUnit, room / units) - replaced;
}

/** The most of so many units that sets may give: all of them, or those of full sets. */
export function mostGiven({ leastGiven }: BuyGetRule, units: number): number {
  return Math.floor(units / leastGiven) * leastGiven;
}

/** True where so many units, bought and given together, may be sets: after the full ones the last one may give fewer. */
export function mayBeSets({ buyQuantity, getQuantity, leastGiven }: BuyGetRule, units: number): boolean {
  const rest = units % (buyQuantity + getQuantity);
  return rest === 0 || rest >= buyQuantity + leastGiven;
}

/** True where these units are sets, cut of the dearest units first (README.md, rule 9). */
export function areSets(set: SetLines, units: readonly SetUnits[]): boolean {
  const { rule } = set.offer.benefit;
  let [bought, given, before] = [0, 0, 0];
  let isAlone = true;
  const ofLine = new Map<number, SetUnits>();
  for (const own of units) {
    bought += own.bought;
    given += own.given;
    ofLine.set(own.line, own);
    if (set.fitsBuy[own.line] && set.fitsGet[own.line]) continue;
    isAlone = false;
    if (!set.fitsGet[own.line]) before += own.bought;
  }
  const sets = Math.ceil(given / rule.getQuantity);
  if (bought !== sets * rule.buyQuantity || mostGiven(rule, given) !== given) return false;
  if (rule.pick === 'cheapest') return true;
  let [boughtBefore, givenBefore] = [before, 0];
  for (const [at, line] of set.row.entries()) {
    const own = ofLine.get(line);
    boughtBefore += own?.bought ?? 0;
    givenBefore += own?.given ?? 0;
    const next = set.row[at + 1];
    if (next !== undefined && set.placeOf[next] === set.placeOf[line]) continue;
    if (!isCut(rule, boughtBefore, givenBefore, isAlone)) return false;
  }
  return true;
}

/** Up to a place of the row no more is given than full sets of bought units give; where all fit both halves, just as much. */
function isCut({ buyQuantity, getQuantity }: BuyGetRule, bought: number, given: number, isAlone: boolean): boolean {
  if (given > Math.floor(bought / buyQuantity) * getQuantity) return false;
  if (!isAlone) return true;
  const size = buyQuantity + getQuantity;
  const rest = (bought + given) % size;
  return given === Math.floor((bought + given) / size) * getQuantity + Math.max(0, rest - buyQuantity);
}
