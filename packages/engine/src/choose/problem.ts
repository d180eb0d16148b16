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
import { type NetMinimums, type OrderOffer, sortOrderOffers } from '../settle/order-discounts.ts';
import { COST, stepsPerShare, type Work } from '../work.ts';
import { LineLists } from './line-lists.ts';
import { isPlain, withoutDominated } from './plain.ts';

/** One choice to be made: these offers on these lines. Exclusive benefits make a problem each. */
export interface Problem {
  readonly lines: readonly LineFacts[];
  /** The lines of the basket, which order-level benefits see. */
  readonly ofBasket: readonly LineFacts[];
  readonly lists: LineLists;
  readonly work: Work;
  /** To share an amount out over lines or parts takes so many steps for each. */
  readonly shareSteps: number;
  readonly policy: ExistingLineDiscounts;
  readonly plain: readonly LineOffer[];
  /** Line-level offers with a cap per basket or a limit by items, which lines share. */
  readonly budgeted: readonly LineOffer[];
  readonly bundles: readonly BundleOffer[];
  /** Higher priority first, then by benefitId. */
  readonly buyGets: readonly BuyGetOffer[];
  readonly orders: readonly OrderOffer[];
  /** The units of some line are counted with their modifiers. */
  readonly hasUnits: boolean;
}

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
  const plain: LineOffer[] = [];
  const budgeted: LineOffer[] = [];
  const bundles: BundleOffer[] = [];
  const buyGets: BuyGetOffer[] = [];
  const orderLevel: OrderLevelOffer[] = [];
  for (const offer of offers) {
    if (isAt(offer, 'line')) (isPlain(offer) ? plain : budgeted).push(offer);
    else if (isAt(offer, 'bundle')) {
      if (work.spend(COST.offer) && mayBeBundled(offer, lists)) bundles.push(offer);
    } else if (isAt(offer, 'buyGet')) {
      if (work.spend(COST.offer) && mayBeGiven(offer, lists, policy)) buyGets.push(offer);
    } else if (asked.withLoyaltyOrderDiscounts && isAt(offer, 'order')) orderLevel.push(offer);
  }
  buyGets.sort((a, b) => b.benefit.priority - a.benefit.priority);
  const orders = sortOrderOffers(orderLevel, ofBasket, work, asked.netMinimums);
  const hasUnits = lines !== ofBasket;
  return {
    lines,
    ofBasket,
    lists,
    work,
    shareSteps: stepsPerShare(lines.reduce((total, { original }) => total + original, 0)),
    policy,
    plain: withoutDominated(plain),
    budgeted,
    bundles,
    buyGets,
    orders,
    hasUnits,
  };
}

/** False where the basket has too few units for even one bundle. */
function mayBeBundled(offer: BundleOffer, lists: LineLists): boolean {
  const { quantities } = offer.benefit.rule;
  return quantities.every((quantity, item) => lists.units(lists.discountable(offer, item)) >= quantity);
}

/** False where the basket has too few units to buy and to be given even once. */
function mayBeGiven(offer: BuyGetOffer, lists: LineLists, policy: ExistingLineDiscounts): boolean {
  const { buyQuantity, leastGiven } = offer.benefit.rule;
  const [buy, get] = offer.benefit.selectors;
  const bought = lists.units(lists.eligible(offer, 0));
  const given = lists.units(lists.giveable(offer, policy));
  // Where both halves name the same lines, a unit is bought or given.
  const together = nameSameLines(offer.matches, buy!, get!) ? bought : bought + given;
  return bought >= buyQuantity && given >= leastGiven && together >= buyQuantity + leastGiven;
}

/** True where every line may choose for itself, so that nothing has to be searched. */
export function isIndependent({ budgeted, bundles, buyGets }: Problem): boolean {
  return budgeted.length === 0 && bundles.length === 0 && buyGets.length === 0;
}
