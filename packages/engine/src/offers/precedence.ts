import type { Benefit } from '../compile/programme.ts';
import type { LineFacts } from '../lines/lines.ts';
import { COST, type Work } from '../work.ts';
import { eligibleLines, type Offer } from './offers.ts';

/** Groups that take by priority: whoever has the highest is chosen before anything is compared. */

interface Precedence {
  readonly open: readonly Offer[];
  /** The benefits that are as if closed, with those of their group that have the highest priority. */
  readonly beaten: ReadonlyMap<Benefit, readonly Benefit[]>;
}

const NOBODY: Precedence['beaten'] = new Map();

/** Closes the offers of such groups of which another one with a higher priority matches an eligible line. */
export function byPrecedence(offers: readonly Offer[], lines: readonly LineFacts[], work: Work): Precedence {
  const members = offers.filter(({ benefit }) => benefit.group?.takesPriority);
  if (members.length === 0) return { open: offers, beaten: NOBODY };
  work.count(members.length * (COST.list + lines.length * COST.listedLine));
  const matching = members.filter((offer) => matchesEligibleLine(offer, lines));
  const beaten = new Map<Benefit, readonly Benefit[]>();
  for (const { benefit } of members) {
    const others = matching.filter((other) => other.benefit.group === benefit.group);
    const highest = Math.max(...others.map((other) => other.benefit.priority));
    if (benefit.priority >= highest) continue;
    const winners = others.filter((other) => other.benefit.priority === highest);
    beaten.set(
      benefit,
      winners.map((other) => other.benefit),
    );
  }
  return { open: offers.filter(({ benefit }) => !beaten.has(benefit)), beaten };
}

/** A product is given beside lines that may not be discounted too. */
function matchesEligibleLine(offer: Offer, lines: readonly LineFacts[]): boolean {
  const { level, selectors } = offer.benefit;
  return level === 'gift' || selectors.some((_, at) => eligibleLines(offer, at, lines).length > 0);
}
