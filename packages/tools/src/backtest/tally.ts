import { isDeepStrictEqual } from 'node:util';
import type { Fate } from './ends.ts';
import type { Rehearsed } from './rehearse.ts';

/** `unsold`: recorded to its end, and sold by nobody. `supposed`: its end was not recorded, and it is taken for a sale. */
export type CountedFate = Fate | 'unsold' | 'supposed';

/**
 * Sums over rehearsed sales, made per batch in the threads and merged. Money in minor units of one currency. The sums of
 * benefits, venues and days are those of all sales that a sample stands for: each counts as many times as its sample says.
 */
export type Tally = ReturnType<typeof emptyTally>;

export function emptyTally() {
  return {
    counts: {
      priced: 0,
      differing: 0,
      /** Baskets whose member was unknown and assumed to be active without grants. */
      assumedMember: 0,
      /** Baskets whose limited benefits were assumed to be unused. */
      assumedAvailability: 0,
      /** Baskets whose current total is not that of the recorded answer: another programme was in force then. */
      answeredOtherwise: 0,
    },
    /** Baskets of the input by how they ended. */
    fates: { superseded: 0, cancelled: 0, failed: 0, sold: 0, unsold: 0, supposed: 0 } satisfies Record<
      CountedFate,
      number
    >,
    /** Sales by the share that was recorded; 1 where it is not known. */
    samples: new Map<number, number>(),
    /** Reasons why baskets could not be priced, with their numbers. */
    unpriced: new Map<string, number>(),
    benefits: new Map<string, BenefitSums>(),
    /** By day and benefit, `2026-11-21 happy-coffee`. */
    benefitDays: new Map<string, BenefitSums>(),
    venues: new Map<string, Sums>(),
    /** By the groups that shares of members make, `spring 0-50`. */
    shares: new Map<string, Sums>(),
    days: new Map<string, Sums>(),
    /** How much more (above 0) or less each member pays under the draft; only members with differing baskets, about a hundred bytes each. */
    members: new Map<string, number>(),
    /** The baskets that differ most, in descending order. */
    most: [] as Difference[],
  };
}

/** Sums of one venue or day in one currency. */
export type Sums = { sales: number; before: number; current: number; draft: number };
/** Sums of one benefit in one currency: the number of sales with it, the units that it gave, and the savings. */
export type BenefitSums = Record<`${'current' | 'draft'}${'Sales' | 'Units' | ''}`, number>;

/** One basket that the draft prices differently, or by other benefits. */
export interface Difference {
  readonly line: number;
  readonly calculationId: string;
  readonly loyaltyId: string;
  readonly venueId: string;
  readonly day: string;
  readonly currency: string;
  readonly before: number;
  readonly current: Rehearsed['current'];
  readonly draft: Rehearsed['draft'];
  /** Above 0 when the guest pays more under the draft. */
  readonly change: number;
}

const MOST_DIFFERENT = 20;

/** Builds the key of a name within one currency. */
function keyOf(name: string, currency: string): string {
  return `${currency} ${name}`;
}

export function splitKey(key: string): { readonly name: string; readonly currency: string } {
  return { currency: key.slice(0, 3), name: key.slice(4) };
}

/**
 * Adds one sale of a recording of this share of all. Returns its difference, or undefined when the draft changes nothing.
 */
export function addBasket(tally: Tally, rehearsed: Rehearsed, line: number, sample = 1): Difference | undefined {
  const { basket, venueId, day, current, draft, answeredTotal, assumed } = rehearsed;
  const { currency, totals, loyaltyId, calculationId } = basket;
  const { counts } = tally;
  counts.priced += 1;
  counts.assumedMember += Number(assumed.member);
  counts.assumedAvailability += Number(assumed.availability);
  counts.answeredOtherwise += Number(answeredTotal !== undefined && answeredTotal !== current.total);
  addTo(tally.samples, sample, 1);
  const weight = 1 / sample;
  const sums = scaled({ sales: 1, before: totals.total, current: current.total, draft: draft.total }, weight);
  addSums(tally.venues, keyOf(venueId, currency), sums);
  addSums(tally.days, keyOf(day, currency), sums);
  for (const share of rehearsed.shares) addSums(tally.shares, keyOf(share, currency), sums);
  addBenefits(tally, rehearsed, weight);
  const change = draft.total - current.total;
  if (change === 0 && isDeepStrictEqual(current.saved, draft.saved)) return undefined;
  counts.differing += 1;
  addTo(tally.members, keyOf(loyaltyId, currency), change);
  const difference = { line, calculationId, loyaltyId, venueId, day, currency, before: totals.total };
  return { ...difference, current, draft, change };
}

/** Adds `part` to `tally`. */
export function mergeTally(tally: Tally, part: Tally): void {
  addAll(tally.counts, part.counts);
  addAll(tally.fates, part.fates);
  for (const [reason, count] of part.unpriced) addTo(tally.unpriced, reason, count);
  for (const [sample, count] of part.samples) addTo(tally.samples, sample, count);
  for (const name of ['benefits', 'benefitDays', 'venues', 'shares', 'days'] as const) {
    for (const [key, sums] of part[name]) addSums<Record<string, number>>(tally[name], key, sums);
  }
  for (const [key, change] of part.members) addTo(tally.members, key, change);
  keepMost(tally.most, part.most);
}

/**
 * Merges both lists into `most` and keeps the baskets that differ most; of equal ones, those that come first in the
 * input.
 */
export function keepMost(most: Difference[], more: readonly Difference[]): void {
  most.push(...more);
  most.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.line - b.line);
  most.length = Math.min(most.length, MOST_DIFFERENT);
}

function addBenefits(tally: Tally, { basket, day, current, draft }: Rehearsed, weight: number): void {
  const none = { currentSales: 0, currentUnits: 0, current: 0, draftSales: 0, draftUnits: 0, draft: 0 };
  const add = (benefitId: string, own: Partial<BenefitSums>): void => {
    const sums = scaled<BenefitSums>({ ...none, ...own }, weight);
    addSums(tally.benefits, keyOf(benefitId, basket.currency), sums);
    addSums(tally.benefitDays, keyOf(`${day} ${benefitId}`, basket.currency), sums);
  };
  for (const [benefitId, saved] of Object.entries(current.saved)) {
    add(benefitId, { currentSales: 1, currentUnits: current.units[benefitId]!, current: saved });
  }
  for (const [benefitId, saved] of Object.entries(draft.saved)) {
    add(benefitId, { draftSales: 1, draftUnits: draft.units[benefitId]!, draft: saved });
  }
}

function scaled<Row extends Record<string, number>>(row: Row, weight: number): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value * weight])) as Row;
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function addSums<Row extends Record<string, number>>(rows: Map<string, Row>, key: string, part: Row): void {
  const row = rows.get(key);
  if (row) addAll(row, part);
  else rows.set(key, { ...part });
}

/** Adds the numbers of a row to those of another one with the same names. */
function addAll(row: Record<string, number>, part: Readonly<Record<string, number>>): void {
  for (const name in part) row[name] = (row[name] ?? 0) + part[name]!;
}
