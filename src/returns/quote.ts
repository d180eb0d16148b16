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
  const quote =
    policy === 'as_paid' ? asPaid(sold, before, portions, after) : repriced(sold, before, portions, after, price);
  return { kind: 'quoted', quote };
}

function asPaid(
  sold: SoldBasket,
  before: ReturnedBefore,
  portions: readonly Portion[],
  after: Quantities,
): ReturnQuote {
  const refunds = refundAsPaid(portions);
  const kept = keptAsPaid(sold, after);
  return {
    refund: sum(refunds),
    lines: linesOf(portions, refunds),
    policy: 'as_paid',
    kept,
    lost: lostBetween(keptAsPaid(sold, before.quantities), kept),
    explanation: explainAsPaid(sold.basket.currency, portions, refunds),
  };
}

function repriced(
  sold: SoldBasket,
  before: ReturnedBefore,
  portions: readonly Portion[],
  after: Quantities,
  price: PriceAsThen,
): ReturnQuote {
  const rest = priceRest(sold, after, price);
  const result = refundRepriced(sold, portions, before.refunded, rest);
  const keptBefore = before.quantities.size === 0 ? sold.given : priceRest(sold, before.quantities, price).kept;
  return {
    refund: result.refund,
    lines: linesOf(portions, result.refunds),
    policy: 'repriced',
    kept: rest.kept,
    lost: lostBetween(keptBefore, rest.kept),
    explanation: explainRepriced(sold.basket.currency, result, before.refunded, portions),
  };
}

function linesOf(portions: readonly Portion[], refunds: readonly number[]): ReturnQuote['lines'] {
  return portions.map(({ sold: { lineId }, quantity }, at) => ({ lineId, quantity, refund: refunds[at]! }));
}

function lostBetween(before: readonly Saving[], after: readonly Saving[]): Saving[] {
  return before.flatMap(({ benefitId, saved }) => {
    const kept = after.find((other) => other.benefitId === benefitId);
    const lost = saved - (kept?.saved ?? 0);
    return lost > 0 || !kept ? [{ benefitId, saved: Math.max(0, lost) }] : [];
  });
}
