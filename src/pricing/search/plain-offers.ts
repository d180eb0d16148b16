import { WORD_MASK, WORD_SHIFT } from '../matching.ts';
import { isEligible, type Offer } from '../offers.ts';
import { familyOf, isDecidedByStrength, Strongest, strengthOf } from '../plain.ts';
import type { LineRule } from '../programme.ts';
import { COST } from '../work.ts';
import type { LineList } from './line-lists.ts';
import type { Problem } from './problem.ts';

export interface PlainOffers {
  readonly perLine: readonly (readonly Offer[])[];
  /** False when there were too few steps to look at every offer. */
  readonly isComplete: boolean;
}

/**
 * Per line of `concerned` the plain offers that may be best for a part of it of any size. Of two of one kind the larger
 * percentage, the larger amount or the lower price is never worse; a limited one stays only where no unlimited one is as
 * good.
 */
export function plainOffersPerLine(problem: Problem, concerned: LineList): PlainOffers {
  const { everyChoice, work, lines } = problem;
  const kept: KeptOffers[] = [];
  for (const i of concerned) kept[i] = { all: [], families: [] };
  const strongest = new Strongest(lines.length);
  const sorted = [...problem.plain].sort(byKindAndPrice);
  let isComplete = true;
  for (const offer of sorted) {
    if (!isComplete) break;
    const { benefit, matches } = offer;
    const rule = benefit.rule as LineRule;
    const family = familyOf(rule);
    const strength = strengthOf(rule);
    const from = benefit.selectors[0]!.id * matches.words;
    let steps = COST.offer;
    for (let word = 0; word < matches.words; word++) {
      for (let left = matches.bits[from + word]!; left !== 0; left &= left - 1) {
        const i = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(left & -left);
        const own = kept[i];
        if (!own) continue;
        const line = lines[i]!;
        steps += COST.listedLine;
        const isDecided = isDecidedByStrength(rule, line);
        if (!everyChoice && isDecided && strongest.isAsGood(offer, family, strength, i)) continue;
        if (!line.isOpenToLineBenefits || !isEligible(benefit, 0, line)) continue;
        steps += COST.comparedOffer;
        // Where every choice is listed, rounding may make even a smaller discount the better one.
        // Where strength does not decide, no unit price is better than another before the line is divided.
        if (everyChoice || !isDecided) own.all.push(offer);
        else keepStrongest(own, offer, family, strength);
      }
    }
    if (!work.spend(steps)) isComplete = offer === sorted.at(-1);
  }
  const perLine: (readonly Offer[])[] = [];
  for (const i of concerned) perLine[i] = listKept(kept[i]!);
  return { perLine, isComplete };
}

/** The other kinds, then unit prices with the lowest first; of equal ones the lower benefitId. */
function byKindAndPrice(a: Offer, b: Offer): number {
  return priceOf(a) - priceOf(b) || a.benefit.ordinal - b.benefit.ordinal;
}

function priceOf({ benefit }: Offer): number {
  return benefit.rule.kind === 'unit_price' ? benefit.rule.unitPrice : -1;
}

/** What is kept of the offers on one line. */
interface KeptOffers {
  /** Those of which nothing is known. */
  readonly all: Offer[];
  /** By family, where strength decides. */
  readonly families: (KeptFamily | undefined)[];
}

/**
 * The strongest unlimited offer of a family, and all limited ones that are as strong as any of them: which of those is
 * spent is decided over all lines. A weaker limited one than the unlimited one saves nothing; a stronger one that is cut to
 * what the line still costs may save no more than the unlimited one, so both stay.
 */
interface KeptFamily {
  unlimited: Offer | undefined;
  unlimitedStrength: number;
  limited: Offer[];
  limitedStrength: number;
}

function keepStrongest({ families }: KeptOffers, offer: Offer, family: number, strength: number): void {
  let own = families[family];
  if (!own) {
    const none = Number.NEGATIVE_INFINITY;
    own = { unlimited: undefined, unlimitedStrength: none, limited: [], limitedStrength: none };
    families[family] = own;
  }
  if (offer.use) {
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

/** Of two unlimited offers that are equally strong: the higher priority, then the lower benefitId. */
function comesBefore({ benefit }: Offer, { benefit: other }: Offer): boolean {
  return benefit.priority > other.priority || (benefit.priority === other.priority && benefit.ordinal < other.ordinal);
}

/** All that is kept. Of several unit prices the lowest that fits is best where strength does not decide: they come first. */
function listKept({ all, families }: KeptOffers): Offer[] {
  const offers = [...all];
  for (const family of families) {
    if (!family) continue;
    if (family.unlimited) offers.push(family.unlimited);
    if (family.limitedStrength > family.unlimitedStrength) offers.push(...family.limited);
  }
  return offers.length < 2 ? offers : offers.sort(byKindAndPrice);
}
