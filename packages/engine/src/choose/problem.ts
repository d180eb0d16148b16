import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { nameSameLines } from '../lines/matching.ts';
import {
  type BundleOffer,
  type BuyGetOffer,
  isAt,
  type LineOffer,
  type Offer,
  type OrderLevelOffer,
} from '../offers/offers.ts';
import { MAX_ORDERS_SHARING, type NetMinimums, type OrderOffer, sortOrderOffers } from '../settle/order-discounts.ts';
import { COST, stepsPerShare, type Work } from '../work.ts';
import { LineLists } from './line-lists.ts';
import { isPlain, type PlainChoice, withoutDominated } from './plain.ts';
import { Promises } from './promises.ts';

/** One choice to be made: these offers on these lines. Exclusive benefits make a problem each. */
export interface Problem {
  readonly lines: readonly LineFacts[];
  /** The lines of the basket, which order-level benefits see. */
  readonly ofBasket: readonly LineFacts[];
  readonly lists: LineLists;
  readonly promises: Promises;
  readonly work: Work;
  /** To share an amount out over lines or parts takes so many steps for each. */
  readonly shareSteps: number;
  /** False when there were too few steps to look at every offer; the other offers are left out. */
  readonly isComplete: boolean;
  readonly policy: ExistingLineDiscounts;
  readonly plain: readonly LineOffer[];
  /** Line-level offers with a cap per basket or a limit by items, which lines share. */
  readonly budgeted: readonly LineOffer[];
  readonly bundles: readonly BundleOffer[];
  /** Higher priority first, then by benefitId. */
  readonly buyGets: readonly BuyGetOffer[];
  readonly orders: readonly OrderOffer[];
  /**
   * The order-level offers touch different lines. There a share that is rounded the other way may change the next discount
   * by a unit, so the best line by line need not be the best in sum. The same where they touch some lines of a unit with modifiers.
   */
  readonly isRough: boolean;
  /** A discount on the order asks for what lines cost after line-level benefits: a cheaper line may make the basket dearer. */
  readonly hasNetMinimum: boolean;
  /** The units of some line are counted with their modifiers. */
  readonly hasUnits: boolean;
  /** Rough, or with such a minimum, and so few lines that every way to decide them is looked at: no benefit is dominated then. */
  readonly everyChoice: boolean;
}

/** Where order-level benefits tie lines together, so many lines are decided with them to the last unit. */
export const MAX_LINES_DECIDED_WITH_ORDERS = 12;

/**
 * Sorts the offers of a problem by the way in which they are chosen, and leaves out those that cannot matter. `lines` are those
 * that are searched, `ofBasket` the lines of the basket, which order-level benefits see.
 */
export function poseProblem(
  offers: readonly Offer[],
  lines: readonly LineFacts[],
  ofBasket: readonly LineFacts[],
  policy: ExistingLineDiscounts,
  asked: { readonly withLoyaltyOrderDiscounts: boolean; readonly netMinimums: NetMinimums },
  work: Work,
): Problem {
  const lists = new LineLists(lines, work);
  let isComplete = true;
  const plain: LineOffer[] = [];
  const budgeted: LineOffer[] = [];
  const bundles: BundleOffer[] = [];
  const buyGets: BuyGetOffer[] = [];
  const orderLevel: OrderLevelOffer[] = [];
  for (const offer of offers) {
    if (isAt(offer, 'line')) (isPlain(offer) ? plain : budgeted).push(offer);
    else if (isAt(offer, 'bundle')) {
      if (!work.spend(COST.offer)) isComplete = false;
      else if (mayBeBundled(offer, lists)) bundles.push(offer);
    } else if (isAt(offer, 'buyGet')) {
      if (!work.spend(COST.offer)) isComplete = false;
      else if (mayBeGiven(offer, lists, policy)) buyGets.push(offer);
    } else if (asked.withLoyaltyOrderDiscounts && isAt(offer, 'order')) orderLevel.push(offer);
  }
  buyGets.sort((a, b) => b.benefit.priority - a.benefit.priority);
  const orders = sortOrderOffers(orderLevel, ofBasket, work, asked.netMinimums);
  const hasUnits = lines !== ofBasket;
  const isRough =
    (orders.length > 1 && touchDifferentLines(orders, ofBasket)) || (hasUnits && touchUnitsInPart(orders, lines));
  const hasNetMinimum = orders.some(({ netMinimum }) => netMinimum > 0);
  const everyChoice = (isRough || hasNetMinimum) && lines.length <= MAX_LINES_DECIDED_WITH_ORDERS;
  return {
    lines,
    ofBasket,
    lists,
    promises: new Promises(lines, lists, work),
    work,
    shareSteps: stepsPerShare(lines.reduce((total, { original }) => total + original, 0)),
    isComplete: isComplete && orders.length === orderLevel.length && shareLittle(orders),
    policy,
    plain: everyChoice ? plain : withoutDominated(plain),
    budgeted,
    bundles,
    buyGets,
    orders,
    isRough,
    hasNetMinimum,
    everyChoice,
    hasUnits,
  };
}

function shareLittle(orders: readonly OrderOffer[]): boolean {
  return orders.filter(({ offer }) => offer.pool?.counts === 'money').length <= MAX_ORDERS_SHARING;
}

/** False where the basket has too few units for even one bundle. */
function mayBeBundled(offer: BundleOffer, lists: LineLists): boolean {
  const { quantities } = offer.benefit.rule;
  return quantities.every((quantity, item) => lists.units(lists.discountable(offer, item)) >= quantity);
}

/** False where the basket has too few units to buy and to be given even once. */
function mayBeGiven(offer: BuyGetOffer, lists: LineLists, policy: ExistingLineDiscounts): boolean {
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  const [buy, get] = offer.benefit.selectors;
  const bought = lists.units(lists.eligible(offer, 0));
  const given = lists.units(lists.giveable(offer, policy));
  // Where both halves name the same lines, a unit is bought or given.
  const together = nameSameLines(offer.matches, buy!, get!) ? bought : bought + given;
  return bought >= buyQuantity && given >= getQuantity && together >= buyQuantity + getQuantity;
}

/** True where every line may choose for itself, so that nothing has to be searched. */
export function isIndependent(problem: Problem, { ties }: PlainChoice): boolean {
  const { budgeted, bundles, buyGets, isRough, hasNetMinimum } = problem;
  const isAlone = budgeted.length === 0 && bundles.length === 0 && buyGets.length === 0;
  return isAlone && !isRough && !hasNetMinimum && ties.size === 0;
}

/** True where a saving on a unit with modifiers may fall to lines that an offer touches, or to others. */
function touchUnitsInPart(orders: readonly OrderOffer[], lines: readonly LineFacts[]): boolean {
  return lines.some(({ unit }) =>
    orders.some(({ touches }) =>
      unit?.lines.some(({ line }) => touches[line.index] !== touches[unit.lines[0]!.line.index]),
    ),
  );
}

function touchDifferentLines(orders: readonly OrderOffer[], lines: readonly LineFacts[]): boolean {
  const first = orders[0]!;
  // Offers on the same lines share their list.
  const others = new Set(orders.map(({ touches }) => touches));
  others.delete(first.touches);
  return [...others].some((touches) =>
    lines.some(({ incoming }, i) => incoming > 0 && touches[i] !== first.touches[i]),
  );
}
