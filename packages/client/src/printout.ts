import type { BasketLineOut } from './basket.ts';
import { multiplyQuantity } from './money.ts';
import type { LoyaltyOutcome } from './outcome.ts';

/** What a receipt says of an order after its loyalty step. Money in minor units of the basket's currency. */
export interface Printout {
  /** Client: in the order of the basket. */
  readonly lines: readonly PrintedLine[];
  /** Client: below the lines. The prices of the lines less these are the total. */
  readonly orderDiscounts: readonly PrintedDiscount[];
  /** Client: the amount that the guest pays, in minor units. */
  readonly total: number;
  /** Service: label of the member, at most 40 characters. */
  readonly memberLabel?: string;
  /** Service: text for the bottom, at most 200 characters. */
  readonly footerText?: string;
}

/** A line of the receipt: its price is `linePrice` less its discounts. */
export interface PrintedLine {
  /** POS, or service on a line that it added: that of the basket. */
  readonly lineId: string;
  /** POS: the product's text. */
  readonly name: string;
  /** POS: pieces, or a weight in the unit of the price. */
  readonly quantity: number;
  /** POS, or service where it changed it: the price of one in minor units. */
  readonly unitPrice: number;
  /** Client: `quantity × unitPrice` in minor units, half up. */
  readonly linePrice: number;
  /** Service: why it changed the price, at most 40 characters, to print under the product; absent where it gives none. */
  readonly note?: string;
  /** Client: the till's own discount on the line and the loyalty discount, as far as there are any. */
  readonly discounts: readonly PrintedDiscount[];
  /** Client: the line's price in minor units, before order discounts. */
  readonly price: number;
  /** Service: true on a line that it added. */
  readonly isAdded: boolean;
}

/** A discount of the receipt. */
export interface PrintedDiscount {
  /** POS, or service for a loyalty discount: minor units, more than 0. */
  readonly amount: number;
  /** POS, or service for a loyalty discount: the note to print; absent where none is given, or where the service wants none printed. */
  readonly text?: string;
  /** Client: true for a loyalty discount, false for the till's own. */
  readonly isLoyalty: boolean;
}

/**
 * The receipt of an order, whichever basket it is charged with. Undefined when the till's own basket could not be built, or
 * is one that no receipt can show: then the till prints its own receipt. Never throws.
 */
export function printoutOf(outcome: LoyaltyOutcome): Printout | undefined {
  if (outcome?.basket === undefined) return undefined;
  try {
    return print(outcome, outcome.basket);
  } catch {
    return undefined;
  }
}

function print(outcome: LoyaltyOutcome, { lines, orderDiscounts, totals }: Basket): Printout {
  const { memberLabel, receiptFooterText } = { memberLabel: undefined, receiptFooterText: undefined, ...outcome };
  return {
    lines: lines.map(printLine),
    orderDiscounts: orderDiscounts.flatMap(({ amount, text, discountCode }) =>
      discountOf(amount, text, discountCode !== undefined),
    ),
    total: totals.total,
    ...(memberLabel !== undefined && { memberLabel }),
    ...(receiptFooterText !== undefined && { footerText: receiptFooterText }),
  };
}

type Basket = NonNullable<LoyaltyOutcome['basket']>;

/** A line of the till's own basket has none of the fields that an answer adds. */
type AnyLine = Pick<BasketLineOut, 'lineId' | 'name' | 'quantity' | 'unitPrice' | 'existingLineDiscountAmount'> &
  Partial<BasketLineOut>;

function printLine(line: AnyLine): PrintedLine {
  const { lineId, name, quantity, lineDiscountAmount = 0 } = line;
  const text = line.showLineDiscountText ? line.lineDiscountText : undefined;
  const unitPrice = line.overrideUnitPrice ?? line.unitPrice;
  const linePrice = multiplyQuantity(quantity, unitPrice);
  return {
    lineId,
    name,
    quantity,
    unitPrice,
    linePrice,
    // The text of a discount is beside its amount.
    ...(lineDiscountAmount === 0 && text && { note: text }),
    discounts: [
      ...discountOf(line.existingLineDiscountAmount, line.existingLineDiscountText, false),
      ...discountOf(lineDiscountAmount, text, true),
    ],
    price: linePrice - line.existingLineDiscountAmount - lineDiscountAmount,
    isAdded: line.addedByLoyalty === true,
  };
}

function discountOf(amount: number, text: string | undefined, isLoyalty: boolean): PrintedDiscount[] {
  return amount === 0 ? [] : [{ amount, ...(text !== undefined && text !== '' && { text }), isLoyalty }];
}
