import type { LineFacts } from '../lines/lines.ts';
import { type BundleOffer, isAt, type UnitOffer } from '../offers/offers.ts';
import type { Couplings } from './couplings.ts';
import type { Problem } from './problem.ts';

/** What bundles give is rounded once; a part of one on which nothing falls keeps its existing discount. */
export function slackOf(lines: readonly LineFacts[], offers: readonly UnitOffer[], { policy }: Problem): number {
  let slack = 0;
  for (const offer of offers) {
    if (!isAt(offer, 'bundle')) continue;
    const { ofPrice } = offer.benefit.rule.estimate;
    if (lines.some((line) => mayBeRounded(line, ofPrice))) slack += 0.5;
    if (policy === 'replace_if_larger')
      for (const { existing, unit } of lines) slack += unit ? sumOfExisting(unit) : existing;
  }
  return slack;
}

/** True where bundles may give less than their estimate: they have a maximum, or take off more than their cheapest units cost. */
export function mayBeCut({ benefit: { rule }, mostDiscount }: BundleOffer, lines: readonly LineFacts[]): boolean {
  if (mostDiscount !== Number.POSITIVE_INFINITY) return true;
  const { ofPrice, perBundle } = rule.estimate;
  if (ofPrice > 0) return false;
  const units = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
  return lines.some(({ incoming, units: own }) => units * incoming < perBundle * own);
}

const WHOLE = 10_000;

/** True where a part of the price of a unit may end in a fraction of a minor unit. A percentage has two decimals at most. */
function mayBeRounded({ unitPrice, original, existing, allocated, unit }: LineFacts, ofPrice: number): boolean {
  const part = Math.round(ofPrice * WHOLE);
  if (part % WHOLE === 0) return false;
  const isWhole = (price: number): boolean => (part * price) % WHOLE === 0;
  return existing > 0 || allocated > 0 || unit !== undefined || !isWhole(unitPrice) || !isWhole(original);
}

/** What may come off one line or off another: sums of money, what bundles cost, and what sets share out. */
export function movable({ sums, capacities, bundles, sets }: Couplings, lines: readonly LineFacts[]): number {
  const price = lines.reduce((total, { original }) => total + original, 0);
  if (bundles.length > 0 || sets.some(({ set }) => set.offer.benefit.rule.spreads)) return price;
  return sums.reduce((total, slot) => total + Math.min(price, capacities[slot]!), 0);
}

function sumOfExisting({ lines }: NonNullable<LineFacts['unit']>): number {
  return lines.reduce((sum, { line }) => sum + line.existing, 0);
}
