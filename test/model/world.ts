/** The small world of the model test: three limited benefits and an unlimited one, two venues, and members with grants. */
import type { Random } from '../../src/tools/simulator/random.ts';

/** What a benefit gives, to whom and how often; every line takes the largest percentage that it can get. */
export interface BenefitRule {
  readonly benefitId: string;
  readonly percent: number;
  /** The product group it is for; absent: every line. */
  readonly group?: Group;
  readonly limit?: { readonly quantity: number; readonly period: 'lifetime' | 'day' };
}

export type Group = 'coffee' | 'bakery' | 'other';
export const GROUPS: readonly Group[] = ['coffee', 'bakery', 'other'];

export const BENEFITS: readonly BenefitRule[] = [
  { benefitId: 'once', percent: 30, limit: { quantity: 1, period: 'lifetime' } },
  { benefitId: 'twice', percent: 20, group: 'coffee', limit: { quantity: 2, period: 'lifetime' } },
  { benefitId: 'daily', percent: 40, group: 'bakery', limit: { quantity: 1, period: 'day' } },
  { benefitId: 'always', percent: 5, group: 'other' },
];

/** Both at noon in Oslo, so that no clock change and no midnight is near. */
export const DAYS = ['2026-11-20', '2026-11-21'] as const;
export const VENUES = ['oslo-central', 'bergen-quay'] as const;

export interface MemberRule {
  /** `unknown` is never written. */
  readonly status: 'active' | 'paused' | 'unknown';
  readonly grants: readonly string[];
}

/** One to three members; most can do something, one in a while is paused or was never written. */
export function randomMembers(random: Random): MemberRule[] {
  return Array.from({ length: random.between(1, 3) }, (): MemberRule => {
    const status = random.chance(0.85) ? 'active' : random.pick(['paused', 'unknown'] as const);
    return { status, grants: BENEFITS.map(({ benefitId }) => benefitId).filter(() => random.chance(0.7)) };
  });
}

/** A benefit in the period that a basket falls into, as the store names it. */
export function usageKey({ benefitId, limit }: BenefitRule, day: number): string {
  return `${benefitId}:${limit?.period === 'day' ? DAYS[day] : '*'}`;
}

/** Every usage key with its limit. */
export const LIMITS: ReadonlyMap<string, number> = new Map(
  BENEFITS.flatMap((benefit) =>
    benefit.limit ? DAYS.map((_, day) => [usageKey(benefit, day), benefit.limit!.quantity] as const) : [],
  ),
);
