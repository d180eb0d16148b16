/** Adds rules to a random case, drawn after all else, so that the case of a seed stays the same without them. */

import { kindOf } from '@loyalty/engine/benefits/register';
import { AMOUNT_FIELDS } from '@loyalty/engine/compile/amounts';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Random } from '../../packages/simulator/src/random.ts';
import type { OracleCase } from './types.ts';

type Words = object;
type Change = (random: Random, benefit: BenefitDefinition) => Words;

/** What one benefit may say besides; each is drawn with its chance. */
const CHANGES: readonly (readonly [chance: number, change: Change])[] = [
  [0.06, () => ({ enabled: false })],
  [0.1, (random) => ({ when: random.chance(0.3) ? drawWindow(random) : [drawWindow(random), drawWindow(random)] })],
  [0.2, addExclusions],
  [0.5, sayOtherwise],
  [0.12, (random) => ({ minimumSaving: random.pick([1, 5, 12, 30, 80]) })],
  [0.15, nameCurrencies],
  [0.5, (random) => ({ group: random.pick(['one', 'one', 'two']) })],
  [0.15, (random) => ({ minimumSpend: random.pick([60, 150, 300]), minimumSpendOn: 'basket' })],
  [0.12, (random, benefit) => (isOrderLevel(benefit) ? {} : { maximumUnits: random.between(1, 3) })],
  [
    0.12,
    (random, benefit) => {
      const counts = isOrderLevel(benefit) ? 'baskets' : random.pick(['items', 'items', 'baskets']);
      return { limit: { quantity: random.between(1, 3), period: 'basket', counts } };
    },
  ],
];

function isOrderLevel(benefit: BenefitDefinition): boolean {
  return kindOf(benefit).level === 'order';
}

/** Lines that no benefit sees. */
const HIDDEN = [
  { productGroupIds: ['h'], excludeProductIds: ['c'] },
  { productIds: ['a'] },
  { excludeProductGroupIds: ['g'] },
  { eans: ['1'], productMasterIds: ['m'], excludeEans: ['2'] },
];

export function addRules(random: Random, oracleCase: OracleCase): OracleCase {
  const { basket } = oracleCase;
  const benefits = oracleCase.programme.benefits.map((benefit) => {
    let changed = benefit;
    for (const [chance, change] of CHANGES) {
      if (random.chance(chance)) changed = { ...changed, ...change(random, changed) } as BenefitDefinition;
    }
    return changed;
  });
  const lines = basket.lines.map((line) => ({
    ...line,
    ...(random.chance(0.2) && { ean: random.pick(['1', '2']) }),
    ...(random.chance(0.2) && { productMasterId: 'm' }),
  }));
  const tier = random.chance(0.5) ? { tier: 'gold' } : {};
  const exclude = random.chance(0.12) ? { exclude: random.pick(HIDDEN) } : {};
  const weighed = random.chance(0.12) ? { weighed: random.pick(HIDDEN) } : {};
  const granted = countGrants(random, oracleCase);
  const limited = limitMoney(random, {
    ...oracleCase,
    ...tier,
    ...granted,
    basket: { ...basket, lines },
    programme: {
      ...oracleCase.programme,
      groups: { one: { atMost: 1 }, two: { atMost: 2 } },
      benefits,
      ...exclude,
      ...weighed,
    },
  });
  return random.chance(0.5) ? shareLimits(random, limited) : limited;
}

/** The discounts of the staff stand for the whole basket, mostly to be given up. */
export function drawBasketScope(random: Random, oracleCase: OracleCase): OracleCase {
  const draw = () => random.pick(['replace_if_larger', 'replace_if_larger', 'replace_if_larger', 'keep'] as const);
  const policies = { existingLineDiscounts: draw(), existingOrderDiscounts: draw(), existingDiscountScope: 'basket' };
  return { ...oracleCase, programme: { ...oracleCase.programme, ...policies } as OracleCase['programme'] };
}

/** Some benefits of one family share a limit. */
function shareLimits(random: Random, oracleCase: OracleCase): OracleCase {
  const { programme, available } = oracleCase;
  const counts = random.pick(['items', 'items', 'money', 'money', 'baskets'] as const);
  const ofOrder = counts === 'money' && random.chance(0.4);
  const quantity = counts === 'money' ? random.pick([5, 20, 60, 150]) : random.between(1, 4);
  const limit = { quantity, period: random.pick(['day', 'month', 'basket']), counts, limitId: 'shared' };
  const benefits = programme.benefits.map((benefit) => {
    const isLeftOut = counts !== 'baskets' && (benefit.kind === 'free_product' || isOrderLevel(benefit) !== ofOrder);
    return isLeftOut || random.chance(0.25) ? benefit : { ...benefit, limit };
  }) as BenefitDefinition[];
  const name = counts === 'money' ? '@shared$NOK' : '@shared';
  return {
    ...oracleCase,
    programme: { ...programme, benefits },
    available: { ...available, [name]: random.between(1, quantity) },
  };
}

/** Some benefits may save a member only so much in a period, or a basket; some have used it up. */
function limitMoney(random: Random, oracleCase: OracleCase): OracleCase {
  const left: Record<string, number> = {};
  const benefits = oracleCase.programme.benefits.map((benefit) => {
    if (benefit.kind === 'free_product' || random.chance(0.8)) return benefit;
    const most = random.pick([1, 10, 40, 100]);
    left[`${benefit.benefitId}$NOK`] = random.between(random.chance(0.1) ? 0 : 1, most);
    const quantity = random.chance(0.2) ? { NOK: most, SEK: most + 7 } : most;
    return { ...benefit, limit: { quantity, period: random.pick(['day', 'month', 'basket']), counts: 'money' } };
  }) as BenefitDefinition[];
  const { programme, available } = oracleCase;
  return { ...oracleCase, programme: { ...programme, benefits }, available: { ...available, ...left } };
}

/** Some grants have a counter each, with something left or nothing; another grant of the same benefit may stand beside it. */
function countGrants(random: Random, { grants, available }: OracleCase): Pick<OracleCase, 'grants' | 'available'> {
  const left: Record<string, number> = {};
  const counted = grants.flatMap((grant): OracleCase['grants'] => {
    if (typeof grant !== 'string' || random.chance(0.5)) return [grant];
    return Array.from({ length: random.between(1, 2) }, (_, at) => {
      const [grantId, quantity] = [`${grant}-card-${at}`, random.between(1, 3)];
      left[`${grant}/${grantId}`] = random.between(0, quantity);
      return { benefitId: grant, grantId, quantity };
    });
  });
  return { grants: counted, available: { ...available, ...left } };
}

/** Bundles at a percentage or an amount off, and amounts for every part of the spend. */
function sayOtherwise(random: Random, benefit: BenefitDefinition): Words {
  if (benefit.kind === 'order_amount') return { perSpend: random.pick([30, 70, 150, 400]) };
  if (benefit.kind !== 'bundle_price') return {};
  const words = random.chance(0.5) ? { percent: random.pick([10, 33.33, 50, 100]) } : { amount: random.between(1, 60) };
  return { bundlePrice: undefined, ...words };
}

/** Every amount by currency; the basket is in NOK. */
function nameCurrencies(random: Random, benefit: BenefitDefinition): Words {
  const currencies = random.chance(0.9) ? ['NOK', 'SEK'] : ['SEK'];
  const amounts = Object.entries(benefit).filter(
    ([name, value]) => AMOUNT_FIELDS.includes(name) && typeof value === 'number',
  );
  return Object.fromEntries(
    amounts.map(([name, value]) => [name, Object.fromEntries(currencies.map((each, n) => [each, value + 7 * n]))]),
  );
}

function drawWindow(random: Random): Words {
  return {
    ...(random.chance(0.5) && { channels: random.pick([['mpos'], ['pos', 'mpos'], []]) }),
    ...(random.chance(0.5) && { tiers: random.pick([['gold'], ['silver', 'gold'], ['silver']]) }),
  };
}

/** Leaves products out of every selector of the benefit. */
function addExclusions(random: Random, benefit: BenefitDefinition): Words {
  const more = random.pick<Words>([
    { excludeProductGroupIds: ['h'] },
    { excludeProductGroupIds: ['g', 'x'], excludeProductIds: ['d'] },
    { excludeEans: ['1'], excludeProductMasterIds: ['m'] },
  ]);
  if (benefit.kind === 'buy_x_get_y') return { buy: exclude(benefit.buy, more), get: exclude(benefit.get, more) };
  if (benefit.kind === 'bundle_price') return { items: benefit.items.map((item) => exclude(item, more)) };
  return exclude(benefit, more);
}

/** A selector that would be left with nothing is refused by the loader, so it keeps what it names. */
function exclude<Own extends { readonly appliesTo?: object }>(own: Own, more: Words): Own {
  const { productGroupIds, productIds } = (own.appliesTo ?? {}) as Record<string, readonly string[] | undefined>;
  const isEmptied = productGroupIds?.length === 1 && !productIds;
  return isEmptied ? own : { ...own, appliesTo: { ...own.appliesTo, ...more } };
}
