/** What the rules say of each kind of benefit: the only place of the oracle that a new kind needs (packages/engine/README.md, rule 15). */
import type { BenefitKind } from '@loyalty/engine/benefits/register';
import { percentageOf } from './share.ts';
import type { PricedBenefit } from './types.ts';

/** The units of one line, or of lines that stand together in a unit, that a benefit makes cheaper. */
export interface OffUnits {
  readonly units: number;
  /** The price of one of them; of a unit with modifiers that of its head. */
  readonly unitPrice: number;
  /** What they cost, and what they cost after existing discounts that stay. */
  readonly price: number;
  readonly cost: number;
  /** An amount for each of the units; of goods that are not counted the exact product of their quantity. */
  readonly times: (amount: number) => number;
}

interface Effect<Benefit> {
  /** How it takes part: on lines one by one, in sets, in bundles, as a product that is given, on the order. */
  readonly family: 'line' | 'sets' | 'bundle' | 'gift' | 'order';
  /** Lines with `noPercentageDiscount` take no part. */
  readonly isPercentage: (benefit: Benefit) => boolean;
  /** On a unit with modifiers: taken off each of its lines, or off all of them together. */
  readonly each?: boolean;
  /** What it takes off; bundles and the order have theirs in `settle.ts` and `orders.ts`. */
  readonly off?: (benefit: Benefit, units: OffUnits) => number;
}

type BenefitOf<Kind extends BenefitKind> = Extract<PricedBenefit, { kind: Kind }>;

const EFFECTS: { readonly [Kind in BenefitKind]: Effect<BenefitOf<Kind>> } = {
  line_percent: {
    family: 'line',
    isPercentage: () => true,
    each: true,
    off: ({ percent }, { cost }) => percentageOf(cost, percent),
  },
  line_amount: {
    family: 'line',
    isPercentage: () => false,
    off: ({ amount, per }, { price, times }) => Math.min(price, per === 'unit' ? times(amount) : amount),
  },
  unit_price: {
    family: 'line',
    isPercentage: () => false,
    off: ({ unitPrice }, { price, times }) => Math.max(0, price - times(unitPrice)),
  },
  buy_x_get_y: {
    family: 'sets',
    isPercentage: () => true,
    each: true,
    off: ({ get }, { cost }) => percentageOf(cost, get.percent ?? 100),
  },
  // The product is given, and what is on it keeps its price.
  free_product: { family: 'gift', isPercentage: () => false, off: (_, { unitPrice, times }) => times(unitPrice) },
  bundle_price: { family: 'bundle', isPercentage: ({ percent }) => percent !== undefined },
  order_percent: { family: 'order', isPercentage: () => true },
  order_amount: { family: 'order', isPercentage: () => false },
};

/** The effect of a benefit, with the benefit as its argument. */
function effectOf(benefit: PricedBenefit): Effect<PricedBenefit> {
  return EFFECTS[benefit.kind] as Effect<PricedBenefit>;
}

export function familyOf(benefit: PricedBenefit): Effect<PricedBenefit>['family'] {
  return effectOf(benefit).family;
}

export function takesPercentage(benefit: PricedBenefit): boolean {
  return effectOf(benefit).isPercentage(benefit);
}

/** True where a unit with modifiers becomes cheaper line by line. */
export function isEach(benefit: PricedBenefit): boolean {
  return effectOf(benefit).each ?? false;
}

/** What a benefit takes off some units, before caps. */
export function offUnits(benefit: PricedBenefit, units: OffUnits): number {
  const { off } = effectOf(benefit);
  if (!off) throw new Error(`${benefit.kind} is no benefit of a line`);
  return off(benefit, units);
}
