import { sum } from '../money/sum.ts';
import { keptAsPaid, refundAsPaid, type Saving } from './as-paid.ts';
import { explainAsPaid, explainRepriced } from './explanation.ts';
import {
  type Excess,
  findExcess,
  type Portion,
  portionsOf,
  type Quantities,
  type ReturnedLine,
  withReturned,
} from './portions.ts';
import { type PriceAsThen, priceRest, refundRepriced } from './repriced.ts';
import type { SoldBasket } from './sold-basket.ts';

export type ReturnPolicy = 'as_paid' | 'repriced';

/** What came back of a sale before. */
export interface ReturnedBefore {
  readonly quantities: Quantities;
  /** The sum of all refunds, in minor units. */
  readonly refunded: number;
}

/** What to refund, and why. Money in minor units. */
export interface ReturnQuote {
  readonly refund: number;
  readonly lines: readonly (ReturnedLine & { readonly refund: number })[];
  readonly policy: ReturnPolicy;
  /** What the guest keeps of each benefit after this return, and what is lost by it. */
  readonly kept: readonly Saving[];
  readonly lost: readonly Saving[];
  /** Sentences whose amounts add up by hand. */
  readonly explanation: readonly string[];
}

export type Quoted =
  | { readonly kind: 'quoted'; readonly quote: ReturnQuote }
  | { readonly kind: 'too_much'; readonly excess: readonly Excess[] };

/** Quotes a return. Pure: the price of what stays comes from `price`. */
export function quoteReturn(
  sold: SoldBasket,
  policy: ReturnPolicy,
  before: ReturnedBefore,
  asked: readonly ReturnedLine[],
  price: PriceAsThen,
): Quoted {
  const excess = findExcess(sold, asked, before.quantities);
  if (excess.length > 0) return { kind: 'too_much', excess };
  const portions = portionsOf(sold, asked, before.quantities);
  const after = withReturned(before.quantities, asked);
  const { refunds, keptBefore, kept, explanation } =
    policy === 'as_paid' ? asPaid(sold, before, portions, after) : repriced(sold, before, portions, after, price);
  const lines = portions.map(({ sold: { lineId }, quantity }, at) => ({ lineId, quantity, refund: refunds[at]! }));
  const lost = lostBetween(keptBefore, kept);
  return { kind: 'quoted', quote: { refund: sum(refunds), lines, policy, kept, lost, explanation } };
}

/** What a policy says: the refund of each portion, and what of the benefits stayed before this return and stays after it. */
interface Judged extends Pick<ReturnQuote, 'kept' | 'explanation'> {
  readonly refunds: readonly number[];
  readonly keptBefore: readonly Saving[];
}

function asPaid(sold: SoldBasket, before: ReturnedBefore, portions: readonly Portion[], after: Quantities): Judged {
  const refunds = refundAsPaid(portions);
  return {
    refunds,
    keptBefore: keptAsPaid(sold, before.quantities),
    kept: keptAsPaid(sold, after),
    explanation: explainAsPaid(sold.basket.currency, portions, refunds),
  };
}

function repriced(
  sold: SoldBasket,
  before: ReturnedBefore,
  portions: readonly Portion[],
  after: Quantities,
  price: PriceAsThen,
): Judged {
  const rest = priceRest(sold, after, price);
  const result = refundRepriced(sold, portions, before.refunded, rest);
  return {
    refunds: result.refunds,
    keptBefore: before.quantities.size === 0 ? sold.given : priceRest(sold, before.quantities, price).kept,
    kept: rest.kept,
    explanation: explainRepriced(sold.basket.currency, result, before.refunded, portions),
  };
}

function lostBetween(before: readonly Saving[], after: readonly Saving[]): Saving[] {
  return before.flatMap(({ benefitId, saved }) => {
    const kept = after.find((other) => other.benefitId === benefitId);
    const lost = saved - (kept?.saved ?? 0);
    return lost > 0 || !kept ? [{ benefitId, saved: Math.max(0, lost) }] : [];
  });
}
