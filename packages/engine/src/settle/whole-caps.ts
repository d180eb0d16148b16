import type { LineFacts } from '../lines/lines.ts';
import { effectOn } from '../offers/modified-line.ts';
import { discountableLines, type LineOffer } from '../offers/offers.ts';
import type { LineTakes } from './split.ts';

/**
 * A benefit whose maximum discount is reached takes part on every line that is left to it, so that each has its share in proportion
 * and no line is left out by its place in the basket (README.md, rule 16).
 */

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** What is taken, with the lines that such benefits may have besides. Undefined where there is nothing to add. */
export function withWholeCaps(
  takes: readonly LineTakes[],
  offers: readonly LineOffer[],
  lines: readonly LineFacts[],
): readonly LineTakes[] | undefined {
  const extended = [...takes];
  let isExtended = false;
  for (const offer of offers) {
    if (offer.mostDiscount === UNBOUNDED || offer.items !== UNBOUNDED) continue;
    const own = discountableLines(offer, 0, lines);
    if (!isReached(offer, own, extended, lines)) continue;
    for (const i of own) {
      const line = lines[i]!;
      // An existing discount would give way for nothing: what the benefit saves in all is what it was.
      if (hasExisting(line) || !isLeft(line, extended[i]!) || effectOf(offer, line, line.units) <= 0) continue;
      extended[i] = { ...extended[i]!, rest: offer };
      isExtended = true;
    }
  }
  return isExtended ? extended : undefined;
}

/** The effects on what it has are at least its maximum. */
function isReached(
  offer: LineOffer,
  own: readonly number[],
  takes: readonly LineTakes[],
  lines: readonly LineFacts[],
): boolean {
  let full = 0;
  for (const i of own)
    if (takes[i]!.rest === offer) full += effectOf(offer, lines[i]!, unitsLeft(lines[i]!, takes[i]!));
  return full >= offer.mostDiscount;
}

function effectOf({ benefit }: LineOffer, line: LineFacts, units: number): number {
  return Math.min(effectOn(benefit.rule, benefit.selectors[0]!.isPercentage, line, units), line.room);
}

function unitsLeft({ units }: LineFacts, { taken, bought }: LineTakes): number {
  return [...taken, ...bought].reduce((left, own) => left - own.units, units);
}

/** Units of the line are left that no benefit has; a line that cannot be split has one benefit. */
function isLeft(line: LineFacts, takes: LineTakes): boolean {
  if (takes.rest) return false;
  return line.isSplittable ? unitsLeft(line, takes) > 0 : takes.taken.length + takes.bought.length === 0;
}

function hasExisting({ existing, stacked, unit }: LineFacts): boolean {
  return existing > stacked || (unit?.lines.some(({ line }) => line.existing > line.stacked) ?? false);
}
