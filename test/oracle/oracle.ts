/**
 * The oracle: the lowest net cost that a member can get, found by pricing every permitted combination. It is slow by
 * design, shares no code with the engine, and follows src/pricing/README.md, The rules, word by word, in their order.
 */
import { lineCombinations } from './combinations.ts';
import { findOffers, readLines } from './conditions.ts';
import { hasExistingDiscount, inOrderSequence, isNetMinimumMet, orderDiscounts, removableDiscounts } from './orders.ts';
import { settle } from './settle.ts';
import { sumOf } from './share.ts';
import type { Combination, Line, Offer, OracleAnswer, OracleCase, Part, SettleRules } from './types.ts';
import { arrangements } from './units.ts';

const ORDER_KINDS: ReadonlySet<string> = new Set(['order_percent', 'order_amount']);

/** Prices every permitted combination of the case and answers with a cheapest one. */
export function findLowestCost(oracleCase: OracleCase): OracleAnswer {
  const { basket, programme } = oracleCase;
  const isOfBasket = programme.existingDiscountScope === 'basket' && hasExistingDiscount(basket);
  return isOfBasket ? findLowestOfBasket(oracleCase) : findLowestOfLines(oracleCase);
}

/** Rule 28: everything stays and nothing is given, or everything that may go goes. What is spent counts as it came. */
function findLowestOfBasket({ basket, programme, ...more }: OracleCase): OracleAnswer {
  const kept = { netCost: basket.totals.total, benefitIds: [], combinations: 1 };
  const { existingLineDiscounts = 'replace_if_larger', existingOrderDiscounts = 'keep' } = programme;
  if (existingLineDiscounts !== 'replace_if_larger' || existingOrderDiscounts !== 'replace_if_larger') return kept;
  const removable = removableDiscounts(basket);
  const lines = basket.lines.map((line) => ({
    ...line,
    existingLineDiscountAmount: line.noDiscount ? line.existingLineDiscountAmount : 0,
    orderDiscountAllocation: line.orderDiscountAllocation.filter(
      ({ orderDiscountId }) => !removable.has(orderDiscountId),
    ),
  }));
  const without = { ...programme, existingDiscountScope: 'line', existingOrderDiscounts: 'keep' } as const;
  return findLowestOfLines({ ...more, basket: { ...basket, lines }, programme: without });
}

function findLowestOfLines(oracleCase: OracleCase): OracleAnswer {
  const lines = readLines(oracleCase);
  const offers = findOffers(lines, oracleCase);
  let best: OracleAnswer = { netCost: oracleCase.basket.totals.total, benefitIds: [], combinations: 0 };
  let combinations = 0;
  for (const { offers: together, lines: arranged } of ways(offers, lines)) {
    const gifts = together.filter(
      (offer) =>
        offer.benefit.kind === 'free_product' &&
        worthOfGift(offer, oracleCase) >= Math.max(1, offer.rungUp ? 0 : minimumSavingOf(offer)),
    );
    const mayGiveWay = ({ benefit, shared, rungUp }: Offer) =>
      benefit.group !== undefined ||
      shared !== undefined ||
      (rungUp !== undefined && benefit.minimumSaving !== undefined);
    const choices = subsets(gifts.filter(mayGiveWay));
    const always = gifts.filter((gift) => !mayGiveWay(gift));
    for (const { parts, applied, saved } of pricedCombinations(together, arranged, lines, oracleCase)) {
      for (const chosen of choices) {
        const all = [...new Set([...always, ...chosen, ...applied])];
        if (!isWithinGroups(all, oracleCase)) continue;
        // What is given in the basket and what is added reach the minimum saving together.
        const worthOf = (offer: Offer) => (chosen.includes(offer) ? worthOfGift(offer, oracleCase) : 0);
        const isTooLittle = (offer: Offer) => (saved.get(offer) ?? 0) + worthOf(offer) < minimumSavingOf(offer);
        if (all.some((offer) => offer.rungUp && isTooLittle(offer))) continue;
        combinations += 1;
        const worth = sumOf([...always, ...chosen], (gift) => worthOfGift(gift, oracleCase));
        const netCost = sumOf(parts, ({ cost }) => cost) - worth;
        const benefitIds = all.map(({ benefit }) => benefit.benefitId).sort();
        if (netCost < best.netCost) best = { netCost, benefitIds, combinations };
      }
    }
  }
  return { ...best, combinations };
}

/** A benefit is not spent on less: its effect, less the existing discounts that give way to it. */
function minimumSavingOf({ benefit }: Offer): number {
  return benefit.minimumSaving ?? 0;
}

/** Of the benefits of a group at most so many apply in one basket, and of those that share a limit by baskets. */
function isWithinGroups(applied: readonly Offer[], { programme }: OracleCase): boolean {
  const sharing = applied.filter(({ shared }) => shared?.counts === 'baskets');
  const isShort = sharing.some(
    ({ shared }) => sharing.filter((other) => other.shared!.name === shared!.name).length > shared!.left,
  );
  if (isShort) return false;
  return Object.entries(programme.groups ?? {}).every(
    ([name, { atMost }]) => applied.filter(({ benefit }) => benefit.group === name).length <= atMost,
  );
}

/** Rule 24: the price of what is given, 0 where the venue does not sell the product or may not discount it. */
function worthOfGift({ benefit, items, rungUp }: Offer, { products }: OracleCase): number {
  if (benefit.kind !== 'free_product') throw new Error('not a gift');
  const product = products.find(({ productId }) => productId === benefit.productId);
  if (!product || product.noDiscount) return 0;
  return product.unitPrice * (Math.min(benefit.quantity ?? 1, items) - (rungUp?.units ?? 0));
}

/** Rule 8: all that are not exclusive, or one exclusive benefit alone. Each may be left out later. */
function permittedTogether(offers: readonly Offer[]): Offer[][] {
  const exclusive = offers.filter(({ benefit }) => benefit.exclusive);
  return [offers.filter((offer) => !exclusive.includes(offer)), ...exclusive.map((offer) => [offer])];
}

interface Priced {
  readonly parts: readonly Part[];
  /** The benefits with an effect. */
  readonly applied: readonly Offer[];
  /** What each line-level benefit saves, less the existing discounts that give way to it. */
  readonly saved: ReadonlyMap<Offer, number>;
}

/** First is said which benefits may apply, and which lines stand together as units with modifiers. */
function* ways(offers: readonly Offer[], lines: readonly Line[]): Generator<{ offers: Offer[]; lines: Line[] }> {
  for (const together of permittedTogether(offers)) yield* arrangements(together, lines);
}

/** Every line-level combination with every choice of order-level benefits, each settled to the unit. */
function* pricedCombinations(
  offers: Offer[],
  lines: readonly Line[],
  ofBasket: readonly Line[],
  oracleCase: OracleCase,
): Generator<Priced> {
  const { basket, programme } = oracleCase;
  const policy = programme.existingLineDiscounts ?? 'replace_if_larger';
  const removable =
    programme.existingOrderDiscounts === 'replace_if_larger' ? removableDiscounts(basket) : new Set<string>();
  const choices = subsets(inOrderSequence(offers.filter(({ benefit }) => ORDER_KINDS.has(benefit.kind))));
  const kept: SettleRules = { existingLineDiscounts: policy, removed: new Set() };
  const swapped: SettleRules = { existingLineDiscounts: policy, removed: removable };
  // Rule 23: with a removable staff discount, loyalty order discounts come in its place or not at all.
  const onTop = removable.size === 0 ? choices : [[]];
  const instead =
    removable.size === 0 ? [] : choices.filter((choice) => isSwapWorthIt(choice, ofBasket, removable, oracleCase));
  for (const combination of lineCombinations(offers, { ...kept, lines })) {
    yield* withOrderLevel(combination, kept, onTop);
  }
  if (instead.length === 0) return;
  for (const combination of lineCombinations(offers, { ...swapped, lines })) {
    yield* withOrderLevel(combination, swapped, instead);
  }
}

function* withOrderLevel(combination: Combination, rules: SettleRules, choices: readonly Offer[][]): Generator<Priced> {
  const settled = settle(combination, rules);
  if (!settled || !isWithinSharedItems(settled)) return;
  const saved = new Map<Offer, number>();
  for (const { offer, originalPrice, existing, allocated, cost } of settled) {
    if (offer) saved.set(offer, (saved.get(offer) ?? 0) + originalPrice - existing - allocated - cost);
  }
  if ([...saved].some(([offer, amount]) => !offer.rungUp && amount < minimumSavingOf(offer))) return;
  for (const choice of choices) {
    if (!choice.every((offer) => isNetMinimumMet(offer, settled))) continue;
    const parts = settled.map((part) => ({ ...part }));
    const amounts = orderDiscounts(choice, parts);
    if (choice.some((offer, at) => amounts[at]! > 0 && amounts[at]! < minimumSavingOf(offer))) continue;
    const given = choice.filter((_, at) => amounts[at]! > 0);
    yield { parts, applied: [...new Set([...settled.flatMap(({ offer }) => offer ?? []), ...given])], saved };
  }
}

/** Rule 12: the discounted units of benefits that share a limit by items. */
function isWithinSharedItems(parts: readonly Part[]): boolean {
  const used = new Map<string, number>();
  for (const { offer, units, unit } of parts) {
    const { shared } = offer ?? {};
    if (shared?.counts !== 'items') continue;
    used.set(shared.name, (used.get(shared.name) ?? 0) + (unit?.items ?? units));
    if (used.get(shared.name)! > shared.left) return false;
  }
  return true;
}

/** The loyalty order discounts on the basket as it came, without the removable ones, must be larger than those. */
function isSwapWorthIt(
  choice: readonly Offer[],
  lines: readonly Line[],
  removable: ReadonlySet<string>,
  { basket }: OracleCase,
): boolean {
  const plans = lines.map((line) => ({
    line,
    taken: new Map<Offer, number>(),
    apart: 0,
    sharing: new Map(),
    rest: undefined,
  }));
  const asItCame = settle({ plans, bundles: new Map() }, { existingLineDiscounts: 'keep', removed: removable })!;
  const met = choice.filter((offer) => isNetMinimumMet(offer, asItCame));
  const amounts = orderDiscounts(met, asItCame);
  const removed = basket.orderDiscounts.filter(({ orderDiscountId }) => removable.has(orderDiscountId));
  return sumOf(amounts, (amount) => amount) > sumOf(removed, ({ amount }) => amount);
}

function subsets<T>(items: readonly T[]): T[][] {
  const [first, ...others] = items;
  if (first === undefined) return [[]];
  const without = subsets(others);
  return [...without, ...without.map((subset) => [first, ...subset])];
}
