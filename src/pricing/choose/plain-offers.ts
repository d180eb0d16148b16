import { WORD_MASK, WORD_SHIFT } from '../lines/matching.ts';
import { isEligible, isLimited, type LineOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { LineList } from './line-lists.ts';
import { Strongest } from './plain.ts';
import type { Problem } from './problem.ts';

export interface PlainOffers {
  readonly perLine: readonly (readonly LineOffer[])[];
  /** False when there were too few steps to look at every offer. */
  readonly isComplete: boolean;
}

/**
 * Per line of `concerned` the plain offers that may be best for a part of it of any size. Of two of one scale the
 * stronger is never worse; a limited one stays only where no unlimited one is as good.
 */
export function plainOffersPerLine(problem: Problem, concerned: LineList): PlainOffers {
  const { everyChoice, work, lines } = problem;
  const kept: KeptOffers[] = [];
  for (const i of concerned) kept[i] = { all: [], scales: [] };
  const strongest = new Strongest(lines.length);
  const sorted = [...problem.plain].sort(byOrdinal);
  let isComplete = true;
  for (const offer of sorted) {
    if (!isComplete) break;
    const { benefit, matches } = offer;
    const selector = benefit.selectors[0]!;
    const peers = strongest.on(benefit.scaleNumber);
    const from = selector.id * matches.words;
    let steps = COST.offer;
    for (let word = 0; word < matches.words; word++) {
      for (let left = matches.bits[from + word]!; left !== 0; left &= left - 1) {
        const i = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(left & -left);
        const own = kept[i];
        if (!own) continue;
        const line = lines[i]!;
        steps += COST.listedLine;
        if (!everyChoice && peers.isAsGood(offer, i)) continue;
        if (!line.isOpenToLineBenefits || !isEligible(selector, line)) continue;
        steps += COST.comparedOffer;
        // Where every choice is listed, rounding may make even a smaller discount the better one.
        if (everyChoice) own.all.push(offer);
        else keepStrongest(own, offer);
      }
    }
    if (!work.spend(steps)) isComplete = offer === sorted.at(-1);
  }
  const perLine: (readonly LineOffer[])[] = [];
  for (const i of concerned) perLine[i] = listKept(kept[i]!);
  return { perLine, isComplete };
}

function byOrdinal({ benefit: a }: LineOffer, { benefit: b }: LineOffer): number {
  return a.ordinal - b.ordinal;
}

/** The offers that are kept for one line. */
interface KeptOffers {
  /** Offers that cannot be compared. */
  readonly all: LineOffer[];
  /** By the number of the scale, where strength decides. */
  readonly scales: (KeptScale | undefined)[];
}

/**
 * The strongest unlimited offer of a scale, and all limited ones that are as strong as any of them: which of those is
 * spent is decided over all lines. A weaker limited one than the unlimited one saves nothing; a stronger one that is cut to
 * what the line still costs may save no more than the unlimited one, so both stay.
 */
interface KeptScale {
  unlimited: LineOffer | undefined;
  unlimitedStrength: number;
  limited: LineOffer[];
  limitedStrength: number;
}

function keepStrongest({ scales }: KeptOffers, offer: LineOffer): void {
  const { rule, scaleNumber } = offer.benefit;
  const { strength } = rule;
  let own = scales[scaleNumber];
  if (!own) {
    const none = Number.NEGATIVE_INFINITY;
    own = { unlimited: undefined, unlimitedStrength: none, limited: [], limitedStrength: none };
    scales[scaleNumber] = own;
  }
  if (isLimited(offer)) {
    if (strength > own.limitedStrength) own.limited = [];
    if (strength < own.limitedStrength) return;
    own.limited.push(offer);
    own.limitedStrength = strength;
    return;
  }
  if (strength < own.unlimitedStrength) return;
  if (own.unlimited && strength === own.unlimitedStrength && comesBefore(own.unlimited, offer)) return;
  own.unlimited = offer;
  own.unlimitedStrength = strength;
}

/** Decides between unlimited offers of equal strength: the higher priority comes first, then the lower benefitId. */
function comesBefore({ benefit }: LineOffer, { benefit: other }: LineOffer): boolean {
  return benefit.priority > other.priority || (benefit.priority === other.priority && benefit.ordinal < other.ordinal);
}

/** Lists all that is kept, in the order in which the options of a line are looked at. */
function listKept({ all, scales }: KeptOffers): LineOffer[] {
  const offers = [...all];
  for (const scale of scales) {
    if (!scale) continue;
    if (scale.unlimited) offers.push(scale.unlimited);
    if (scale.limitedStrength > scale.unlimitedStrength) offers.push(...scale.limited);
  }
  return offers.length < 2 ? offers : offers.sort(byOrdinal);
}
