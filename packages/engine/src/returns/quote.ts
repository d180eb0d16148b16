import { sum } from '@loyalty/contract/money/sum';
import type { GivenBenefit } from '../types.ts';
import { keptAsPaid, refundAsPaid, type Saving } from './as-paid.ts';
import { explainAsPaid, explainRepriced } from './explanation.ts';
import {
  type Excess,
  findBrokenPieces,
  findExcess,
  type Portion,
  portionsOf,
  type Quantities,
  type ReturnedLine,
  withReturned,
} from './portions.ts';
import type { PriceAsThen } from './priced.ts';
import { priceRest, refundRepriced } from './repriced.ts';
import type { SoldBasket } from './sold-basket.ts';

export type ReturnPolicy = 'as_paid' | 'repriced';

/** What came back of a sale before. */
export interface ReturnedBefore {
  readonly quantities: Quantities;
  /** The sum of all refunds, in minor units. */
  readonly refunded: number;
  /** What of each benefit stayed after the last of them; what the sale gave before the first. */
  readonly kept: readonly Saving[];
}

/** What to refund, and why. Money in minor units. */
export interface ReturnQuote {
  readonly refund: number;
  readonly lines: readonly (ReturnedLine & { readonly refund: number })[];
  readonly policy: ReturnPolicy;
  /** What the guest keeps of each benefit after this return, and what is lost by it. */
  readonly kept: readonly Saving[];
  readonly lost: readonly Saving[];
  /** What benefits give to what stays beyond what they gave before, by the policy `repriced`; absent where nothing is gained. */
  readonly gained?: readonly Saving[];
  /** Sentences whose amounts add up by hand. */
  readonly explanation: readonly string[];
}

export type Quoted =
  /** `staying` is what is kept of each benefit, with its units. */
  | { readonly kind: 'quoted'; readonly quote: ReturnQuote; readonly staying: readonly GivenBenefit[] }
  | { readonly kind: 'too_much' | 'broken_pieces'; readonly excess: readonly Excess[] };

/** Quotes a return. Pure: the price of what stays comes from `price`. */
export function quoteReturn(
  sold: SoldBasket,
  policy: ReturnPolicy,
  before: ReturnedBefore,
  asked: readonly ReturnedLine[],
  price: PriceAsThen,
): Quoted {
  const broken = findBrokenPieces(sold, asked, before.quantities);
  if (broken.length > 0) return { kind: 'broken_pieces', excess: broken };
  const excess = findExcess(sold, asked, before.quantities);
  if (excess.length > 0) return { kind: 'too_much', excess };
  const portions = portionsOf(sold, asked, before.quantities);
  const after = withReturned(before.quantities, asked);
  const { refunds, staying, explanation } =
    policy === 'as_paid' ? asPaid(sold, portions, after) : repriced(sold, before, portions, after, price);
  const lines = portions.map(({ sold: { lineId }, quantity }, at) => ({ lineId, quantity, refund: refunds[at]! }));
  const kept = staying.map(({ benefitId, saved }) => ({ benefitId, saved }));
  const lost = lostBetween(before.kept, kept);
  const gained = lostBetween(kept, before.kept).filter(({ saved }) => saved > 0);
  const more = gained.length > 0 && { gained };
  return { kind: 'quoted', quote: { refund: sum(refunds), lines, policy, kept, lost, ...more, explanation }, staying };
}

/** What a policy says: the refund of each portion, and what of the benefits stays after this return. */
interface Judged extends Pick<ReturnQuote, 'explanation'> {
  readonly refunds: readonly number[];
  readonly staying: readonly GivenBenefit[];
}

function asPaid(sold: SoldBasket, portions: readonly Portion[], after: Quantities): Judged {
  const refunds = refundAsPaid(portions);
  return {
    refunds,
    staying: keptAsPaid(sold, after),
    explanation: explainAsPaid(sold.basket.currency, portions, refunds),
  };
}

function repriced(
  sold: SoldBasket,
  { refunded }: ReturnedBefore,
  portions: readonly Portion[],
  after: Quantities,
  price: PriceAsThen,
): Judged {
  const rest = priceRest(sold, after, price);
  const result = refundRepriced(sold, portions, refunded, rest);
  return {
    refunds: result.refunds,
    staying: rest.kept,
    explanation: explainRepriced(sold.basket.currency, result, refunded, portions),
  };
}

/** What of each benefit is in the first list and not in the second one; a benefit that the second one lacks is lost even at 0. */
export function lostBetween(before: readonly Saving[], after: readonly Saving[]): Saving[] {
  return before.flatMap(({ benefitId, saved }) => {
    const kept = after.find((other) => other.benefitId === benefitId);
    const lost = saved - (kept?.saved ?? 0);
    return lost > 0 || !kept ? [{ benefitId, saved: Math.max(0, lost) }] : [];
  });
}
