/** What a line-level combination costs, part by part, or that it is not permitted (packages/engine/README.md, rules 13 to 19). */

import { priceOf } from '../../packages/conformance/src/kit/judge/decimal.ts';
import { offUnits } from './kinds.ts';
import { percentageOf, shareUnderCaps, sumOf } from './share.ts';
import { isSpread, roomOf, spread } from './spread.ts';
import type { Combination, Line, LinePlan, Offer, Part, PricedBenefit, SettleRules } from './types.ts';
import { afterExisting, offJoinedUnit, partsOfUnits } from './units.ts';

type BundlePrice = Extract<PricedBenefit, { kind: 'bundle_price' }>;

/** The parts with what they cost, or undefined when a part that a benefit takes gets too little. */
export function settle({ plans, bundles }: Combination, rules: SettleRules): Part[] | undefined {
  const parts = plans.flatMap((plan) => partsOf(plan, rules));
  const effects = new Map<Part, number>();
  const pools = new SharedMoney();
  const inOrder = [...bundles].sort(([a], [b]) => (a.benefit.benefitId < b.benefit.benefitId ? -1 : 1));
  for (const [offer, count] of inOrder) {
    const own = parts.filter((part) => part.offer === offer);
    const shares = bundleShares(offer.benefit as BundlePrice, count, own, rules, pools.left(offer));
    if (!shares) return undefined;
    pools.spend(
      offer,
      sumOf(shares, (share) => share),
    );
    for (const [index, part] of own.entries()) effects.set(part, shares[index]!);
  }
  const sets = new Set(parts.flatMap(({ offer }) => (offer?.benefit.kind === 'buy_x_get_y' ? offer : [])));
  const others = new Set(parts.flatMap(({ offer }) => (offer && !bundles.has(offer) ? offer : [])));
  for (const offer of [...others].sort((a, b) => (a.benefit.benefitId < b.benefit.benefitId ? -1 : 1))) {
    const own = parts.filter((part) => part.offer === offer);
    const full = own.map((part) => cutEffect(part, offer.benefit, rules));
    const { maximumDiscount = Infinity } = offer.benefit as { maximumDiscount?: number };
    const together = sumOf(full, (effect) => effect);
    const most = Math.min(together, maximumDiscount, pools.left(offer));
    pools.spend(offer, most);
    const shares = most === together ? full : shareUnderCaps(most, full, full);
    for (const [index, part] of own.entries()) {
      if (shares[index] === 0 && !sets.has(offer) && !part.unit) return undefined;
      effects.set(part, shares[index]!);
    }
  }
  const units = new Set(
    parts.flatMap(({ unit, offer }) => (offer && unit && !sets.has(offer) && !bundles.has(offer) ? unit.line : [])),
  );
  const isReplaced = rules.existingLineDiscounts === 'replace_if_larger';
  // Bundles, sets and units with modifiers are compared with existing discounts as a whole, where they get cheaper.
  for (const whole of [...bundles.keys(), ...sets, ...units]) {
    const own = [...effects].filter(([part]) => part.offer === whole || part.unit?.line === whole);
    const replaced = sumOf(own, ([part, effect]) => (effect > 0 ? part.existing : 0));
    const saved = sumOf(own, ([, effect]) => effect);
    if (saved === 0 || (isReplaced && replaced > 0 && saved <= replaced)) return undefined;
  }
  for (const [part, effect] of effects) {
    const isGrouped = sets.has(part.offer!) || bundles.has(part.offer!) || part.unit !== undefined;
    if (!isGrouped && isReplaced && part.existing > 0 && effect <= part.existing) return undefined;
    part.isCleared = isReplaced && effect > 0;
    const existing = part.isCleared ? 0 : part.existing;
    part.cost = part.originalPrice - existing - part.allocated - effect;
  }
  const spreading = [...sets].filter(isSpread);
  const shared = spreading.reduce((own, offer) => spread(own, offer, rules), parts);
  // Until now the lines of a unit with modifiers stood where its head stands.
  return shared.sort((a, b) => a.line.position - b.line.position);
}

/** What is left of limits in money that benefits share, while it is spent. */
export class SharedMoney {
  readonly #spent = new Map<string, number>();

  left({ shared }: Offer): number {
    return shared?.counts === 'money' ? shared.left - (this.#spent.get(shared.name) ?? 0) : Infinity;
  }

  spend({ shared }: Offer, amount: number): void {
    if (shared) this.#spent.set(shared.name, (this.#spent.get(shared.name) ?? 0) + amount);
  }
}

/** What is left of the line comes first, then one part per benefit in the order of the benefitId (rule 13). */
function partsOf(plan: LinePlan, rules: SettleRules): Part[] {
  const { line, taken, apart, sharing, rest } = plan;
  const { removed } = rules;
  if (line.joined) return partsOfUnits(plan, rules);
  const allocations = line.body.orderDiscountAllocation
    .filter(({ orderDiscountId }) => !removed.has(orderDiscountId))
    .map(({ orderDiscountAllocationAmount }) => orderDiscountAllocationAmount);
  const bought = [...sharing].map(([offer, units]): Piece => [offer, 0, units]);
  const takers = [...bought, ...[...taken].map(([offer, units]): Piece => [offer, units, 0])].sort(
    ([a], [b]) =>
      Number(a!.benefit.benefitId > b!.benefit.benefitId) - Number(a!.benefit.benefitId < b!.benefit.benefitId),
  );
  const left = line.units - sumOf(taken.values(), (units) => units) - apart;
  if (!line.isSplittable) {
    const [offer = rest] = takers[0] ?? [];
    const [own, other] = [sumOf(takers, ([, units]) => units), sumOf(takers, ([, , units]) => units)];
    const units: Piece = takers.length === 0 ? [offer, line.units, 0] : [offer, own, other];
    const allocated = sumOf(allocations, (amount) => amount);
    return [buildPart(line, units, line.body.originalLinePrice, line.body.existingLineDiscountAmount, allocated)];
  }
  // Bought units are a part of their own only beside units that another benefit takes.
  const alone = apart - sumOf(sharing.values(), (units) => units);
  const remaining: Piece[] = rest
    ? [
        [rest, left, 0],
        [undefined, alone, 0],
      ]
    : [[undefined, left + alone, 0]];
  const pieces = [...remaining.filter(([, units]) => units > 0), ...takers];
  const quantities = pieces.map(([, units, boughtUnits]) => units + boughtUnits);
  const prices = quantities.map((units) => units * line.price);
  const existing = shareUnderCaps(line.body.existingLineDiscountAmount, quantities, prices);
  const allocated = pieces.map(() => 0);
  for (const amount of allocations) {
    const caps = prices.map((price, index) => price - existing[index]! - allocated[index]!);
    for (const [index, share] of shareUnderCaps(amount, quantities, caps).entries()) allocated[index]! += share;
  }
  return pieces.map((piece, index) => buildPart(line, piece, prices[index]!, existing[index]!, allocated[index]!));
}

/** Units of a line that a benefit discounts, and those that were bought for it and share what it gives. */
type Piece = readonly [offer: Offer | undefined, units: number, boughtUnits: number];

function buildPart(
  line: Line,
  [offer, units, boughtUnits]: Piece,
  originalPrice: number,
  existing: number,
  allocated: number,
): Part {
  const cost = originalPrice - existing - allocated;
  return { line, offer, units, boughtUnits, originalPrice, existing, allocated, cost };
}

/** The effect, cut to the room. */
function cutEffect(part: Part, benefit: PricedBenefit, rules: SettleRules): number {
  const effect = part.units === 0 ? 0 : (part.share ?? fullEffect(part, benefit, rules));
  return Math.min(effect, roomOf(part, rules));
}

/** What a line-level benefit takes off one unit of a line alone. */
export function offAlone(line: Line, offer: Offer, rules: SettleRules): number {
  if (line.joined) return offJoinedUnit(line, offer, rules);
  const { originalLinePrice: originalPrice, existingLineDiscountAmount: existing } = line.body;
  const part = { line, offer, units: 1, boughtUnits: 0, originalPrice, existing, allocated: 0, cost: 0 };
  return fullEffect(part, offer.benefit, rules);
}

/** Rule 15. Goods that are not counted in units have the exact product of their quantity instead of "k ×". */
function fullEffect(part: Part, benefit: PricedBenefit, rules: SettleRules): number {
  const { line, units } = part;
  const { quantity, originalLinePrice } = line.body;
  const { isCounted } = line;
  const times = (amount: number) => (isCounted ? units * amount : Number(priceOf(quantity, amount)));
  const price = isCounted ? units * line.price : originalLinePrice;
  return offUnits(benefit, {
    units,
    unitPrice: line.body.unitPrice,
    price,
    cost: costAfterExisting(part, rules),
    times,
  });
}

/** What the discounted units of a part cost; of a line that cannot be split they have their share of its existing discount. */
function costAfterExisting({ line, units, originalPrice, existing }: Part, rules: SettleRules): number {
  const all = line.price === 0 ? 1 : originalPrice / line.price;
  return afterExisting(line, units, all, existing, rules);
}

/** Rule 17: the shares of the bundles' discount, or undefined when they give nothing. */
function bundleShares(
  { bundlePrice, percent, amount, maximumDiscount = Infinity }: BundlePrice,
  count: number,
  parts: readonly Part[],
  rules: SettleRules,
  left: number,
): number[] | undefined {
  const prices = parts.map((part) => costAfterExisting(part, rules));
  const together = sumOf(prices, (price) => price);
  const off =
    bundlePrice !== undefined
      ? together - count * bundlePrice
      : percent !== undefined
        ? percentageOf(together, percent)
        : Math.min(count * amount!, together);
  const discount = Math.min(off, maximumDiscount, left);
  if (discount <= 0) return undefined;
  const caps = parts.map((part, index) => Math.min(prices[index]!, roomOf(part, rules)));
  const shares = shareUnderCaps(discount, prices, caps);
  return shares.some((share) => share > 0) ? shares : undefined;
}
