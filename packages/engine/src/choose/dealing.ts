import { type BuyGetOffer, isAt, type LineOffer, type UnitOffer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { COST, type Work } from '../work.ts';
import { assignUnits, mostOfGains } from './assignment.ts';
import { type CutRow, cutUnits, rowOf } from './cut-row.ts';
import type { Model } from './model.ts';
import type { Place } from './place.ts';
import { withCapped } from './spent-sums.ts';
import type { Role, Way } from './way.ts';

/** Of the offers that form bundles or sets, how many each of them forms. */
export type Counts = ReadonlyMap<UnitOffer, number>;

/** Who takes units: an offer limited by items, an item of a bundle, or one half of a set. */
interface Taker {
  readonly offer: UnitOffer;
  readonly part: Role['part'];
  readonly item: number | undefined;
  /** The units that it takes: of a bundle or a set for each of them, of a limited offer at most. */
  readonly units: number;
  /** What a unit of each line gains more than in the other benefits of its line. */
  readonly gains: readonly number[];
  /** Per line the role, or −1. */
  readonly roles: readonly number[];
}

/** Gains in fractions of a minor unit are kept to this part of one. */
const PARTS_OF_A_MINOR_UNIT = 1_000;

/**
 * Deals the units of a component out. How many bundles and sets each offer forms is given; which units they take, and which
 * the offers limited by items, is an assignment, so that all of them gain as much as they can together.
 */
export class Dealing {
  /** What a unit of each limit was worth in the last dealing, by the numbers of the state. */
  ofSlot: number[] = [];
  readonly #model: Model;
  readonly #work: Work;
  readonly #takers: readonly Taker[];
  readonly #rows: readonly CutRow[];
  /** What units gain, of each dealing anew. */
  readonly #gains: Float64Array;
  readonly #scale: number;
  /** More than all that units may gain elsewhere: every bundle and set has to be full. */
  readonly #full: number;

  constructor(model: Model, work: Work) {
    this.#model = model;
    this.#work = work;
    const { places, offers, couplings } = model;
    work.count(places.length * offers.length * COST.effect);
    const takers = offers.flatMap((offer): Taker[] => {
      const own = (part: Role['part'], units: number, item?: number): Taker => {
        const roles = places.map((place) => place.roleOf(offer, part, item));
        const gains = places.map((place, at) => (roles[at]! < 0 ? 0 : gainOf(model, place, offer, part, roles[at]!)));
        return { offer, part, item, units, gains, roles };
      };
      if (isAt(offer, 'bundle'))
        return offer.benefit.rule.quantities.map((quantity, item) => own('bundle', quantity, item));
      if (isAt(offer, 'buyGet')) {
        const { buyQuantity, getQuantity } = offer.benefit.rule;
        return [own('bought', buyQuantity), own('given', getQuantity)];
      }
      if (couplings.limitsOf.get(offer)!.length === 0) return [];
      return [own('line', mostUnits(offer, model))];
    });
    this.#gains = new Float64Array(places.length * takers.length);
    this.#rows = couplings.sets.flatMap((set) => rowOf(model, set) ?? []);
    const largest = takers.reduce((most, { gains }) => gains.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0);
    const isWhole = places.every(({ line, units, worth }) => line.units === 1 && units === 1 && worth === 1);
    const parts = isWhole ? 1 : PARTS_OF_A_MINOR_UNIT;
    // Of the largest amounts whole numbers are kept that sum exactly on any way through the takers.
    const most = mostOfGains(takers.length) / (takers.length + 2);
    this.#scale = Math.min(parts, (most - 2) / Math.max(1, largest));
    this.#takers = takers.map((taker) => ({
      ...taker,
      gains: taker.gains.map((own) => Math.floor(own * this.#scale)),
    }));
    this.#full = (Math.ceil(largest * this.#scale) + 1) * (takers.length + 1);
  }

  /** The best dealing of so many bundles and sets. Undefined where nothing is dealt, or they cannot be full. */
  deal(counts: Counts, part: number): readonly Way[] | undefined {
    const { places } = this.#model;
    const limited = this.#takers.filter((taker) => taker.part === 'line');
    const forming = this.#takers.filter(({ offer, part }) => part !== 'line' && (counts.get(offer) ?? 0) > 0);
    if (limited.length + forming.length === 0) return undefined;
    const wanted = places.map(({ roles }) => roles.map(() => 0));
    const steps = this.#work.left * part;
    if (!this.#assign([...forming, ...limited], counts, wanted, steps)) return undefined;
    for (const row of this.#rows) cutUnits(row, wanted);
    if (forming.some(({ offer }) => isAt(offer, 'buyGet') && offer.benefit.rule.sharesBought)) {
      // Units that were bought for sets may go to limited offers as well.
      for (const { roles } of limited)
        roles.forEach((role, at) => {
          if (role >= 0) wanted[at]![role] = 0;
        });
      this.#assign(limited, counts, wanted, steps);
    }
    const ways = places.map((place, at) => {
      const counts = wanted[at]!;
      return place.best(counts) ?? place.best(onlyLargest(counts)) ?? place.alone;
    });
    return withCapped(this.#model, ways, this.#work);
  }

  /** Adds what these takers get of the units that are free. False where bundles or sets are not full. */
  #assign(takers: readonly Taker[], counts: Counts, wanted: readonly number[][], steps: number): boolean {
    const { places } = this.#model;
    const capacities = takers.map(({ offer, part, units }) => (part === 'line' ? units : units * counts.get(offer)!));
    const pools: Pool[] = [];
    const poolOf = takers.map(({ offer: { pool }, part }) => {
      if (pool?.counts !== 'items' || part === 'bought') return undefined;
      if (!pools.includes(pool)) pools.push(pool);
      return pools.indexOf(pool);
    });
    const poolCapacities = pools.map((pool) => pool.left);
    const units = places.map(({ units, roles }, at) => {
      let free = units;
      const own = wanted[at]!;
      for (let role = 0; role < roles.length; role++) {
        const { offer, part, isExclusive } = roles[role]!;
        if (isExclusive) free -= own[role]!;
        const pool = pools.indexOf(offer.pool!);
        if (pool >= 0 && part !== 'bought') poolCapacities[pool]! -= own[role]!;
      }
      return free;
    });
    const gains = this.#gains.subarray(0, places.length * takers.length).fill(0);
    for (const [number, { part, gains: own, roles }] of takers.entries())
      for (let at = 0; at < places.length; at++) {
        if (roles[at]! < 0 || units[at]! <= 0) continue;
        gains[at * takers.length + number] = part === 'line' ? Math.max(0, own[at]!) : own[at]! + this.#full;
      }
    const perUse = 1 + takers.length * units.reduce((sum, own) => sum + Math.max(0, own), 0);
    let left = steps / COST.assignedCell;
    const task = {
      ...{ capacities, poolOf, gains, poolCapacities: poolCapacities.map((own) => Math.max(0, own)) },
      units: units.map((own) => Math.max(1, own)),
      tieCosts: takers.map(({ offer }, rank) => (offer.uses.length > 0 ? perUse : 0) + rank),
    };
    const { amounts, offerPrices, poolPrices } = assignUnits(task, (more) => {
      left -= more;
      if (left < 0) return false;
      this.#work.count(more * COST.assignedCell);
      return true;
    });
    for (const [number, { part, roles }] of takers.entries()) {
      let taken = 0;
      for (let at = 0; at < places.length; at++) {
        const dealt = amounts[at * takers.length + number]!;
        taken += dealt;
        if (dealt > 0) wanted[at]![roles[at]!] = dealt;
      }
      if (part !== 'line' && taken < capacities[number]!) return false;
    }
    const { capacities: all, limitsOf } = this.#model.couplings;
    this.ofSlot = all.map(() => 0);
    for (const [number, { offer, part }] of takers.entries()) {
      if (part !== 'line') continue;
      const [own, shared] = limitsOf.get(offer)! as [number, number?];
      const isOpen = Number.isFinite(offerPrices[number]);
      this.ofSlot[own] = isOpen ? offerPrices[number]! / this.#scale : 0;
      const ofPool = shared === undefined ? Number.NaN : poolPrices[poolOf[number]!]!;
      if (Number.isFinite(ofPool)) this.ofSlot[shared!] = ofPool / this.#scale;
    }
    return true;
  }
}

/** Of a line that takes one benefit only, the role that takes most of its units. */
function onlyLargest(counts: readonly number[]): number[] {
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  return counts.map((own, role) => (role === first ? own : 0));
}

/** What a unit of the line gains more in the role than in the benefits of its line. */
function gainOf(model: Model, place: Place, offer: UnitOffer, part: Role['part'], role: number): number {
  const { line, worth, roles, alone } = place;
  const elsewhere = roles[role]!.isExclusive ? alone.saving / line.units : 0;
  if (isAt(offer, 'bundle')) return offer.benefit.rule.estimate.ofPrice * line.unitPrice * worth - elsewhere;
  if (isAt(offer, 'buyGet')) {
    const { buyQuantity, getQuantity, effect } = offer.benefit.rule;
    const { fitsGet } = model.couplings.setOf.get(offer)!.set;
    const off = fitsGet[line.index] ? effect(line, 1) * worth : 0;
    // Of units that may stand in both halves each has its part of what the set gives.
    if (isRowAlone(model, offer)) return (off * getQuantity) / (buyQuantity + getQuantity) - elsewhere;
    return (part === 'given' ? off : 0) - elsewhere;
  }
  const most = mostOfSums(offer, model);
  const units = line.isSplittable ? 1 : place.units;
  if (units <= 0) return 0;
  if (place.isBare) return (Math.min(most, offer.benefit.rule.effect(line, units)) * worth) / units - elsewhere;
  const way = place.best(roles.map((_, at) => (at === role ? Math.min(units, roles[role]!.most) : 0)));
  if (!way) return 0;
  const cut = way.cut.reduce((sum, { effect, worth: own }) => sum + Math.min(most, effect) * own, 0);
  return (way.saving + cut - alone.saving) / units;
}

function isRowAlone({ couplings }: Model, offer: BuyGetOffer): boolean {
  const { fitsBuy, fitsGet } = couplings.setOf.get(offer)!.set;
  return fitsBuy.every((fits, line) => fits === fitsGet[line]);
}

function mostOfSums(offer: UnitOffer, { couplings: { sumsOf, capacities } }: Model): number {
  return sumsOf.get(offer)!.reduce((least, slot) => Math.min(least, capacities[slot]!), Number.POSITIVE_INFINITY);
}

/** The units that an offer may have; of a sum of money no more than leave something for each of them. */
function mostUnits(offer: LineOffer, model: Model): number {
  const most = mostOfSums(offer, model);
  if (most === Number.POSITIVE_INFINITY) return offer.items;
  let dearest = 1;
  for (const place of model.places)
    if (place.hasRole(offer)) dearest = Math.max(dearest, offer.benefit.rule.effect(place.line, 1));
  return Math.min(offer.items, Math.ceil(most / dearest));
}
