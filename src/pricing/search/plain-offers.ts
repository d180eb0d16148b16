import { discountableLines, type Offer } from '../offers.ts';
import type { LineRule } from '../programme.ts';
import type { Problem } from './problem.ts';

/**
 * Per line the plain offers that may be best for a part of it of any size. Of two of one kind the larger percentage or
 * amount is never worse; a limited one stays only where no unlimited one is as good.
 */
export function plainOffersPerLine(problem: Problem): Offer[][] {
  const perLine: Offer[][] = problem.lines.map(() => []);
  for (const offer of problem.plain) {
    for (const i of discountableLines(offer, 0, problem.lines)) {
      // Where every choice is listed, rounding may make even a smaller discount the better one.
      if (problem.isRough) perLine[i]!.push(offer);
      else addUndominated(perLine[i]!, offer);
    }
  }
  return perLine;
}

function addUndominated(kept: Offer[], offer: Offer): void {
  for (const other of kept) if (dominates(other, offer)) return;
  let count = 0;
  for (const other of kept) if (!dominates(offer, other)) kept[count++] = other;
  kept.length = count;
  kept.push(offer);
}

function dominates(other: Offer, offer: Offer): boolean {
  // A unit price is all or nothing: where the lower one would take too much, the higher one may still be given.
  if (offer.benefit.rule.kind === 'unit_price' || kindOf(other) !== kindOf(offer)) return false;
  const difference = strength(other.benefit.rule as LineRule) - strength(offer.benefit.rule as LineRule);
  if (offer.use === undefined && other.use !== undefined) return difference > 0;
  // Two limited ones that are equally good both stay: which of them is spent is decided over all lines.
  if (difference !== 0 || (offer.use && other.use)) return difference > 0;
  if (offer.use) return true;
  const priority = other.benefit.priority - offer.benefit.priority;
  return priority > 0 || (priority === 0 && other.benefit.ordinal < offer.benefit.ordinal);
}

function kindOf({ benefit }: Offer): string {
  const { rule } = benefit;
  return rule.kind === 'line_amount' ? `${rule.kind} ${rule.per}` : rule.kind;
}

function strength(rule: LineRule): number {
  switch (rule.kind) {
    case 'line_percent':
      return rule.percentHundredths;
    case 'line_amount':
      return rule.amount;
    case 'unit_price':
      return 0;
  }
}
