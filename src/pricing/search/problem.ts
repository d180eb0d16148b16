import type { LineFacts } from '../lines.ts';
import type { Offer } from '../offers.ts';
import { type OrderOffer, sortOrderOffers } from '../order-discounts.ts';
import { isPlain, type PlainChoice } from '../plain.ts';
import type { ExistingLineDiscounts } from '../programme.ts';

/** One choice to be made: these offers on these lines. Exclusive benefits make a problem each. */
export interface Problem {
  readonly lines: readonly LineFacts[];
  readonly policy: ExistingLineDiscounts;
  readonly plain: readonly Offer[];
  /** Line-level offers with a cap per basket or a limit by items: what one line takes, another cannot have. */
  readonly budgeted: readonly Offer[];
  readonly bundles: readonly Offer[];
  /** Higher priority first, then by benefitId. */
  readonly buyGets: readonly Offer[];
  readonly orders: readonly OrderOffer[];
  /**
   * The order-level offers touch different lines. There a share that is rounded the other way may change the next discount
   * by a unit, so the best line by line need not be the best in sum.
   */
  readonly isRough: boolean;
}

/** Sorts the offers of a problem by what choosing them involves. */
export function poseProblem(
  offers: readonly Offer[],
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
  withOrders: boolean,
): Problem {
  const plain: Offer[] = [];
  const budgeted: Offer[] = [];
  const groups: Offer[] = [];
  const orderLevel: Offer[] = [];
  for (const offer of offers) {
    const { level } = offer.benefit;
    if (level === 'line') (isPlain(offer) ? plain : budgeted).push(offer);
    else if (level === 'group') groups.push(offer);
    else if (level === 'order' && withOrders) orderLevel.push(offer);
  }
  const orders = orderLevel.length === 0 ? NO_ORDERS : sortOrderOffers(orderLevel, lines);
  return {
    lines,
    policy,
    plain,
    budgeted,
    bundles: groups.length === 0 ? groups : groups.filter(({ benefit }) => benefit.rule.kind === 'bundle_price'),
    buyGets:
      groups.length === 0
        ? groups
        : groups
            .filter(({ benefit }) => benefit.rule.kind === 'buy_x_get_y')
            .sort((a, b) => b.benefit.priority - a.benefit.priority),
    orders,
    isRough: orders.length > 1 && touchDifferentLines(orders, lines),
  };
}

/** True where every line may choose for itself, so that nothing has to be searched. */
export function isIndependent({ budgeted, bundles, buyGets, isRough }: Problem, { ties }: PlainChoice): boolean {
  return budgeted.length === 0 && bundles.length === 0 && buyGets.length === 0 && !isRough && ties.size === 0;
}

const NO_ORDERS: readonly OrderOffer[] = [];

function touchDifferentLines(orders: readonly OrderOffer[], lines: readonly LineFacts[]): boolean {
  const first = orders[0]!;
  return orders.some(({ touches }) => lines.some(({ incoming }, i) => incoming > 0 && touches[i] !== first.touches[i]));
}
