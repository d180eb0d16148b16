import type { BasketLine, BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import { parseDateTime, writeDateTime } from '@loyalty/contract/date-time';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { toHundredths } from '@loyalty/contract/money/round';
import { findOwnDiscounts } from '@loyalty/engine/answer/own-discounts';
import type { Programme } from '@loyalty/engine/compile/programme';
import { PRODUCT_NAMES, type SelectorIndex } from '@loyalty/engine/lines/selector';
import { sharePartsOf } from '@loyalty/engine/offers/shares';
import { totalsOf } from '@loyalty/engine/returns/rest-basket';
import type { Member, PricedMember } from '@loyalty/engine/types';
import { type KeptDiscount, type KeptLine, keptConfiguration, keptForm, keptLineId } from './kept-form.ts';
import { decode, decodeIfWhole, encode } from './kinds.ts';

/**
 * The kept basket, by which a past call can be priced again as it was (kept-form.ts). The loyalty ID, the clerk, the names of
 * products and all texts are left out; amounts that follow from others (interface, section 2) are computed again.
 */

/** What a basket call was priced with. */
export interface KeptBasket {
  /** Version of the configuration. */
  readonly configuration: string;
  /** Undefined where the programme did not know the loyalty ID. */
  readonly member: PricedMember | undefined;
  /** Units of limits that were consumed, or held by other calculations, per usage key; an absent key means 0. */
  readonly used: ReadonlyMap<string, number>;
  /** Milliseconds by which the clock of a test member was ahead; absent or 0 for everybody else. */
  readonly movedMs?: number;
}

/** A line's name is its `productId`. */
export interface RestoredBasket extends KeptBasket {
  /**
   * Without a calculation ID, a venue and a loyalty ID, which stand elsewhere or nowhere; the till is empty where an older version has kept
   * the basket. The `discountCode` of an order discount of the service itself that came back is empty: the programme has it. Other
   * discounts have none.
   */
  readonly basket: BasketRequest;
}

/** What is kept of a member that a programme knows. */
export function keptMemberOf(programme: Programme, member: Member): PricedMember {
  const shareParts = sharePartsOf(programme, member);
  return shareParts ? { ...member, shareParts } : member;
}

/** Encodes a basket, of the programme if there is one. */
export function encodeKeptBasket(
  basket: BasketRequest,
  { configuration, member, used, movedMs = 0 }: KeptBasket,
  programme?: Programme,
  /** True where somebody else than the programme asks for the groups of lines. */
  keepsGroups = false,
): Buffer {
  const { context, currency, requestedAt, lines, orderDiscounts } = basket;
  const own = programme && orderDiscounts.length > 0 ? findOwnDiscounts(basket, programme.discountCode) : [];
  const asked = programme ? namesUsed(programme.selectorIndex) : EVERY_NAME;
  const names = keepsGroups ? new Set([...asked, 'productGroupId']) : asked;
  const requestedMs = parseDateTime(requestedAt) ?? 0;
  return encode(keptForm, {
    configuration,
    baxId: context.baxId,
    currency,
    channel: context.channel,
    isBefore1970: requestedMs < 0,
    requestedMs: Math.abs(requestedMs),
    member,
    used: [...used].filter(([, units]) => units > 0),
    orderDiscounts: orderDiscounts.map((discount, place) => ({
      ...discount,
      isOwn: own.includes(place),
      percent: hundredths(discount.percent),
    })),
    lines: lines.map((line) => keptLineOf(line, basket, names)),
    movedMs,
    lineIds: lines.map(({ lineId }) => keptLineId(lineId)),
    cashRegisterId: context.cashRegisterId,
  });
}

type Names = ReadonlySet<string>;

function keptLineOf(line: BasketLine, { lines, orderDiscounts }: BasketRequest, names: Names): KeptLine {
  const { productGroupId, ean, productMasterId, parentLineId, orderDiscountAllocation } = line;
  const parent = parentLineId === undefined ? -1 : lines.findIndex(({ lineId }) => lineId === parentLineId);
  const allocations = orderDiscountAllocation.map(({ orderDiscountId, orderDiscountAllocationAmount }) => {
    const place = orderDiscounts.findIndex((discount) => discount.orderDiscountId === orderDiscountId);
    return [place, orderDiscountAllocationAmount] as const;
  });
  return {
    ...line,
    productGroupId: names.has('productGroupId') ? productGroupId : undefined,
    ean: names.has('ean') ? ean : undefined,
    productMasterId: names.has('productMasterId') ? productMasterId : undefined,
    parent: parent < 0 ? undefined : parent,
    existingLineDiscountPercent: hundredths(line.existingLineDiscountPercent),
    allocations: allocations.length === 0 ? undefined : allocations,
  };
}

/** The schema allows no more than two decimals. */
function hundredths(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : (toHundredths(percent) ?? 0);
}

const EVERY_NAME: Names = new Set(PRODUCT_NAMES.map(({ field }) => field));
const namesOfIndex = new WeakMap<SelectorIndex, Names>();

/**
 * The fields of a line by which a selector of the programme names products; a production programme mostly uses groups alone.
 * Only those are kept. Without selectors to go by, all are.
 */
function namesUsed(index: SelectorIndex): Names {
  const known = namesOfIndex.get(index);
  if (known) return known;
  const { inclusions, exclusions, outside, weighed } = index;
  const lists = [inclusions, exclusions, outside?.included, outside?.excluded, weighed?.included, weighed?.excluded];
  const names = new Set(lists.flatMap((list) => (list ?? []).map(({ field }) => field)));
  namesOfIndex.set(index, names);
  return names;
}

/** The version of the configuration that priced a kept basket; undefined where the bytes are of another format, or damaged. */
export function configurationOf(bytes: Buffer): string | undefined {
  return decodeIfWhole(keptConfiguration, bytes);
}

/** Decodes what `encodeKeptBasket` wrote. Throws where the bytes are of another format, or damaged. */
export function decodeKeptBasket(bytes: Buffer): RestoredBasket {
  const kept = decode(keptForm, bytes);
  const { configuration, member, movedMs, isBefore1970, requestedMs, currency, lineIds } = kept;
  const lines = kept.lines.map((line, place) => restoreLine(line, place, lineIds));
  const basket = {
    calculationId: '',
    loyaltyId: '',
    currency,
    requestedAt: writeDateTime(isBefore1970 ? -requestedMs : requestedMs),
    context: { venueId: '', cashRegisterId: kept.cashRegisterId, baxId: kept.baxId, channel: kept.channel },
    lines,
    orderDiscounts: kept.orderDiscounts.map(restoreDiscount),
    totals: totalsOf(lines),
  };
  return { configuration, member, used: new Map(kept.used), ...(movedMs !== 0 && { movedMs }), basket };
}

/** The same, or a sentence that says why it cannot be read. */
export function restoreKeptBasket(bytes: Buffer): RestoredBasket | string {
  try {
    return decodeKeptBasket(bytes);
  } catch (error) {
    return `What is kept of its lines cannot be read: ${(error as Error).message}.`;
  }
}

/** The name that an order discount has in a restored basket. */
function nameOf(place: number): string {
  return String(place + 1);
}

function restoreDiscount({ type, isOwn, amount, percent }: KeptDiscount, place: number): OrderDiscount {
  return {
    orderDiscountId: nameOf(place),
    type,
    amount,
    ...(percent !== undefined && { percent: percent / 100 }),
    ...(isOwn && { discountCode: '' }),
  };
}

function restoreLine(line: KeptLine, place: number, lineIds: readonly string[]): BasketLine {
  const { productId, productGroupId, ean, productMasterId, parent, quantity, unitPrice, allocations = [] } = line;
  const { existingLineDiscountAmount, existingLineDiscountPercent: percent } = line;
  const originalLinePrice = Number(multiplyQuantity(quantity, unitPrice));
  const allocated = allocations.reduce((sum, [, amount]) => sum + amount, 0);
  return {
    lineId: lineIds[place]!,
    productId,
    name: productId,
    ...(productGroupId !== undefined && { productGroupId }),
    ...(ean !== undefined && { ean }),
    ...(productMasterId !== undefined && { productMasterId }),
    ...(parent !== undefined && { parentLineId: lineIds[parent]! }),
    quantity,
    unitPrice,
    originalLinePrice,
    noDiscount: line.noDiscount,
    noPercentageDiscount: line.noPercentageDiscount,
    existingLineDiscountType: line.existingLineDiscountType,
    existingLineDiscountAmount,
    ...(percent !== undefined && { existingLineDiscountPercent: percent / 100 }),
    orderDiscountAllocation: allocations.map(([discount, amount]) => ({
      orderDiscountId: nameOf(discount),
      orderDiscountAllocationAmount: amount,
    })),
    orderLinePrice: originalLinePrice - existingLineDiscountAmount - allocated,
  };
}
