import type { LineFacts } from '../lines.ts';
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
  const { everyChoice, work } = problem;
  const perLine: Offer[][] = [];
  for (const i of concerned) perLine[i] = [];
  const strongest = new Strongest(problem.lines.length);
  // Of several unit prices the lowest that fits is best where strength does not decide: they come first.
  const sorted = [...problem.plain].sort(byKindAndPrice);
  for (const offer of sorted) {
    const { benefit, matches } = offer;
    const rule = benefit.rule as LineRule;
    const family = familyOf(rule);
    const strength = strengthOf(rule);
    const from = benefit.selectors[0]!.id * matches.words;
    let steps = COST.offer;
    for (let word = 0; word < matches.words; word++) {
      for (let left = matches.bits[from + word]!; left !== 0; left &= left - 1) {
        const i = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(left & -left);
        const kept = perLine[i];
        if (!kept) continue;
        const line = problem.lines[i]!;
        steps += COST.listedLine;
        if (!everyChoice && isDecidedByStrength(rule, line) && strongest.isAsGood(offer, family, strength, i)) continue;
        if (!line.isOpenToLineBenefits || !isEligible(benefit, 0, line)) continue;
        steps += (1 + kept.length) * COST.comparedOffer;
        // Where every choice is listed, rounding may make even a smaller discount the better one.
        // Where strength does not decide, no unit price is better than another before the line is divided.
        if (everyChoice || !isDecidedByStrength(rule, line)) kept.push(offer);
        else addUndominated(kept, offer, line);
      }
    }
    if (!work.spend(steps)) return { perLine, isComplete: offer === sorted.at(-1) };
  }
  return { perLine, isComplete: true };
}

/** The other kinds, then unit prices with the lowest first; of equal ones the lower benefitId. */
function byKindAndPrice(a: Offer, b: Offer): number {
  return priceOf(a) - priceOf(b) || a.benefit.ordinal - b.benefit.ordinal;
}

function priceOf({ benefit }: Offer): number {
  return benefit.rule.kind === 'unit_price' ? benefit.rule.unitPrice : -1;
}

function addUndominated(kept: Offer[], offer: Offer, line: LineFacts): void {
  for (const other of kept) if (dominates(other, offer, line)) return;
  let count = 0;
  for (const other of kept) if (!dominates(offer, other, line)) kept[count++] = other;
  kept.length = count;
  kept.push(offer);
}

function dominates(other: Offer, offer: Offer, line: LineFacts): boolean {
  const [rule, otherRule] = [offer.benefit.rule as LineRule, other.benefit.rule as LineRule];
  if (familyOf(otherRule) !== familyOf(rule) || !isDecidedByStrength(rule, line)) return false;
  const difference = strengthOf(otherRule) - strengthOf(rule);
  // A stronger limited one that is cut to what the line still costs saves no more than an unlimited one does.
  if (offer.use === undefined && other.use !== undefined) return false;
  // Two limited ones that are equally good both stay: which of them is spent is decided over all lines.
  if (difference !== 0 || (offer.use && other.use)) return difference > 0;
  if (offer.use) return true;
  const priority = other.benefit.priority - offer.benefit.priority;
  return priority > 0 || (priority === 0 && other.benefit.ordinal < offer.benefit.ordinal);
}
