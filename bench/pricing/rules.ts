import type { BenefitConditions, BenefitDefinition, ProgrammeDefinition } from '@loyalty/engine/definition';
import { BASKETS_PER_CELL } from './cell.ts';
import { groupId, shopBaskets, shopProducts } from './shop.ts';

/**
 * What single rules cost: 20 lines under a percentage on each product group, and some benefits more, with the rule and without it.
 */

export const RULE_LINES = 20;
const SEED = 1;

export function ruleBaskets(): ReturnType<typeof shopBaskets> {
  return shopBaskets(BASKETS_PER_CELL, RULE_LINES, SEED);
}

export interface RuleCase {
  readonly rule: string;
  /** The benefits in few words. */
  readonly about: string;
  readonly without: Surroundings;
  readonly with: Surroundings;
}

export interface Surroundings {
  readonly benefits: readonly BenefitDefinition[];
  readonly programme?: Partial<ProgrammeDefinition>;
  /** The member holds a card for each benefit. */
  readonly hasCards?: boolean;
  /** The benefits ask, of the whole basket, for so much more than it costs after line-level benefits. */
  readonly asksMoreThanNet?: number;
}

type Own = Partial<BenefitConditions> & Record<string, unknown>;

/** So many benefits, each on five product groups. */
function several(count: number, words: Own): BenefitDefinition[] {
  return Array.from({ length: count }, (_, at) => {
    const productGroupIds = Array.from({ length: 5 }, (_, group) => groupId(5 * at + group));
    return { benefitId: `rule-${at}`, appliesTo: { productGroupIds }, ...words } as unknown as BenefitDefinition;
  });
}

function one(words: Own): BenefitDefinition[] {
  return [{ benefitId: 'rule', ...words } as unknown as BenefitDefinition];
}

/** A month's limit that is far from used up, and one that a basket meets. */
const MONEY = { quantity: 100_000, period: 'month', counts: 'money' } as const;
const ITEMS = { quantity: 4, period: 'month', counts: 'items' } as const;
const HALF = { kind: 'line_percent', percent: 50 };
const SETS = { kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 } };
const VOUCHER = { kind: 'order_amount', amount: 5_000 };

export const RULE_CASES: readonly RuleCase[] = [
  {
    rule: 'groups',
    about: 'six vouchers on the order, of which one applies',
    without: { benefits: several(6, VOUCHER) },
    with: { benefits: several(6, { ...VOUCHER, group: 'welcome' }), programme: { groups: { welcome: { atMost: 1 } } } },
  },
  {
    rule: 'grants',
    about: 'four benefits on lines, each for a card of the member',
    without: { benefits: several(4, HALF) },
    with: { benefits: several(4, { ...HALF, audience: 'granted' }), hasCards: true },
  },
  {
    rule: 'limit in money',
    about: '50 % off five product groups, 1,000.00 a month',
    without: { benefits: several(1, HALF) },
    with: { benefits: several(1, { ...HALF, limit: MONEY }) },
  },
  {
    rule: 'shared limit',
    about: 'three benefits on lines, four items together instead of each',
    without: { benefits: several(3, { ...HALF, limit: ITEMS }) },
    with: { benefits: several(3, { ...HALF, limit: { ...ITEMS, limitId: 'together' } }) },
  },
  {
    rule: 'spread',
    about: '3 for 2 on everything',
    without: { benefits: one(SETS) },
    with: { benefits: one({ ...SETS, spread: true }) },
  },
  {
    rule: 'inBasketFirst',
    about: 'a product that some baskets hold, as a gift',
    without: { benefits: one({ kind: 'free_product', productId: mostSold() }) },
    with: { benefits: one({ kind: 'free_product', productId: mostSold(), inBasketFirst: true }) },
  },
  {
    rule: 'net minimum, met',
    about: 'a voucher from 100.00 on',
    without: { benefits: one({ ...VOUCHER, minimumSpend: 10_000 }) },
    with: { benefits: one({ ...VOUCHER, minimumSpend: 10_000, minimumSpendBasis: 'net' }) },
  },
  {
    rule: 'net minimum, near',
    about: 'a voucher from 1.00 more on than the lines cost after their benefits',
    without: { benefits: one({ ...VOUCHER, minimumSpend: 10_000 }) },
    with: { benefits: one({ ...VOUCHER, minimumSpendBasis: 'net', minimumSpendOn: 'basket' }), asksMoreThanNet: 100 },
  },
  {
    rule: 'weighed',
    about: 'ten product groups that are never cut, under 3 for 2',
    without: { benefits: one(SETS) },
    with: {
      benefits: one(SETS),
      programme: { weighed: { productGroupIds: Array.from({ length: 10 }, (_, group) => groupId(group)) } },
    },
  },
];

/** The product of the shop that most baskets hold. */
function mostSold(): string {
  const counts = new Map<string, number>();
  const sold = new Set(shopProducts().map(({ productId }) => productId));
  for (const { lines } of ruleBaskets()) {
    for (const { productId } of lines) {
      if (sold.has(productId)) counts.set(productId, (counts.get(productId) ?? 0) + 1);
    }
  }
  return [...counts].reduce((most, own) => (own[1] > most[1] ? own : most))[0];
}
