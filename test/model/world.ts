/**
 * The small world of the model test: benefits limited by baskets, to two of which one limit is common, benefits limited in
 * money, of which two share theirs, a stamp card and an unlimited one, two venues, and members.
 */

import type { Random } from '../../packages/simulator/src/random.ts';
import type { StoredMember } from '../../src/store/members.ts';

/** What a benefit gives, to whom and how often; every line takes the largest percentage that it can get. */
export interface BenefitRule {
  readonly benefitId: string;
  readonly percent: number;
  /** The product groups it is for. */
  readonly groups: readonly Group[];
  readonly limit?: {
    readonly quantity: number;
    readonly period: 'lifetime' | 'day';
    readonly counts: 'baskets' | 'money';
    /** Shared with the others that name it. */
    readonly limitId?: string;
  };
  /** Grants of one basket each, in the order in which they are spent. */
  readonly cards?: readonly string[];
  /** Whoever has that one has this one too, so that no history is drawn in another way because of it. */
  readonly comesWith?: string;
}

/** The goods of most lines, for which benefits compete. */
export const GROUPS = ['coffee', 'bakery', 'other'] as const;
/** Goods of which each has one benefit. What that gives depends on others through its limit alone. */
export const MORE_GROUPS = ['tea', 'cake', 'wine', 'beer', 'cider'] as const;
export type Group = (typeof GROUPS)[number] | (typeof MORE_GROUPS)[number];

const HOURS = { quantity: 2, period: 'lifetime', counts: 'baskets', limitId: 'hours' } as const;
const TAB = { quantity: 7_000, period: 'lifetime', counts: 'money', limitId: 'tab' } as const;

export const BENEFITS: readonly BenefitRule[] = [
  { benefitId: 'once', percent: 30, groups: GROUPS, limit: { quantity: 1, period: 'lifetime', counts: 'baskets' } },
  {
    benefitId: 'twice',
    percent: 20,
    groups: ['coffee'],
    limit: { quantity: 2, period: 'lifetime', counts: 'baskets' },
  },
  { benefitId: 'daily', percent: 40, groups: ['bakery'], limit: { quantity: 1, period: 'day', counts: 'baskets' } },
  { benefitId: 'always', percent: 5, groups: ['other'] },
  { benefitId: 'stamps', percent: 50, groups: ['other'], cards: ['card-1', 'card-2'], comesWith: 'always' },
  { benefitId: 'early', percent: 25, groups: ['tea'], limit: HOURS, comesWith: 'twice' },
  { benefitId: 'late', percent: 35, groups: ['cake'], limit: HOURS, comesWith: 'twice' },
  {
    benefitId: 'cellar',
    percent: 60,
    groups: ['wine'],
    limit: { quantity: 9_000, period: 'day', counts: 'money' },
    comesWith: 'always',
  },
  { benefitId: 'draught', percent: 45, groups: ['beer'], limit: TAB, comesWith: 'always' },
  { benefitId: 'pressed', percent: 55, groups: ['cider'], limit: TAB, comesWith: 'always' },
];

/** Both at noon in Oslo, so that no clock change and no midnight is near. */
export const DAYS = ['2026-11-20', '2026-11-21'] as const;
export const VENUES = ['oslo-central', 'bergen-quay'] as const;
const CURRENCY = 'NOK';

export interface MemberRule {
  /** `unknown` is never written. */
  readonly status: 'active' | 'paused' | 'unknown';
  readonly grants: readonly string[];
}

/** One to three members; most can do something, one in a while is paused or was never written. */
export function randomMembers(random: Random): MemberRule[] {
  return Array.from({ length: random.between(1, 3) }, (): MemberRule => {
    const status = random.chance(0.85) ? 'active' : random.pick(['paused', 'unknown'] as const);
    const drawn = BENEFITS.filter(({ comesWith }) => !comesWith).filter(() => random.chance(0.7));
    const grants = drawn.map(({ benefitId }) => benefitId);
    const more = BENEFITS.filter(({ comesWith }) => comesWith !== undefined && grants.includes(comesWith));
    return { status, grants: [...grants, ...more.map(({ benefitId }) => benefitId)] };
  });
}

/** The counters of a benefit in the period that a basket falls into, as the store names them: it takes the first that is free. */
export function countersOf({ benefitId, limit, cards = [] }: BenefitRule, day: number): string[] {
  if (!limit) return cards.map((card) => `${benefitId}/${card}:*`);
  const { counts, limitId, period } = limit;
  const owner = `${limitId === undefined ? benefitId : `@${limitId}`}${counts === 'money' ? `$${CURRENCY}` : ''}`;
  return [`${owner}:${period === 'day' ? DAYS[day] : '*'}`];
}

/** The counter of the open calculations that crowd a member. No benefit has it, so they are in nobody's way. */
export const CROWDED = 'crowd:*';

/** Every usage key with its limit. */
export const LIMITS: ReadonlyMap<string, number> = new Map(
  BENEFITS.flatMap((benefit) =>
    DAYS.flatMap((_, day) => countersOf(benefit, day).map((key) => [key, benefit.limit?.quantity ?? 1] as const)),
  ),
);

/** What a calculation takes of counters, as text: a counter of which it takes one by its key alone, `key=units` of more. */
export function useOf(key: string, units: number): string {
  return units === 1 ? key : `${key}=${units}`;
}

/** The key and the units of a use. */
export function readUse(use: string): readonly [key: string, units: number] {
  const at = use.lastIndexOf('=');
  return at < 0 ? [use, 1] : [use.slice(0, at), Number(use.slice(at + 1))];
}

/** Units that uses take of one counter. */
export function unitsOf(uses: readonly string[], key: string): number {
  return uses.map(readUse).reduce((sum, [own, units]) => sum + (own === key ? units : 0), 0);
}

/** The price of a line by its place. */
export function priceOf(at: number): number {
  return 10_000 + 100 * at;
}

/** The grants of a member as they are stored. */
export function grantsOf({ grants }: MemberRule): StoredMember['grants'] {
  return grants.flatMap((benefitId): StoredMember['grants'] => {
    const { cards } = BENEFITS.find((benefit) => benefit.benefitId === benefitId)!;
    return cards?.map((grantId) => ({ benefitId, grantId, quantity: 1 })) ?? [benefitId];
  });
}
