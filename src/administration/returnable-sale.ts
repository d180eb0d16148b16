import { sum } from '@loyalty/contract/money/sum';
import { staysOf } from '@loyalty/engine/returns/portions';
import type { ReturnPolicy } from '@loyalty/engine/returns/quote';
import type { SoldBasket } from '@loyalty/engine/returns/sold-basket';
import type { PricingContext } from '../calls/call.ts';
import type { BookedReturn } from '../store/booked-return.ts';
import { readReturns } from '../store/returns.ts';
import type { AnsweredCalculation } from '../store/stored-calculation.ts';
import { findSale, type Missed, type ReturnRequest, returnedBefore } from './returns.ts';

/** A sale as the counter sees it: its lines, what is left of each, and what came back before. */
export interface ReturnableSale {
  readonly record: AnsweredCalculation;
  readonly sold: SoldBasket;
  readonly policy: ReturnPolicy;
  readonly lines: readonly ReturnableLine[];
  /** In the order in which they were booked. */
  readonly returns: readonly BookedReturn[];
}

/** A line of the receipt. Money in minor units. */
export interface ReturnableLine {
  readonly lineId: string;
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  readonly isCounted: boolean;
  readonly paid: number;
  /** How much of it can still come back. */
  readonly left: number;
  readonly refunded: number;
}

/** Reads a sale for a return, or says what of it is missing. Throws `StoreUnavailable`. */
export async function readReturnableSale(
  context: PricingContext,
  named: Pick<ReturnRequest, 'calculationId' | 'transactionId'>,
): Promise<ReturnableSale | Missed> {
  const found = await findSale(context, { ...named, lines: [] });
  if ('kind' in found) return found;
  const { record, restored } = found;
  const { sold, policy } = restored;
  const returns = await readReturns(context.store, record.member, record.calculationId);
  const { quantities } = returnedBefore(sold, returns);
  const refundedLines = returns.flatMap(({ answer }) => answer.lines);
  const lines = sold.lines.map((line): ReturnableLine => {
    const { lineId, quantity, isCounted, paid } = line;
    const { productId, name } = line.gift ?? sold.basket.lines[line.line!]!;
    const refunds = refundedLines.filter((other) => other.lineId === lineId).map(({ refund }) => refund);
    return {
      ...{ lineId, productId, name, quantity, isCounted, paid },
      ...{ left: staysOf(line, quantities), refunded: sum(refunds) },
    };
  });
  return { record, sold, policy, lines, returns };
}
