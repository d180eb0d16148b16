/** The small world of the model test: three limited benefits, a stamp card and an unlimited one, two venues, and members. */

import type { StoredMember } from '../../src/store/members.ts';
import type { Random } from '../../src/tools/simulator/random.ts';

/** What a benefit gives, to whom and how often; every line takes the largest percentage that it can get. */
export interface BenefitRule {
  readonly benefitId: string;
  readonly percent: number;
  /** The product group it is for; absent: every line. */
  readonly group?: Group;
  readonly limit?: { readonly quantity: number; readonly period: 'lifetime' | 'day' };
  /** Grants of one basket each, in the order in which they are spent. */
  readonly cards?: readonly string[];
}

export type Group = 'coffee' | 'bakery' | 'other';
export const GROUPS: readonly Group[] = ['coffee', 'bakery', 'other'];

export const BENEFITS: readonly BenefitRule[] = [
  { benefitId: 'once', percent: 30, limit: { quantity: 1, period: 'lifetime' } },
  { benefitId: 'twice', percent: 20, group: 'coffee', limit: { quantity: 2, period: 'lifetime' } },
  { benefitId: 'daily', percent: 40, group: 'bakery', limit: { quantity: 1, period: 'day' } },
  { benefitId: 'always', percent: 5, group: 'other' },
  // Whoever has `always` has these, so that no history is drawn in another way because of them.
  { benefitId: 'stamps', percent: 50, group: 'other', cards: ['card-1', 'card-2'] },
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
    const drawn = BENEFITS.filter(({ cards }) => !cards).filter(() => random.chance(0.7));
    const grants = drawn.map(({ benefitId }) => benefitId);
    return { status, grants: grants.includes('always') ? [...grants, 'stamps'] : grants };
  });
}

/** The counters of a benefit in the period that a basket falls into, as the store names them: it takes the first that is free. */
export function countersOf({ benefitId, limit, cards = [] }: BenefitRule, day: number): string[] {
  if (limit) return [`${benefitId}:${limit.period === 'day' ? DAYS[day] : '*'}`];
  return cards.map((card) => `${benefitId}/${card}:*`);
}

/** Every usage key with its limit. */
export const LIMITS: ReadonlyMap<string, number> = new Map(
  BENEFITS.flatMap((benefit) =>
    DAYS.flatMap((_, day) => countersOf(benefit, day).map((key) => [key, benefit.limit?.quantity ?? 1] as const)),
  ),
);

/** The grants of a member as they are stored. */
export function grantsOf({ grants }: MemberRule): StoredMember['grants'] {
  return grants.flatMap((benefitId): StoredMember['grants'] => {
    const { cards } = BENEFITS.find((benefit) => benefit.benefitId === benefitId)!;
    return cards?.map((grantId) => ({ benefitId, grantId, quantity: 1 })) ?? [benefitId];
  });
}
