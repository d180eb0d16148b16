import { limitsOf } from '@loyalty/engine/compile/amounts';
import type { LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { venuesOf } from '../benefit-relations.ts';
import { placedLimits } from '../limit-faults.ts';
import { amountIn, type Surroundings, type Warning } from './surroundings.ts';

/** Limits and caps that are never reached, and therefore limit nothing. */

/** More baskets than a guest can buy in the period. A lifetime is taken for ten years. */
const MOST_BASKETS: Readonly<Record<string, number>> = {
  basket: 1,
  day: 50,
  week: 250,
  month: 1_000,
  year: 10_000,
  lifetime: 100_000,
};
/** Units that fit into one basket of a guest. */
const MOST_UNITS_PER_BASKET = 200;

/** True where no guest buys so much in the period. */
export function isBeyondReach({ counts, period, quantity }: LimitDefinition): boolean {
  if (counts === 'money') return false;
  const baskets = MOST_BASKETS[period] ?? Number.POSITIVE_INFINITY;
  return (quantity as number) > (counts === 'items' ? baskets * MOST_UNITS_PER_BASKET : baskets);
}

export function* findUnreached(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  for (const [limit, place] of placedLimits(benefit, path)) yield* findUnreachedLimit(limit, benefit, place, around);
  yield* findIdlePick(benefit, path);
  if (benefit.kind !== 'order_amount' || benefit.perSpend !== undefined) return;
  for (const currency of new Set(venuesOf(benefit, around.venues).flatMap(({ currencies }) => currencies))) {
    const [amount, cap] = [amountIn(benefit.amount, currency), amountIn(benefit.maximumDiscount, currency)];
    if (amount === undefined || cap === undefined || cap < amount) continue;
    yield { path: `${path}.maximumDiscount`, text: `never reached: the benefit takes at most ${amount}` };
    return;
  }
}

/** Warns of a benefit that is to take the cheapest units and may take more than there are in a basket. */
function* findIdlePick(benefit: BenefitDefinition, path: string): Generator<Warning> {
  if (benefit.kind === 'buy_x_get_y' || !('pick' in benefit) || benefit.pick !== 'cheapest') return;
  const ofItems = limitsOf<LimitDefinition>(benefit).filter(({ counts }) => counts === 'items');
  const numbers = [benefit.maximumUnits, ...ofItems.map(({ quantity }) => quantity)] as (number | undefined)[];
  const most = Math.min(...numbers.map((units = Number.POSITIVE_INFINITY) => units));
  if (most < MOST_UNITS_PER_BASKET) return;
  const text = `has no effect: ${most} units are all that a basket has; \`maximumUnits: 1\` makes the cheapest one cheaper`;
  yield { path: `${path}.pick`, text };
}

function* findUnreachedLimit(
  limit: LimitDefinition,
  benefit: BenefitDefinition,
  path: string,
  around: Surroundings,
): Generator<Warning> {
  const { counts, period, quantity, limitId, of = 'member' } = limit;
  const isOfOneBasket = period === 'basket' && counts === 'baskets';
  if (of === 'member' && isBeyondReach(limit) && !isOfOneBasket) {
    yield { path: `${path}.quantity`, text: `never reached: no guest has ${quantity} ${counts} in a ${period}` };
  }
  if (limitId !== undefined) {
    const isSame = (other: BenefitDefinition) =>
      limitsOf<LimitDefinition>(other).some((own) => own.limitId === limitId) && other !== benefit;
    const text = `shared with nobody: no other benefit has the limitId ${limitId}`;
    if (!around.benefits.some(([, other]) => isSame(other))) yield { path: `${path}.limitId`, text };
  }
  if (isOfOneBasket && limitId === undefined) {
    yield { path, text: 'has no effect: one basket always counts as one; use counts: items' };
  }
}

/** Warns of groups of which all benefits may apply. */
export function* findIdleGroups({ path, programme, benefits, isComplete }: Surroundings): Generator<Warning> {
  if (!isComplete) return;
  for (const [name, { atMost, take }] of Object.entries(programme.groups ?? {})) {
    const members = benefits.filter(([, { group, enabled }]) => group === name && enabled !== false).length;
    const count = `${members} benefit${members === 1 ? '' : 's'}`;
    const text = `never reached: it has ${count}, and ${atMost} may apply`;
    // Of a group that takes by priority fewer are open than may apply.
    if (members <= atMost && !(take === 'priority' && members > 1)) yield { path: `${path}.groups.${name}`, text };
  }
}
