import { allocate } from '../money/allocate.ts';
import { percentOf } from '../money/round.ts';
import type { Expression } from './benefits/kind.ts';
import { lineKindOf } from './benefits/register.ts';
import type { Offer } from './offers.ts';
import type { BundlePriceRule, ExistingLineDiscounts, LineRule } from './programme.ts';
import type { Part } from './split.ts';

/** A part with its line-level effect. Money in minor units. */
export interface SettledPart extends Part {
  /** What the benefit takes off the part, by a discount or by a lower unit price; 0 without a benefit. */
  readonly effect: number;
  /** How the effect shows; empty for a plain amount. */
  readonly expression: Expression;
  /** The existing discount gives way to the effect. */
  readonly isCleared: boolean;
  /** What the part costs before order-level benefits. */
  readonly rest: number;
}

const PLAIN_AMOUNT: Expression = {};

/**
 * Computes the line-level effects of all parts of a combination, in the order of the lines. Answers nothing when the
 * combination is not permitted: when a benefit would have no effect on a part it takes, or none that is larger than the
 * existing discount it would replace.
 */
export function settleParts(parts: readonly Part[], policy: ExistingLineDiscounts): SettledPart[] | undefined {
  const bundles = settleBundles(parts, policy);
  if (!bundles) return undefined;
  let leftOfCaps: Map<Offer, number> | undefined;
  const settled: SettledPart[] = [];
  for (const part of parts) {
    const { offer } = part;
    if (!offer) {
      settled.push(settle(part, 0, PLAIN_AMOUNT, policy));
      continue;
    }
    const bundled = bundles.get(part);
    const full = bundled ?? fullEffect(part, offer);
    let effect = Math.min(full, roomOf(part, policy));
    const { maximumDiscount } = offer.benefit;
    if (bundled === undefined && maximumDiscount !== Number.POSITIVE_INFINITY) {
      leftOfCaps ??= new Map();
      const left = leftOfCaps.get(offer) ?? maximumDiscount;
      effect = Math.min(effect, left);
      leftOfCaps.set(offer, left - effect);
    }
    if (!isPermitted(part, offer, effect, full, policy)) return undefined;
    settled.push(settle(part, effect, expressionOf(part, offer, effect === full), policy));
  }
  return settled;
}

/** The largest effect that leaves the part at or above 0. */
export function roomOf(part: Part, policy: ExistingLineDiscounts): number {
  return part.original - part.allocated - (policy === 'stack' ? part.existing : 0);
}

/** The effect of a benefit on a part before any cap. Bundles are not computed part by part. */
export function fullEffect({ line, effectUnits }: Part, { benefit }: Offer): number {
  const { rule } = benefit;
  if (rule.kind === 'buy_x_get_y') return percentOf(effectUnits * line.unitPrice, rule.percentHundredths);
  return lineKindOf(rule as LineRule).effect(rule as never, line, effectUnits);
}

/**
 * An effect has to exist, to beat what it replaces, and to be whole where it cannot be cut. A unit of a bundle may be so
 * cheap that its share of the discount rounds to 0; it belongs to the bundle all the same.
 */
export function isPermitted(
  part: Part,
  { benefit }: Offer,
  effect: number,
  full: number,
  policy: ExistingLineDiscounts,
): boolean {
  if (policy === 'replace_if_larger' && part.existing > 0 && effect <= part.existing) return false;
  if (effect <= 0) return benefit.rule.kind === 'bundle_price';
  return benefit.rule.kind !== 'unit_price' || (effect === full && part.effectUnits === part.units);
}

/** Only a whole, uncut effect is still the percentage or the unit price that it came from. */
function expressionOf(part: Part, { benefit }: Offer, isUncut: boolean): Expression {
  const { rule } = benefit;
  if (!isUncut || part.effectUnits < part.units || rule.kind === 'bundle_price') return PLAIN_AMOUNT;
  if (rule.kind === 'buy_x_get_y') return { percentHundredths: rule.percentHundredths };
  return lineKindOf(rule as LineRule).express(rule as never);
}

/** Fields are copied one by one: this runs for every line of every basket, and a spread costs more than all of it. */
function settle(part: Part, effect: number, expression: Expression, policy: ExistingLineDiscounts): SettledPart {
  const { line, units, offer, effectUnits, original, existing, allocations, allocated } = part;
  const isCleared = effect > 0 && policy === 'replace_if_larger';
  const rest = original - allocated - effect - (isCleared ? 0 : existing);
  return {
    line,
    units,
    offer,
    effectUnits,
    original,
    existing,
    allocations,
    allocated,
    effect,
    expression,
    isCleared,
    rest,
  };
}

const NO_BUNDLES: ReadonlyMap<Part, number> = new Map();

/** The effects of every bundle on its parts, or nothing when one of them makes nothing cheaper. */
function settleBundles(parts: readonly Part[], policy: ExistingLineDiscounts): ReadonlyMap<Part, number> | undefined {
  if (!parts.some(({ offer }) => offer?.benefit.rule.kind === 'bundle_price')) return NO_BUNDLES;
  const effects = new Map<Part, number>();
  const byOffer = new Map<Offer, Part[]>();
  for (const part of parts) {
    if (part.offer?.benefit.rule.kind !== 'bundle_price') continue;
    const own = byOffer.get(part.offer);
    if (own) own.push(part);
    else byOffer.set(part.offer, [part]);
  }
  for (const [offer, own] of byOffer) {
    const prices = own.map((part) => bundledPrice(part, policy));
    const discount = bundleDiscount(offer, sum(prices), sum(own.map(({ effectUnits }) => effectUnits)));
    if (discount <= 0) return undefined;
    const caps = own.map((part, p) => Math.min(prices[p]!, roomOf(part, policy)));
    const shares = allocate(discount, prices, caps);
    if (sum(shares) === 0) return undefined;
    for (const [p, part] of own.entries()) effects.set(part, shares[p]!);
  }
  return effects;
}

/** What the units would cost without the bundle: with `stack` the discount that stays is already off. */
function bundledPrice({ effectUnits, line, existing }: Part, policy: ExistingLineDiscounts): number {
  const price = effectUnits * line.unitPrice;
  return policy === 'stack' ? Math.max(0, price - existing) : price;
}

/** The discount of as many bundles as `units` make, whose units cost `price` together. */
export function bundleDiscount({ benefit }: Offer, price: number, units: number): number {
  const { quantities, bundlePrice } = benefit.rule as BundlePriceRule;
  const bundles = units / sum(quantities);
  return Math.min(price - bundles * bundlePrice, benefit.maximumDiscount);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
