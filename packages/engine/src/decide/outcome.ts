import { type BuyGetOffer, isLimited, type Offer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { type Gift, worthOfGifts } from '../settle/gifts.ts';
import type { OrderEffect } from '../settle/order-discounts.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import type { Take } from '../settle/split.ts';
import type { GivenBenefit, Use } from '../types.ts';
import type { Standing } from './standing.ts';

/** One permitted combination, computed to the unit. Money in minor units. */
export interface Outcome {
  readonly standing: Standing;
  /** In the order of the lines. */
  readonly parts: readonly SettledPart[];
  /** The units that were bought for offers which share them with no other benefit. */
  readonly bought: readonly Take<BuyGetOffer>[];
  readonly orders: readonly OrderEffect[];
  readonly gifts: readonly Gift[];
  /** The amount that the guest pays. */
  readonly total: number;
  readonly uses: readonly Use[];
  readonly search: SearchReport;
  /** The offers that were left out because they saved less than their minimum, in that order. */
  readonly leftOut: readonly LowSaver[];
}

/** An offer that saves the guest less than its minimum. */
export interface LowSaver {
  readonly offer: Offer;
  /** Minor units. */
  readonly saved: number;
}

export interface SearchReport {
  readonly steps: number;
  /**
   * What the relaxation promises beyond this combination, in minor units: an estimate of the most that another one could still
   * save, and no strict bound.
   */
  readonly gap: number;
}

/** True when the combination changes the basket in at least one way. */
export function changesBasket({ parts, orders, gifts }: Outcome): boolean {
  return gifts.length > 0 || orders.length > 0 || parts.some(({ effect }) => effect > 0);
}

/** What an offer takes in one place: limited items, and minor units. */
interface Taken {
  readonly offer: Offer;
  readonly items: number;
  readonly saved: number;
  /** The existing discount that gives way to it. */
  readonly replaced: number;
}

/** All that offers take, in the order in which they do. */
function takenBy({ parts, orders, gifts }: Pick<Outcome, 'parts' | 'orders' | 'gifts'>): Taken[] {
  const taken: Taken[] = [];
  for (const { offer, items, effect, existing, isCleared } of parts)
    if (offer) taken.push({ offer, items, saved: effect, replaced: isCleared ? existing : 0 });
  for (const { offer, amount } of orders) taken.push({ offer, items: 1, saved: amount, replaced: 0 });
  for (const { offer, units, worth } of gifts) taken.push({ offer, items: units, saved: worth, replaced: 0 });
  return taken;
}

function sumByOffer(taken: readonly Taken[], amountOf: (own: Taken) => number): Map<Offer, number> {
  const sums = new Map<Offer, number>();
  for (const own of taken) sums.set(own.offer, (sums.get(own.offer) ?? 0) + amountOf(own));
  return sums;
}

function byOrdinal({ benefit: a }: Offer, { benefit: b }: Offer): number {
  return a.ordinal - b.ordinal;
}

/** The offers that have an effect, in the order of the benefitId. */
export function effectiveOffers(outcome: Outcome): Offer[] {
  return [...new Set(takenBy(outcome).map(({ offer }) => offer))].sort(byOrdinal);
}

/** The saving of each offer that has an effect, in minor units, in the order in which they have it. */
export function savingsOf(outcome: Outcome): Map<Offer, number> {
  return sumByOffer(takenBy(outcome), ({ saved }) => saved);
}

/** What each benefit gives, in the order of the benefitId. */
export function givenBy(outcome: Outcome): GivenBenefit[] {
  const effective = takenBy(outcome).filter(({ saved }) => saved > 0);
  const units = sumByOffer(effective, ({ items }) => items);
  const money = sumByOffer(effective, ({ saved }) => saved);
  return [...units.keys()]
    .sort(byOrdinal)
    .map((offer) => ({ benefitId: offer.benefit.benefitId, units: units.get(offer)!, saved: money.get(offer)! }));
}

/** The limited uses that a combination takes, in the order of the benefitId; benefits that share a limit spend it together. */
export function countUses(
  parts: readonly SettledPart[],
  orders: readonly OrderEffect[],
  gifts: readonly Gift[],
): Use[] {
  const limited = takenBy({ parts, orders, gifts }).filter(({ offer }) => isLimited(offer));
  if (limited.length === 0) return [];
  const items = sumByOffer(limited, (own) => own.items);
  const money = sumByOffer(limited, ({ saved }) => saved);
  const byKey = new Map<string, Use>();
  for (const offer of [...items.keys()].sort(byOrdinal)) {
    const spent = { baskets: 1, items: items.get(offer)!, money: money.get(offer)! };
    for (const use of [...offer.uses, ...(offer.grant ? [offer.grant] : [])]) {
      const before = byKey.get(use.usageKey) ?? { ...use, units: 0 };
      byKey.set(use.usageKey, { ...before, units: before.units + spent[use.counts] });
    }
  }
  return [...byKey.values()];
}

/** How much of a shared limit a combination takes. */
export function takenOf(pool: Pool, outcome: Outcome): number {
  const taken = takenBy(outcome).filter(({ offer }) => offer.pool === pool);
  if (pool.counts === 'baskets') return new Set(taken.map(({ offer }) => offer)).size;
  return taken.reduce((sum, { items, saved }) => sum + (pool.counts === 'items' ? items : saved), 0);
}

/**
 * True when `outcome` is to be preferred: the lower net cost, then fewer limited uses, then the higher priority and the lower
 * benefitId among the benefits that have an effect.
 */
export function isPreferred(outcome: Outcome, other: Outcome): boolean {
  const difference =
    netCostOf(outcome) - netCostOf(other) ||
    unitsOf(outcome) - unitsOf(other) ||
    highestPriority(other) - highestPriority(outcome) ||
    lowestOrdinal(outcome) - lowestOrdinal(other);
  return difference < 0;
}

/** The amount that the guest pays less the price of the products given: combinations are compared by it. May be below 0. */
export function netCostOf({ total, gifts }: Outcome): number {
  return total - worthOfGifts(gifts);
}

/** The limited uses; a limit that counts money is used once, however much it gives. */
export function unitsOf({ uses }: Outcome): number {
  return uses.reduce((sum, { units, counts }) => sum + (counts === 'money' ? 1 : units), 0);
}

function highestPriority(outcome: Outcome): number {
  return Math.max(...effectiveOffers(outcome).map(({ benefit }) => benefit.priority));
}

function lowestOrdinal(outcome: Outcome): number {
  return Math.min(...effectiveOffers(outcome).map(({ benefit }) => benefit.ordinal));
}

/** The offers with an effect that save the guest less than their minimum, the one that lacks most first. */
export function lowSavers(outcome: Outcome): LowSaver[] {
  const lack = ({ offer, saved }: LowSaver): number => offer.benefit.minimumSaving - saved;
  // The effect less the existing discounts that give way to it.
  const net = sumByOffer(takenBy(outcome), ({ saved, replaced }) => saved - replaced);
  const all = [...net].map(([offer, saved]) => ({ offer, saved }));
  const low = all.filter((own) => lack(own) > 0);
  return low.sort((a, b) => lack(b) - lack(a) || a.offer.benefit.ordinal - b.offer.benefit.ordinal);
}
