import { limitsOf } from '@loyalty/engine/compile/amounts';
import type { LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, ofBenefit, ofLimit, type Said } from './advice.ts';

/** Advice about limits and caps: those that are never reached, those that leave nothing to get, and those that mean another number. */

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
function isBeyondReach({ counts, period, quantity }: LimitDefinition): boolean {
  if (counts === 'money') return false;
  const baskets = MOST_BASKETS[period] ?? Number.POSITIVE_INFINITY;
  return (quantity as number) > (counts === 'items' ? baskets * MOST_UNITS_PER_BASKET : baskets);
}

const isOfOneBasket = ({ period, counts }: LimitDefinition) => period === 'basket' && counts === 'baskets';

export const unreachedLimit = ofLimit('quantity', (limit) => {
  const { of = 'member', quantity, counts, period } = limit;
  if (of !== 'member' || !isBeyondReach(limit) || isOfOneBasket(limit)) return undefined;
  return `never reached: no guest has ${quantity} ${counts} in a ${period}`;
});

export const unsharedLimit = ofLimit('limitId', ({ limitId }, { benefits }, { benefit }) => {
  const isSame = (other: BenefitDefinition) =>
    other !== benefit && limitsOf<LimitDefinition>(other).some((own) => own.limitId === limitId);
  if (limitId === undefined || benefits.some(([, other]) => isSame(other))) return undefined;
  return `shared with nobody: no other benefit has the limitId ${limitId}`;
});

export const limitOfOneBasket = ofLimit('', (limit) =>
  isOfOneBasket(limit) && limit.limitId === undefined
    ? 'has no effect: one basket always counts as one; use counts: items'
    : undefined,
);

/** A benefit that is to take the cheapest units and may take more than there are in a basket. */
export const idlePick = ofBenefit('pick', (benefit, _, { limits }) => {
  if (benefit.kind === 'buy_x_get_y' || !('pick' in benefit) || benefit.pick !== 'cheapest') return undefined;
  const ofItems = limits.flatMap(([, { counts, quantity }]) => (counts === 'items' ? [quantity as number] : []));
  const most = Math.min(benefit.maximumUnits ?? Number.POSITIVE_INFINITY, ...ofItems);
  if (most < MOST_UNITS_PER_BASKET) return undefined;
  return `has no effect: ${most} units are all that a basket has; \`maximumUnits: 1\` makes the cheapest one cheaper`;
});

/** A cap above the amount that the benefit takes off. */
export const unreachedCap = ofBenefit('maximumDiscount', (benefit, _, { currencies }) => {
  if (benefit.kind !== 'order_amount' || benefit.perSpend !== undefined) return undefined;
  const amounts = currencies.map((own) => [amountIn(benefit.amount, own), amountIn(benefit.maximumDiscount, own)]);
  const [amount] = amounts.find(([amount, cap]) => amount !== undefined && cap !== undefined && cap >= amount) ?? [];
  return amount === undefined ? undefined : `never reached: the benefit takes at most ${amount}`;
});

/** Groups of which all benefits may apply. */
export function* idleGroups({ programme, enabled }: Around): Generator<Said> {
  for (const [name, { atMost, take }] of Object.entries(programme.groups ?? {})) {
    const members = enabled.filter(([, { benefit }]) => benefit.group === name).length;
    const count = `${members} benefit${members === 1 ? '' : 's'}`;
    // Of a group that takes by priority fewer are open than may apply.
    if (members > atMost || (take === 'priority' && members > 1)) continue;
    yield [`groups.${name}`, `never reached: it has ${count}, and ${atMost} may apply`];
  }
}

/** A benefit that takes more units at once than it may take in a basket, or than its limit has. */
export function* tooFewUnits({ benefit, limits }: WrittenBenefit): Generator<Said> {
  const { maximumUnits = Number.POSITIVE_INFINITY } = benefit;
  const atOnce = unitsAtOnce(benefit);
  const takes = `nobody can get it: it takes ${atOnce} units at once`;
  if (atOnce > maximumUnits) yield ['maximumUnits', `${takes}, and ${maximumUnits} in a basket`];
  for (const [place, { counts, quantity }] of limits) {
    if (counts !== 'items' || atOnce <= (quantity as number)) continue;
    yield [`${place}.quantity`, `${takes}, and its limit has ${quantity}`];
  }
}

function unitsAtOnce(benefit: BenefitDefinition): number {
  if (benefit.kind === 'bundle_price') return benefit.items.reduce((units, { quantity }) => units + quantity, 0);
  return benefit.kind === 'buy_x_get_y' && benefit.get.complete ? benefit.get.quantity : 1;
}

/** A benefit that never saves as much as it has to. */
export function* savingBeyondCap({ benefit, limits, currencies }: WrittenBenefit): Generator<Said> {
  const caps = [
    benefit.maximumDiscount,
    benefit.kind === 'order_amount' && benefit.perSpend === undefined ? benefit.amount : undefined,
    ...limits.flatMap(([, { counts, quantity }]) => (counts === 'money' ? [quantity] : [])),
  ];
  for (const currency of currencies) {
    const least = amountIn(benefit.minimumSaving, currency) ?? 0;
    const most = Math.min(...caps.map((cap) => amountIn(cap, currency) ?? Number.POSITIVE_INFINITY));
    if (least <= most) continue;
    const why = `it saves at most ${most}, and ${least} at least are asked for`;
    yield ['minimumSaving', `nobody can get it in ${currency}: ${why}`];
  }
}

/** From so many baskets per member on, a limit reads as a number of guests. Items are five to a basket. */
const GUESTS_FROM: Readonly<Record<string, number>> = { day: 20, week: 30, month: 60, year: 200, lifetime: 100 };
const ITEMS_PER_BASKET = 5;
/** Minor units that no single member is meant to save: 10,000.00. */
const BUDGET_FROM = 1_000_000;
const NAMES_THE_FIRST = /\b(first|første|forste|första|forsta|erste[nr]?)\b/i;
const MANY_FROM = 10;

/** A limit per member whose quantity reads as one for all members together. */
export const limitOfAll = ofLimit('quantity', (limit, _, { benefit, currencies }) => {
  const { counts, period, quantity: written } = limit;
  // Whoever has written `of: member` means each member.
  if ('of' in limit || period === 'basket' || isBeyondReach(limit)) return undefined;
  const quantity =
    typeof written === 'number' ? written : Math.max(0, ...currencies.map((own) => amountIn(written, own) ?? 0));
  const usual = (GUESTS_FROM[period] ?? 0) * (counts === 'items' ? ITEMS_PER_BASKET : 1);
  const isNamed = quantity >= MANY_FROM && saysFirst(benefit, quantity);
  if (quantity < (counts === 'money' ? BUDGET_FROM : usual) && !isNamed) return undefined;
  const unit = counts === 'money' ? 'minor units' : counts;
  const when = period === 'lifetime' ? 'in all' : `a ${period}`;
  return `it counts for each member alone: every member may have ${quantity} ${unit} ${when}; is it meant for all members together?`;
});

/** "The first 50 guests" in a text or a name, beside a limit of 50. */
function saysFirst({ benefitId, text }: BenefitDefinition, quantity: number): boolean {
  const words = `${benefitId.replaceAll(/[._-]/g, ' ')} ${typeof text === 'object' ? Object.values(text).join(' ') : (text ?? '')}`;
  return NAMES_THE_FIRST.test(words) && new RegExp(`\\b${quantity}\\b`).test(words);
}
