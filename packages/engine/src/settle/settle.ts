import { allocate } from '@loyalty/contract/money/allocate';
import { shareOf } from '@loyalty/contract/money/portion';
import { sum } from '@loyalty/contract/money/sum';
import { type Expression, formsDeals, PLAIN_AMOUNT } from '../compile/rule.ts';
import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { type BundleOffer, type BuyGetOffer, isAt, type LineOffer, type UnitOffer } from '../offers/offers.ts';
import { PoolSpending } from '../offers/pools.ts';
import { roomOf, type SettledPart } from './settled-part.ts';
import type { Part } from './split.ts';
import { spreadSets } from './spread.ts';

/**
 * Computes the line-level effects of all parts of a combination, in the order of the lines. Undefined when the combination
 * is not permitted: a benefit would have no effect on a part that it takes, or too small an effect to replace the existing
 * discount there.
 */
export function settleParts(parts: readonly Part[], policy: ExistingLineDiscounts): SettledPart[] | undefined {
  const pools = new PoolSpending();
  const bundles = settleBundles(parts, policy, pools);
  const capped = settleCapped(parts, policy, pools);
  let wholes: Map<UnitOffer | LineFacts, WholeEffect> | undefined;
  const settled: SettledPart[] = [];
  for (const part of parts) {
    const { offer } = part;
    if (!offer) {
      settled.push(settle(part, 0, PLAIN_AMOUNT, policy));
      continue;
    }
    const isBundled = isAt(offer, 'bundle');
    const full = isBundled ? bundles.get(part)! : fullEffect(part, offer);
    const effect = capped?.get(part) ?? Math.min(full, roomOf(part, policy));
    const whole = formsDeals(offer.benefit.level) ? offer : part.joined;
    if (whole) {
      wholes ??= new Map();
      const replaced = effect > 0 ? part.existing : 0;
      const own = wholes.get(whole) ?? { effect: 0, existing: 0 };
      wholes.set(whole, { effect: own.effect + effect, existing: own.existing + replaced });
    } else if (!isPermitted(part, effect, policy)) return undefined;
    settled.push(settle(part, effect, expressionOf(part, offer, effect, full), policy));
  }
  if (!wholes) return settled;
  // A unit of a set or bundle may be so cheap, or so late under a cap, that nothing comes off it; it belongs to it all the same.
  for (const whole of wholes.values()) if (!isPermitted(whole, whole.effect, policy)) return undefined;
  return spreadSets(settled, [...wholes.keys()].filter(isOffer), policy);
}

function isOffer(taker: UnitOffer | LineFacts): taker is UnitOffer {
  return 'benefit' in taker;
}

/**
 * What is compared with existing discounts as a whole, sets and bundles or a unit with its modifiers: its effect, and the existing
 * discounts of the parts on which it has one.
 */
interface WholeEffect {
  readonly effect: number;
  readonly existing: number;
}

/** The effect of a benefit on a part before any cap. Bundles are not computed part by part. */
function fullEffect(part: Part, { benefit }: LineOffer | BuyGetOffer): number {
  return part.share ?? benefit.rule.effect(part.line, part.effectUnits, costOfPart(part));
}

/** What the units that are discounted cost after their share of an existing discount that stays. */
function costOfPart({ line, units, effectUnits, existing }: Part): number {
  const price = effectUnits * line.unitPrice;
  return line.stacked === 0 ? price : price - shareOf(existing, effectUnits, units);
}

/** The effect of a line-level benefit has to exist, and to beat what it replaces. */
function isPermitted({ existing }: Pick<Part, 'existing'>, effect: number, policy: ExistingLineDiscounts): boolean {
  return effect > (policy === 'replace_if_larger' ? existing : 0);
}

/** Only a whole, uncut effect is still the percentage or the unit price that it came from. */
function expressionOf(part: Part, { benefit }: UnitOffer, effect: number, full: number): Expression {
  const { rule } = benefit;
  const { line, effectUnits, units, joined } = part;
  if (effect !== full || effectUnits !== units) return PLAIN_AMOUNT;
  // The percentage of a line counts from its original price.
  if (line.stacked > 0 && rule.expression.percentHundredths !== undefined) return PLAIN_AMOUNT;
  if (!joined || rule.level === 'bundle') return rule.expression;
  const isOfUnit = rule.level === 'line' && rule.together !== undefined;
  return !isOfUnit && effect === rule.effect(line, effectUnits) ? rule.expression : PLAIN_AMOUNT;
}

/** Fields are copied one by one: this runs for every line of every basket, and a spread costs more than all of it. */
function settle(part: Part, effect: number, expression: Expression, policy: ExistingLineDiscounts): SettledPart {
  const { line, units, offer, effectUnits, boughtUnits, original, existing, allocations, allocated } = part;
  const { items, joined, share } = part;
  const isCleared = effect > 0 && policy === 'replace_if_larger';
  const rest = original - allocated - effect - (isCleared ? 0 : existing);
  return {
    line,
    units,
    offer,
    effectUnits,
    boughtUnits,
    original,
    existing,
    allocations,
    allocated,
    items,
    joined,
    share,
    effect,
    expression,
    isCleared,
    rest,
  };
}

/**
 * The effects of benefits with a maximum discount: where all of them together are more, each part has its share in proportion.
 * Undefined where there are none.
 */
function settleCapped(
  parts: readonly Part[],
  policy: ExistingLineDiscounts,
  pools: PoolSpending,
): ReadonlyMap<Part, number> | undefined {
  let byOffer: Map<LineOffer | BuyGetOffer, Part[]> | undefined;
  for (const part of parts) {
    const { offer } = part;
    if (!offer || offer.mostDiscount === Number.POSITIVE_INFINITY || isAt(offer, 'bundle')) continue;
    byOffer ??= new Map();
    const own = byOffer.get(offer);
    if (own) own.push(part);
    else byOffer.set(offer, [part]);
  }
  if (!byOffer) return undefined;
  const effects = new Map<Part, number>();
  for (const [offer, own] of [...byOffer].sort(byOrdinal)) {
    const full = own.map((part) => Math.min(fullEffect(part, offer), roomOf(part, policy)));
    const most = pools.cut(offer.pool, Math.min(sum(full), offer.mostDiscount));
    pools.spend(offer.pool, most);
    const shares = allocate(most, full);
    for (const [p, part] of own.entries()) effects.set(part, shares[p]!);
  }
  return effects;
}

/** Of a limit in money that several share the lower benefitId has its part first. */
function byOrdinal([a]: readonly [UnitOffer, unknown], [b]: readonly [UnitOffer, unknown]): number {
  return a.benefit.ordinal - b.benefit.ordinal;
}

const NO_BUNDLES: ReadonlyMap<Part, number> = new Map();

/** The effects of every bundle on its parts. */
function settleBundles(
  parts: readonly Part[],
  policy: ExistingLineDiscounts,
  pools: PoolSpending,
): ReadonlyMap<Part, number> {
  if (!parts.some(({ offer }) => offer?.benefit.level === 'bundle')) return NO_BUNDLES;
  const effects = new Map<Part, number>();
  const byOffer = new Map<BundleOffer, Part[]>();
  for (const part of parts) {
    const { offer } = part;
    if (!offer || !isAt(offer, 'bundle')) continue;
    const own = byOffer.get(offer);
    if (own) own.push(part);
    else byOffer.set(offer, [part]);
  }
  for (const [offer, own] of [...byOffer].sort(byOrdinal)) {
    const prices = own.map(costOfPart);
    const most = bundleDiscount(offer, sum(prices), sum(own.map(({ items }) => items)));
    const caps = own.map((part, p) => Math.min(prices[p]!, roomOf(part, policy)));
    const shares = allocate(pools.cut(offer.pool, most), prices, caps);
    pools.spend(offer.pool, sum(shares));
    for (const [p, part] of own.entries()) effects.set(part, shares[p]!);
  }
  return effects;
}

/** The discount of as many bundles as `units` make, whose units cost `price` together; 0 where they would cost more. */
function bundleDiscount({ benefit, mostDiscount }: BundleOffer, price: number, units: number): number {
  const { quantities, discount } = benefit.rule;
  const bundles = units / sum(quantities);
  return Math.max(0, Math.min(discount(price, bundles), mostDiscount));
}
