/** Adds conditions and choices of a benefit to a random case, drawn after all else, so that the case of a seed stays the same without them. */

import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Random } from '../../packages/simulator/src/random.ts';
import { limitsOf } from './limit.ts';
import type { OracleCase } from './types.ts';

type Change = (random: Random, benefit: BenefitDefinition) => object;

/** What one benefit may say besides; each is drawn with its chance. */
const CHANGES: readonly (readonly [chance: number, change: Change])[] = [
  [0.3, drawRequirements],
  [0.25, leaveDiscountedOut],
  [0.35, takeCheapest],
  [
    0.15,
    (random) => ({ minimumQuantity: random.between(1, 5), minimumQuantityOn: random.pick(['basket', 'eligible']) }),
  ],
];

export function addWords(random: Random, oracleCase: OracleCase): OracleCase {
  const { programme } = oracleCase;
  const benefits = programme.benefits.map((benefit) => {
    let changed = benefit;
    for (const [chance, change] of CHANGES) {
      if (random.chance(chance)) changed = { ...changed, ...change(random, changed) } as BenefitDefinition;
    }
    return changed;
  });
  const grouped = random.chance(0.5) ? takeByPriority(random, { ...programme, benefits }) : { benefits };
  return { ...oracleCase, programme: { ...programme, ...grouped } };
}

/** Sets that give several units, the last one fewer where it need not be complete; the first benefit becomes one. */
export function addSets(random: Random, oracleCase: OracleCase): OracleCase {
  const { programme } = oracleCase;
  const benefits = programme.benefits.map((benefit, at) => {
    if (benefit.kind !== 'buy_x_get_y' && at > 0) return benefit;
    const own = benefit.kind === 'buy_x_get_y' ? benefit : setInPlaceOf(random, benefit);
    const quantity = random.between(2, 3);
    return { ...own, get: { ...own.get, quantity, ...(random.chance(0.3) && { complete: true }) } };
  });
  return { ...oracleCase, programme: { ...programme, benefits: benefits as BenefitDefinition[] } };
}

type Conditions = Pick<BenefitDefinition, 'benefitId' | 'group' | 'priority' | 'exclusive' | 'requires' | 'audience'>;

/** A set with the conditions of a benefit, of the same goods, of others, or of some within others. */
function setInPlaceOf(random: Random, benefit: BenefitDefinition): Extract<BenefitDefinition, { kind: 'buy_x_get_y' }> {
  const { benefitId, group, priority, exclusive, minimumSaving, requires, audience, limit, maximumUnits } = benefit;
  const isOfOrder = benefit.kind.startsWith('order_');
  const [one, other] = [random.pick(SET_GOODS), random.pick(SET_GOODS)];
  const conditions = { benefitId, group, priority, exclusive, minimumSaving, requires, audience };
  return {
    ...(Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined)) as Conditions),
    ...(limit !== undefined && !isOfOrder && { limit }),
    ...(maximumUnits !== undefined && { maximumUnits }),
    ...(maximumUnits === undefined && random.chance(0.2) && { maximumUnits: random.between(1, 4) }),
    ...(random.chance(0.2) && { maximumDiscount: random.pick([10, 40, 90]) }),
    ...(random.chance(0.3) && { pick: 'cheapest' as const }),
    kind: 'buy_x_get_y',
    buy: { quantity: random.between(1, 2), appliesTo: one, ...(random.chance(0.25) && { combinable: true }) },
    get: { quantity: 1, appliesTo: random.chance(0.5) ? one : other, percent: random.pick([30, 50, 100, 100]) },
  };
}

const GOODS = [
  {},
  { productGroupIds: ['g'] },
  { productGroupIds: ['h'] },
  { productIds: ['a', 'c'] },
  { excludeProductIds: ['b'] },
  { excludeDiscounted: true },
];

const SET_GOODS = GOODS.slice(0, 5);

/** Goods that the basket has or not. */
function drawRequirements(random: Random): object {
  const one = () => ({
    appliesTo: random.pick(GOODS),
    ...(random.chance(0.6) && { quantity: random.between(1, 3) }),
    ...(random.chance(0.3) && { spend: random.chance(0.2) ? { NOK: 60, SEK: 70 } : random.pick([20, 60, 120]) }),
  });
  return { requires: random.chance(0.6) ? one() : Array.from({ length: random.between(1, 3) }, one) };
}

/** Goods that the staff reduced are left out of all selectors of a benefit, of the wider half of a set or of both. */
function leaveDiscountedOut(random: Random, benefit: BenefitDefinition): object {
  const only = <Own extends { readonly appliesTo?: object }>(own: Own): Own => ({
    ...own,
    appliesTo: { ...own.appliesTo, excludeDiscounted: true },
  });
  if (benefit.kind === 'buy_x_get_y') {
    const isOneWithin = isDeepStrictEqual(benefit.buy.appliesTo, benefit.get.appliesTo) && random.chance(0.5);
    return { buy: isOneWithin ? benefit.buy : only(benefit.buy), get: only(benefit.get) };
  }
  if (benefit.kind !== 'bundle_price') return only(benefit as { readonly appliesTo?: object });
  return { items: benefit.items.map((item) => (random.chance(0.7) ? only(item) : item)) };
}

/** Benefits of groups with priorities that decide, and a gift or two among them. */
function takeByPriority(
  random: Random,
  { groups, benefits }: OracleCase['programme'],
): Partial<OracleCase['programme']> {
  const names = Object.keys(groups ?? {});
  const all = names.length > 0 ? groups! : { one: { atMost: random.between(1, 2) } };
  const taking = Object.entries(all).map(([name, own]) => [
    name,
    random.chance(0.7) ? { ...own, take: 'priority' } : own,
  ]);
  const members = benefits.map((benefit) => ({
    ...benefit,
    ...(benefit.group === undefined && random.chance(0.6) && { group: Object.keys(all)[0] }),
    ...(random.chance(0.6) && { priority: random.between(-1, 2) }),
  }));
  return { groups: Object.fromEntries(taking), benefits: members as BenefitDefinition[] };
}

/** A benefit of lines takes the cheapest of a few units. */
function takeCheapest(random: Random, benefit: BenefitDefinition): object {
  if (kindOf(benefit).level !== 'line') return {};
  const { limit, maximumUnits } = benefit;
  const isLimited =
    maximumUnits !== undefined || limitsOf({ limit } as BenefitDefinition).some(({ counts }) => counts === 'items');
  return { pick: 'cheapest', ...(!isLimited && { maximumUnits: random.between(1, 3) }) };
}
