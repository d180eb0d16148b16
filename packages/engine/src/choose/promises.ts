import type { LineFacts } from '../lines/lines.ts';
import { type BuyGetOffer, isAt, type UnitOffer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';
import { type LineList, type LineLists, remembered } from './line-lists.ts';
import { mostPerUnit } from './roles.ts';

/** What an offer may save alone, in minor units: as far as one may expect, and no more than this. */
interface Promised {
  readonly expected: number;
  readonly most: number;
}

/** What the offers of a problem promise to save. Each is computed once, however often the problem is searched. */
export class Promises {
  readonly #lines: readonly LineFacts[];
  readonly #lists: LineLists;
  readonly #work: Work;
  readonly #known = new Map<UnitOffer, Promised>();

  constructor(lines: readonly LineFacts[], lists: LineLists, work: Work) {
    this.#lines = lines;
    this.#lists = lists;
    this.#work = work;
  }

  of(offer: UnitOffer): Promised {
    return remembered(this.#known, offer, () => {
      const own = this.#linesOf(offer);
      this.#work.count(own.length * COST.promise);
      let [units, sum, dearest, mostInAll, mostOfUnit] = [0, 0, 0, 0, 0];
      for (const i of own) {
        const line = this.#lines[i]!;
        const unit = promiseOfUnit(offer, line);
        units += line.units;
        sum += unit * line.units;
        dearest = Math.max(dearest, unit);
        // The units of a bundle pay for each other.
        const most = isAt(offer, 'bundle') ? unit : mostPerUnit(line, offer, line.units);
        mostInAll += most * line.units;
        mostOfUnit = Math.max(mostOfUnit, most);
      }
      const { mostDiscount } = offer;
      const items = Math.min(offer.items, units);
      return {
        expected: Math.min(sum, dearest * items, mostDiscount),
        most: Math.min(mostInAll, mostOfUnit * items, mostDiscount),
      };
    });
  }

  #linesOf(offer: UnitOffer): LineList {
    const { selectors } = offer.benefit;
    if (!isAt(offer, 'bundle')) return this.#lists.eligible(offer, selectors.length - 1);
    return [...new Set(selectors.flatMap((_, n) => this.#lists.eligible(offer, n)))];
  }
}

/**
 * No more than this is saved by the offer alone, in minor units, on lines that it discounts. A set gives a unit of them only where
 * enough others are bought: dearer ones, or some of `others` units that it cannot give.
 */
export function mostAlone(offer: UnitOffer, lines: readonly LineFacts[], others = Number.POSITIVE_INFINITY): number {
  // The units of a bundle pay for each other.
  const most = lines.map((line) =>
    isAt(offer, 'bundle') ? promiseOfUnit(offer, line) : mostPerUnit(line, offer, line.units),
  );
  const dearestFirst = [...lines.keys()].sort((a, b) => most[b]! - most[a]!);
  let [sum, seen, taken] = [0, 0, 0];
  for (const at of dearestFirst) {
    const { units } = lines[at]!;
    seen += units;
    const open = isAt(offer, 'buyGet') && Number.isFinite(others) ? givenOf(offer, others + seen) : seen;
    const own = Math.max(0, Math.min(units, open - taken, offer.items - taken));
    sum += own * most[at]!;
    taken += own;
    if (taken >= offer.items) break;
  }
  return Math.min(sum, offer.mostDiscount);
}

/** How many of the first units of a row are given. */
function givenOf({ benefit }: BuyGetOffer, units: number): number {
  const { buyQuantity, getQuantity } = benefit.rule;
  const size = buyQuantity + getQuantity;
  return Math.floor(units / size) * getQuantity + Math.max(0, (units % size) - buyQuantity);
}

/** What a unit of the line saves, with its part of what a bundle costs, or of what a set gives. */
function promiseOfUnit(offer: UnitOffer, line: LineFacts): number {
  if (isAt(offer, 'bundle')) {
    const { estimate, quantities } = offer.benefit.rule;
    const size = quantities.reduce((sum, quantity) => sum + quantity, 0);
    return Math.max(0, estimate.ofPrice * line.unitPrice + estimate.perBundle / size);
  }
  const effect = offer.benefit.rule.effect(line, 1);
  if (!isAt(offer, 'buyGet')) return effect;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  return (effect * getQuantity) / (buyQuantity + getQuantity);
}
