import type { LineFacts } from '../lines/lines.ts';
import { type BundleOffer, isAt, type UnitOffer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { isCut, type SetLines } from './sets.ts';

/**
 * What the lines of a component share: how many units a limit still gives, how much money, and how far bundles and sets are
 * complete. Each is a number of the state in which a walk over the lines stands.
 */
export interface Couplings {
  /** The most that each number of the state may reach. */
  readonly capacities: readonly number[];
  /** Numbers that count units of a limit. */
  readonly limits: readonly number[];
  /** Numbers that count what is saved of a sum of money. */
  readonly sums: readonly number[];
  readonly bundles: readonly BundleCoupling[];
  readonly sets: readonly SetCoupling[];
  readonly bundleOf: ReadonlyMap<UnitOffer, BundleCoupling>;
  readonly setOf: ReadonlyMap<UnitOffer, SetCoupling>;
  /** The limits and the sums that units of an offer spend. */
  readonly limitsOf: ReadonlyMap<UnitOffer, readonly number[]>;
  readonly sumsOf: ReadonlyMap<UnitOffer, readonly number[]>;
}

export interface BundleCoupling {
  readonly offer: BundleOffer;
  /** The number of the state for item 0; the others follow. */
  readonly at: number;
  readonly quantities: readonly number[];
}

export interface SetCoupling {
  readonly set: SetLines;
  /** The number for units bought; those given, and whether units of one half alone take part, follow. */
  readonly at: number;
  /** The lines are walked in the order in which this offer cuts its sets, so that every place can be judged. */
  readonly isOrdered: boolean;
  /** Its place among the sets. */
  readonly number: number;
}

/** The couplings of offers on lines that are walked in this order. */
export function findCouplings(
  offers: readonly UnitOffer[],
  sets: readonly SetLines[],
  order: readonly LineFacts[],
): Couplings {
  const capacities: number[] = [];
  const add = (capacity: number): number => capacities.push(capacity) - 1;
  const limits: number[] = [];
  const sums: number[] = [];
  const ofPool = new Map<Pool, number>();
  const limitsOf = new Map<UnitOffer, readonly number[]>();
  const sumsOf = new Map<UnitOffer, readonly number[]>();
  const bundles: BundleCoupling[] = [];
  const coupled: SetCoupling[] = [];
  for (const offer of offers) {
    const [ownLimits, ownSums]: [number[], number[]] = [[], []];
    if (offer.items !== Number.POSITIVE_INFINITY) ownLimits.push(add(offer.items));
    if (offer.mostDiscount !== Number.POSITIVE_INFINITY) ownSums.push(add(offer.mostDiscount));
    limits.push(...ownLimits);
    sums.push(...ownSums);
    const { pool } = offer;
    if (pool && pool.counts !== 'baskets') {
      let slot = ofPool.get(pool);
      if (slot === undefined) {
        slot = add(pool.left);
        ofPool.set(pool, slot);
        (pool.counts === 'items' ? limits : sums).push(slot);
      }
      (pool.counts === 'items' ? ownLimits : ownSums).push(slot);
    }
    limitsOf.set(offer, ownLimits);
    sumsOf.set(offer, ownSums);
    if (isAt(offer, 'bundle')) {
      const { quantities } = offer.benefit.rule;
      const at = capacities.length;
      for (const _ of quantities) add(Number.POSITIVE_INFINITY);
      bundles.push({ offer, at, quantities });
    } else if (isAt(offer, 'buyGet')) {
      const set = sets.find((own) => own.offer === offer)!;
      const at = add(Number.POSITIVE_INFINITY);
      add(Number.POSITIVE_INFINITY);
      add(1);
      coupled.push({ set, at, isOrdered: isWalkedInOrder(set, order), number: coupled.length });
    }
  }
  const bundleOf = new Map<UnitOffer, BundleCoupling>(bundles.map((own) => [own.offer, own]));
  const setOf = new Map<UnitOffer, SetCoupling>(coupled.map((own) => [own.set.offer, own]));
  return { capacities, limits, sums, bundles, sets: coupled, bundleOf, setOf, limitsOf, sumsOf };
}

/** Lines that may only be bought come before the row, no line may only be given, and the row is walked place by place. */
function isWalkedInOrder({ row, placeOf, fitsBuy, fitsGet }: SetLines, order: readonly LineFacts[]): boolean {
  if (row.length === 0) return true;
  let place = -1;
  for (const { index } of order) {
    if (fitsGet[index] && !fitsBuy[index]) return false;
    if (fitsBuy[index] && !fitsGet[index] && place >= 0) return false;
    const own = placeOf[index];
    if (own === undefined) continue;
    if (own < place) return false;
    place = own;
  }
  return true;
}

/** Takes full bundles out of the state, which says what is open. */
export function closeBundles(state: Float64Array, { at, quantities }: BundleCoupling): void {
  let full = Number.POSITIVE_INFINITY;
  for (let item = 0; item < quantities.length; item++)
    full = Math.min(full, Math.floor(state[at + item]! / quantities[item]!));
  if (full > 0) for (let item = 0; item < quantities.length; item++) state[at + item]! -= full * quantities[item]!;
}

/** Takes full sets out of the state. */
export function closeSets(state: Float64Array, { at, set }: SetCoupling): void {
  const { buyQuantity, getQuantity } = set.offer.benefit.rule;
  const full = Math.min(Math.floor(state[at]! / buyQuantity), Math.floor(state[at + 1]! / getQuantity));
  if (full === 0) return;
  state[at]! -= full * buyQuantity;
  state[at + 1]! -= full * getQuantity;
}

export function isPlaceCut(state: Float64Array, { at, set }: SetCoupling): boolean {
  return isCut(set.offer.benefit.rule, state[at]!, state[at + 1]!, state[at + 2] === 0);
}

/** False where the lines that are left have too few units to complete what was begun; `after` says how many they may give: after the last one none. */
export function mayComplete(state: Float64Array, { bundles, sets }: Couplings, after: readonly number[]): boolean {
  for (const { at, quantities } of bundles) {
    let open = 0;
    for (let item = 0; item < quantities.length; item++)
      open = Math.max(open, Math.ceil(state[at + item]! / quantities[item]!));
    if (open === 0) continue;
    for (let item = 0; item < quantities.length; item++)
      if (open * quantities[item]! - state[at + item]! > after[at + item]!) return false;
  }
  for (const { at, set } of sets) {
    const { buyQuantity, getQuantity } = set.offer.benefit.rule;
    const open = Math.max(Math.ceil(state[at]! / buyQuantity), Math.ceil(state[at + 1]! / getQuantity));
    if (open * buyQuantity - state[at]! > after[at]! || open * getQuantity - state[at + 1]! > after[at + 1]!)
      return false;
  }
  return true;
}
