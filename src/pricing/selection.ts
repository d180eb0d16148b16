import type { BasketLine } from '../contract/basket-request.ts';
import { LINE_KINDS } from './benefits/register.ts';
import { roomFor, savingOf } from './existing.ts';
import type { Offer } from './offers.ts';
import type { ExistingLineDiscounts } from './programme.ts';

/** One loyalty effect on one line. */
export interface LineEffect {
  readonly offer: Offer;
  /** In minor units, after the cap of the line. */
  readonly amount: number;
  /** The cap cut the effect, so that it is no longer the percentage it came from. */
  readonly capped: boolean;
  readonly saving: number;
}

export interface SelectionOptions {
  readonly policy: ExistingLineDiscounts;
  /** Asks what would apply if no minimum stood in the way. */
  readonly ignoreMinimums?: boolean;
}

/** For every line the effect that saves most, or nothing. A line takes at most one benefit; lines are independent. */
export function selectEffects(
  lines: readonly BasketLine[],
  offers: readonly Offer[],
  options: SelectionOptions,
): (LineEffect | undefined)[] {
  const effects = new Array<LineEffect | undefined>(lines.length).fill(undefined);
  for (const offer of offers) {
    if (!offer.minimumMet && !options.ignoreMinimums) continue;
    for (const i of offer.eligible) {
      const effect = effectOf(lines[i] as BasketLine, offer, options.policy);
      if (effect && isBetter(effect, effects[i])) effects[i] = effect;
    }
  }
  return effects;
}

function effectOf(line: BasketLine, offer: Offer, policy: ExistingLineDiscounts): LineEffect | undefined {
  const { rule } = offer.benefit;
  const full = LINE_KINDS[rule.kind].amount(rule, line.originalLinePrice);
  const amount = Math.min(full, roomFor(line, policy));
  const saving = savingOf(line, amount, policy);
  return amount > 0 && saving > 0 ? { offer, amount, capped: amount < full, saving } : undefined;
}

/** More saved first; then without a limited use, then the higher priority, then the benefitId (the order of the offers). */
function isBetter(effect: LineEffect, other: LineEffect | undefined): boolean {
  if (!other) return true;
  if (effect.saving !== other.saving) return effect.saving > other.saving;
  const limited = effect.offer.use !== undefined;
  if (limited !== (other.offer.use !== undefined)) return !limited;
  return effect.offer.benefit.priority > other.offer.benefit.priority;
}
