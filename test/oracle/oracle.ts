/**
 * The oracle: the lowest net cost that a member can get, found by pricing every permitted combination. It is slow by
 * design, shares no code with the engine, and follows packages/engine/README.md, The rules, word by word, in their order.
 */

import { lineCombinations } from './combinations.ts';
import { findOffers, readLines } from './conditions.ts';
import { familyOf } from './kinds.ts';
import { hasExistingDiscount, inOrderSequence, isNetMinimumMet, orderDiscounts, removableDiscounts } from './orders.ts';
import { matchingLines } from './selectors.ts';
import { settle } from './settle.ts';
import { sumOf } from './share.ts';
import type { Combination, Line, Offer, OracleAnswer, OracleCase, Part, SettleRules } from './types.ts';
import { arrange } from './units.ts';

/** Prices every permitted combination of the case and answers with a cheapest one. */
export function findLowestCost(oracleCase: OracleCase): OracleAnswer {
  const { basket, programme } = oracleCase;
  const isOfBasket = programme.existingDiscountScope === 'basket' && hasExistingDiscount(basket);
  if (!isOfBasket) return findLowestOfLines(oracleCase);
  const given = withoutExisting(oracleCase);
  const { total } = basket.totals;
  return given ? findLowestOfLines(given) : { netCost: total, netCosts: [total], benefitIds: [], combinations: 1 };
}

/** Rule 28: everything stays and nothing is given, or everything that may go goes. What is spent counts as it came. */
function withoutExisting({ basket, programme, ...more }: OracleCase): OracleCase | undefined {
  const { existingLineDiscounts = 'replace_if_larger', existingOrderDiscounts = 'keep' } = programme;
  if (existingLineDiscounts !== 'replace_if_larger' || existingOrderDiscounts !== 'replace_if_larger') return undefined;
  const removable = removableDiscounts(basket);
  const lines = basket.lines.map((line) => ({
    ...line,
    existingLineDiscountAmount: line.noDiscount ? line.existingLineDiscountAmount : 0,
    orderDiscountAllocation: line.orderDiscountAllocation.filter(
      ({ orderDiscountId }) => !removable.has(orderDiscountId),
    ),
  }));
  const without = { ...programme, existingDiscountScope: 'line', existingOrderDiscounts: 'keep' } as const;
  return { ...more, basket: { ...basket, lines }, programme: without };
}

/** Rule 8: what saves too little is left out, the one that lacks most first, and the rest is chosen again. */
function findLowestOfLines(oracleCase: OracleCase): OracleAnswer {
  const netCosts = new Set<number>();
  let first: Lowest | undefined;
  const seen = new Set<string>();
  const leaveOut = (left: readonly string[]): void => {
    const key = [...left].sort().join();
    if (seen.has(key)) return;
    seen.add(key);
    const lowest = findLowest(oracleCase, new Set(left));
    first ??= lowest;
    for (const lacking of lowest.lacking) {
      if (lacking === undefined) netCosts.add(lowest.netCost);
      else leaveOut([...left, lacking]);
    }
  };
  leaveOut([]);
  const { benefitIds, combinations } = first!;
  return { netCost: Math.min(...netCosts), netCosts: [...netCosts], benefitIds, combinations };
}

interface Lowest {
  readonly netCost: number;
  readonly benefitIds: readonly string[];
  readonly combinations: number;
  /** Of each combination that costs so little the benefit that lacks most of its minimum saving; undefined where none does. */
  readonly lacking: ReadonlySet<string | undefined>;
}

function findLowest(oracleCase: OracleCase, left: ReadonlySet<string>): Lowest {
  const lines = readLines(oracleCase);
  const open = withoutLowerPriorities(findOffers(lines, oracleCase), oracleCase);
  const offers = open.filter(({ benefit }) => !left.has(benefit.benefitId));
  let best = { netCost: oracleCase.basket.totals.total, benefitIds: [] as string[] };
  let lacking = new Set<string | undefined>([undefined]);
  let combinations = 0;
  for (const { offers: together, lines: arranged } of ways(offers, lines, oracleCase)) {
    const gifts = together.filter(
      (offer) => offer.benefit.kind === 'free_product' && worthOfGift(offer, oracleCase) >= 1,
    );
    const mayGiveWay = ({ benefit, shared }: Offer) => benefit.group !== undefined || shared !== undefined;
    const choices = subsets(gifts.filter(mayGiveWay));
    const always = gifts.filter((gift) => !mayGiveWay(gift));
    for (const { parts, applied, saved } of pricedCombinations(together, arranged, lines, oracleCase)) {
      for (const chosen of choices) {
        const given = [...always, ...chosen];
        const all = [...new Set([...given, ...applied])];
        if (!isWithinGroups(all, oracleCase)) continue;
        combinations += 1;
        const worthOf = (offer: Offer) => (given.includes(offer) ? worthOfGift(offer, oracleCase) : 0);
        const netCost = sumOf(parts, ({ cost }) => cost) - sumOf(given, worthOf);
        if (netCost > best.netCost) continue;
        if (netCost < best.netCost) lacking = new Set();
        if (netCost < best.netCost) best = { netCost, benefitIds: all.map(({ benefit }) => benefit.benefitId).sort() };
        lacking.add(mostLacking(all, (offer) => (saved.get(offer) ?? 0) + worthOf(offer)));
      }
    }
  }
  return { ...best, lacking, combinations };
}

/** The benefit that lacks most of its minimum saving; of equals the lower benefitId. */
function mostLacking(offers: readonly Offer[], saved: (offer: Offer) => number): string | undefined {
  const lack = (offer: Offer) => minimumSavingOf(offer) - saved(offer);
  const low = offers.filter((offer) => lack(offer) > 0);
  low.sort((a, b) => lack(b) - lack(a) || (a.benefit.benefitId < b.benefit.benefitId ? -1 : 1));
  return low[0]?.benefit.benefitId;
}

/** A benefit is not spent on less: its effect, less the existing discounts that give way to it. */
function minimumSavingOf({ benefit }: Offer): number {
  return benefit.minimumSaving ?? 0;
}

/** Of a group that takes by priority those of the highest are open which match an eligible line; a product needs none. */
function withoutLowerPriorities(offers: readonly Offer[], { programme }: OracleCase): Offer[] {
  const priorityOf = ({ benefit }: Offer) => benefit.priority ?? 0;
  const matches = ({ benefit, eligible }: Offer) =>
    benefit.kind === 'free_product' || eligible.some((own) => own.size > 0);
  return offers.filter((offer) => {
    const { group } = offer.benefit;
    if (group === undefined || programme.groups?.[group]?.take !== 'priority') return true;
    return !offers.some(
      (other) => other.benefit.group === group && matches(other) && priorityOf(other) > priorityOf(offer),
    );
  });
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
  /** What each benefit saves, less the existing discounts that give way to it. */
  readonly saved: ReadonlyMap<Offer, number>;
}

/** First is said which benefits may apply. */
function* ways(
  offers: readonly Offer[],
  lines: readonly Line[],
  { programme }: OracleCase,
): Generator<{ offers: Offer[]; lines: Line[] }> {
  const hidden = new Set(programme.exclude ? matchingLines(programme.exclude, lines) : []);
  for (const together of permittedTogether(offers)) {
    yield programme.modifiers === 'together'
      ? arrange(together, lines, hidden)
      : { offers: together, lines: [...lines] };
  }
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
  const choices = subsets(inOrderSequence(offers.filter(({ benefit }) => familyOf(benefit) === 'order')));
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
  for (const choice of choices) {
    if (!choice.every((offer) => isNetMinimumMet(offer, settled))) continue;
    const parts = settled.map((part) => ({ ...part }));
    const amounts = orderDiscounts(choice, parts);
    const given = choice.filter((_, at) => amounts[at]! > 0);
    const all = new Map(saved);
    for (const [at, offer] of choice.entries()) all.set(offer, amounts[at]!);
    yield { parts, applied: [...new Set([...settled.flatMap(({ offer }) => offer ?? []), ...given])], saved: all };
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
