import { entriesOf, type LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, type Said } from './advice.ts';

/** Advice about limits and caps: those that are never reached, those that leave nothing to get, and those that mean another number. */

/**
 * Baskets of a period: more than a guest can buy, and from how many on a limit per member reads as a number of guests. A lifetime is
 * taken for ten years.
 */
const BASKETS: Readonly<Record<LimitDefinition['period'], { readonly most: number; readonly guestsFrom: number }>> = {
  basket: { most: 1, guestsFrom: Number.POSITIVE_INFINITY },
  day: { most: 50, guestsFrom: 20 },
  week: { most: 250, guestsFrom: 30 },
  month: { most: 1_000, guestsFrom: 60 },
  year: { most: 10_000, guestsFrom: 200 },
  lifetime: { most: 100_000, guestsFrom: 100 },
};
/** Units that fit into one basket of a guest, and those of a usual one. */
const MOST_UNITS_PER_BASKET = 200;
const USUAL_UNITS_PER_BASKET = 5;
/** Minor units that no single member is meant to save: 10,000.00. */
const BUDGET_FROM = 1_000_000;
const NAMES_THE_FIRST = /\b(first|første|forste|första|forsta|erste[nr]?)\b/i;
const NAMED_FROM = 10;

/** Each limit by itself. */
export function* limitAdvice({ benefit, limits, currencies }: WrittenBenefit, around: Around): Generator<Said> {
  for (const [place, limit] of limits) {
    const { counts, period, limitId, of = 'member' } = limit;
    const isOfOneBasket = period === 'basket' && counts === 'baskets';
    if (isOfOneBasket && limitId === undefined)
      yield [place, 'has no effect: one basket always counts as one; use counts: items'];
    if (limitId !== undefined && !isShared(limitId, benefit, around))
      yield [`${place}.limitId`, `shared with nobody: no other benefit has the limitId ${limitId}`];
    if (of !== 'member' || isOfOneBasket) continue;
    const ofCurrencies = currencies.map((currency) => amountIn(limit.quantity, currency) ?? 0);
    const quantity = typeof limit.quantity === 'number' ? limit.quantity : Math.max(0, ...ofCurrencies);
    const { most } = BASKETS[period];
    if (counts !== 'money' && quantity > (counts === 'items' ? most * MOST_UNITS_PER_BASKET : most))
      yield [`${place}.quantity`, `never reached: no guest has ${quantity} ${counts} in a ${period}`];
    else if (readsAsOneForAll(limit, quantity, benefit)) {
      const unit = counts === 'money' ? 'minor units' : counts;
      const when = period === 'lifetime' ? 'in all' : `a ${period}`;
      const each = `every member may have ${quantity} ${unit} ${when}`;
      yield [`${place}.quantity`, `it counts for each member alone: ${each}; is it meant for all members together?`];
    }
  }
}

function isShared(limitId: string, benefit: BenefitDefinition, { benefits }: Around): boolean {
  return benefits.some(
    ([, other]) => other !== benefit && entriesOf(other.limit).some((own) => own.limitId === limitId),
  );
}

/** A limit per member whose quantity reads as one for all members together. */
function readsAsOneForAll(limit: LimitDefinition, quantity: number, { benefitId, text }: BenefitDefinition): boolean {
  const { counts, period } = limit;
  // Whoever has written `of: member` means each member.
  if ('of' in limit || period === 'basket') return false;
  const usual = BASKETS[period].guestsFrom * (counts === 'items' ? USUAL_UNITS_PER_BASKET : 1);
  if (quantity >= (counts === 'money' ? BUDGET_FROM : usual)) return true;
  // "The first 50 guests" in a text or a name, beside a limit of 50.
  const texts = typeof text === 'object' ? Object.values(text) : [text ?? ''];
  const words = [benefitId.replaceAll(/[._-]/g, ' '), ...texts].join(' ');
  return quantity >= NAMED_FROM && NAMES_THE_FIRST.test(words) && new RegExp(`\\b${quantity}\\b`).test(words);
}

/** A benefit that is to take the cheapest units and may take more than there are in a basket. */
export function* idlePick({ benefit, limits }: WrittenBenefit): Generator<Said> {
  if (benefit.kind === 'buy_x_get_y' || !('pick' in benefit) || benefit.pick !== 'cheapest') return;
  const ofItems = limits.flatMap(([, { counts, quantity }]) => (counts === 'items' ? [quantity as number] : []));
  const most = Math.min(benefit.maximumUnits ?? Number.POSITIVE_INFINITY, ...ofItems);
  if (most < MOST_UNITS_PER_BASKET) return;
  yield [
    'pick',
    `has no effect: ${most} units are all that a basket has; \`maximumUnits: 1\` makes the cheapest one cheaper`,
  ];
}

/** A benefit that takes more units at once than it may take in a basket, or than its limit has. */
export function* tooFewUnits({ benefit, limits }: WrittenBenefit): Generator<Said> {
  const atOnce = unitsAtOnce(benefit);
  const takes = `nobody can get it: it takes ${atOnce} units at once`;
  const { maximumUnits = atOnce } = benefit;
  if (atOnce > maximumUnits) yield ['maximumUnits', `${takes}, and ${maximumUnits} in a basket`];
  for (const [place, { counts, quantity }] of limits) {
    if (counts === 'items' && atOnce > (quantity as number))
      yield [`${place}.quantity`, `${takes}, and its limit has ${quantity}`];
  }
}

function unitsAtOnce(benefit: BenefitDefinition): number {
  if (benefit.kind === 'bundle_price') return benefit.items.reduce((units, { quantity }) => units + quantity, 0);
  return benefit.kind === 'buy_x_get_y' && benefit.get.complete ? benefit.get.quantity : 1;
}

/** A benefit that never saves as much as it has to, and a cap that is not below the only amount. */
export function* caps({ benefit, limits, currencies }: WrittenBenefit): Generator<Said> {
  const only = benefit.kind === 'order_amount' && benefit.perSpend === undefined ? benefit.amount : undefined;
  const money = limits.flatMap(([, { counts, quantity }]) => (counts === 'money' ? [quantity] : []));
  const most = (currency: string, ...amounts: unknown[]) =>
    Math.min(...amounts.map((amount) => amountIn(amount, currency) ?? Number.POSITIVE_INFINITY));
  for (const currency of currencies) {
    const least = amountIn(benefit.minimumSaving, currency) ?? 0;
    const saved = most(currency, benefit.maximumDiscount, only, ...money);
    if (least <= saved) continue;
    const why = `it saves at most ${saved}, and ${least} at least are asked for`;
    yield ['minimumSaving', `nobody can get it in ${currency}: ${why}`];
  }
  const idle = currencies.find(
    (currency) => most(currency, only) <= (amountIn(benefit.maximumDiscount, currency) ?? -1),
  );
  if (idle !== undefined) yield ['maximumDiscount', `never reached: the benefit takes at most ${amountIn(only, idle)}`];
}
