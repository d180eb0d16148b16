import { WORD_MASK, WORD_SHIFT } from '../lines/matching.ts';
import { isEligible, isLimited, type LineOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { LineList } from './line-lists.ts';
import type { Problem } from './problem.ts';

/**
 * Per line of `concerned` the plain offers that may be best for a part of it of any size, in the order of their benefitId. Of
 * two of one scale the stronger is never worse; a limited one stays only where no unlimited one is as good. Of offers that
 * there were too few steps to look at none is listed, and no steps are left to search without them.
 */
export function plainOffersPerLine(problem: Problem, concerned: LineList): readonly (readonly LineOffer[])[] {
  const { everyChoice, work, lines, plain } = problem;
  const perLine: LineOffer[][] = [];
  for (const i of concerned) perLine[i] = [];
  /** By the number of the scale, then by line. */
  const scales: KeptOfScale[][] = [];
  for (const offer of plain) {
    const { benefit, matches } = offer;
    const selector = benefit.selectors[0]!;
    scales[benefit.scaleNumber] ??= [];
    const ofScale = scales[benefit.scaleNumber]!;
    const from = selector.id * matches.words;
    let steps = COST.offer;
    for (let word = 0; word < matches.words; word++) {
      for (let left = matches.bits[from + word]!; left !== 0; left &= left - 1) {
        const i = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(left & -left);
        const line = lines[i]!;
        if (!perLine[i]) continue;
        steps += COST.listedLine;
        if (!line.isOpenToLineBenefits || !isEligible(selector, line)) continue;
        // Where every choice is listed, rounding may make even a smaller discount the better one.
        if (everyChoice) perLine[i].push(offer);
        else {
          ofScale[i] ??= { unlimited: undefined, limited: [] };
          if (!keepIfBest(ofScale[i], offer)) continue;
        }
        steps += COST.comparedOffer;
      }
    }
    if (!work.spend(steps)) break;
  }
  for (const i of concerned) {
    for (const ofScale of scales) {
      const { unlimited, limited } = ofScale?.[i] ?? NOTHING_KEPT;
      if (unlimited) perLine[i]!.push(unlimited);
      perLine[i]!.push(...limited);
    }
    perLine[i]!.sort(({ benefit: a }, { benefit: b }) => a.ordinal - b.ordinal);
  }
  return perLine;
}

/**
 * Of one scale on one line the strongest unlimited offer, and the strongest limited ones where they are stronger than it: which
 * of those is spent is decided over all lines. One that is cut to what the line still costs may save no more than the
 * unlimited one, so both stay.
 */
interface KeptOfScale {
  unlimited: LineOffer | undefined;
  limited: LineOffer[];
}

const NOTHING_KEPT: KeptOfScale = { unlimited: undefined, limited: [] };

/** Keeps an offer, and of those before it the ones that it does not beat. False where the unlimited one is as good. */
function keepIfBest(own: KeptOfScale, offer: LineOffer): boolean {
  const isSpent = isLimited(offer);
  const { unlimited, limited } = own;
  if (unlimited) {
    const stronger = strengthOf(offer) - strengthOf(unlimited);
    // Of equals the one with the higher priority comes first, then the lower benefitId.
    const isAsGood =
      stronger < 0 || (stronger === 0 && (isSpent || offer.benefit.priority <= unlimited.benefit.priority));
    if (isAsGood) return false;
  }
  const stronger = limited[0] ? strengthOf(offer) - strengthOf(limited[0]) : 1;
  if (!isSpent) own.unlimited = offer;
  if (stronger > 0 || (stronger === 0 && !isSpent)) own.limited = [];
  if (isSpent && stronger >= 0) own.limited.push(offer);
  return true;
}

function strengthOf({ benefit }: LineOffer): number {
  return benefit.rule.strength;
}
