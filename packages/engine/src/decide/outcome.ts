import type { Benefit } from '../compile/programme.ts';
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

/** The offers that have an effect, in the order of the benefitId. */
export function effectiveOffers({ parts, orders, gifts }: Outcome): Offer[] {
  const offers = new Set<Offer>();
  for (const { offer } of parts) if (offer) offers.add(offer);
  for (const { offer } of orders) offers.add(offer);
  for (const { offer } of gifts) offers.add(offer);
  return [...offers].sort((a, b) => a.benefit.ordinal - b.benefit.ordinal);
}

/** The saving of each offer that has an effect, in minor units, in the order in which they have it. */
export function savingsOf({ parts, orders, gifts }: Outcome): Map<Offer, number> {
  const saved = new Map<Offer, number>();
  const add = (offer: Offer | undefined, amount: number): void => {
    if (offer) saved.set(offer, (saved.get(offer) ?? 0) + amount);
  };
  for (const { offer, effect } of parts) add(offer, effect);
  for (const { offer, amount } of orders) add(offer, amount);
  for (const { offer, worth } of gifts) add(offer, worth);
  return saved;
}

/** What each benefit gives, in the order of the benefitId. */
export function givenBy(outcome: Outcome): GivenBenefit[] {
  const given: { readonly benefit: Benefit; readonly benefitId: string; units: number; saved: number }[] = [];
  const add = ({ benefit }: Offer, units: number, saved: number): void => {
    for (const own of given) {
      if (own.benefit !== benefit) continue;
      own.units += units;
      own.saved += saved;
      return;
    }
    given.push({ benefit, benefitId: benefit.benefitId, units, saved });
  };
  for (const { offer, items, effect } of outcome.parts) if (offer && effect > 0) add(offer, items, effect);
  for (const { offer, amount } of outcome.orders) add(offer, 1, amount);
  for (const { offer, units, worth } of outcome.gifts) add(offer, units, worth);
  return given
    .sort((a, b) => a.benefit.ordinal - b.benefit.ordinal)
    .map(({ benefitId, units, saved }) => ({ benefitId, units, saved }));
}

/** The limited uses that a combination takes, in the order of the benefitId. */
export function countUses(
  parts: readonly SettledPart[],
  orders: readonly OrderEffect[],
  gifts: readonly Gift[],
): Use[] {
  let spent: Map<Offer, Spent> | undefined;
  const count = (offer: Offer | undefined, items: number, money: number): void => {
    if (!offer || !isLimited(offer)) return;
    spent ??= new Map();
    const own = spent.get(offer);
    if (own) {
      own.items += items;
      own.money += money;
    } else spent.set(offer, { baskets: 1, items, money });
  };
  for (const { offer, items, effect } of parts) count(offer, items, effect);
  for (const { offer, amount } of orders) count(offer, 1, amount);
  for (const { offer, units, worth } of gifts) count(offer, units, worth);
  if (!spent) return [];
  const uses = [...spent]
    .sort(([a], [b]) => a.benefit.ordinal - b.benefit.ordinal)
    .flatMap(([{ uses: limited, grant }, own]) => [
      ...limited.map((use) => ({ ...use, units: own[use.counts] })),
      ...(grant ? [{ ...grant, units: 1 }] : []),
    ]);
  return mergeUses(uses);
}

/** How much of a shared limit a combination takes. */
export function takenOf(pool: Pool, { parts, orders, gifts }: Outcome): number {
  let taken = 0;
  const sharing = new Set<Offer>();
  const count = (offer: Offer | undefined, items: number, money: number): void => {
    if (offer?.pool !== pool) return;
    sharing.add(offer);
    taken += pool.counts === 'items' ? items : money;
  };
  for (const { offer, items, effect } of parts) count(offer, items, effect);
  for (const { offer, amount } of orders) count(offer, 0, amount);
  for (const { offer, units, worth } of gifts) count(offer, units, worth);
  return pool.counts === 'baskets' ? sharing.size : taken;
}

/** Benefits that share a limit spend it together. */
function mergeUses(uses: readonly Use[]): Use[] {
  const byKey = new Map<string, Use>();
  for (const use of uses) {
    const { units } = byKey.get(use.usageKey) ?? { units: 0 };
    byKey.set(use.usageKey, { ...(byKey.get(use.usageKey) ?? use), units: units + use.units });
  }
  return [...byKey.values()];
}

/** What an offer takes of a limit, by what the limit counts. */
interface Spent {
  readonly baskets: 1;
  items: number;
  money: number;
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
  const all = [...netSavingsOf(outcome)].map(([offer, saved]) => ({ offer, saved }));
  const low = all.filter((own) => lack(own) > 0);
  return low.sort((a, b) => lack(b) - lack(a) || a.offer.benefit.ordinal - b.offer.benefit.ordinal);
}

/** What each offer saves the guest: its effect less the existing discounts that give way to it. */
function netSavingsOf({ parts, orders, gifts }: Outcome): Map<Offer, number> {
  const saved = new Map<Offer, number>();
  const add = (offer: Offer, amount: number): unknown => saved.set(offer, (saved.get(offer) ?? 0) + amount);
  for (const { offer, effect, existing, isCleared } of parts)
    if (offer) add(offer, effect - (isCleared ? existing : 0));
  for (const { offer, amount } of orders) add(offer, amount);
  for (const { offer, worth } of gifts) add(offer, worth);
  return saved;
}
