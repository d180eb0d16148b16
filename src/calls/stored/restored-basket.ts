import type { BasketLine, BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import { writeDateTime } from '@loyalty/contract/date-time';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { totalsOf } from '@loyalty/engine/returns/rest-basket';
import { ByteReader } from './bytes.ts';
import {
  BEFORE_1970,
  BITS,
  CHANNELS,
  DISCOUNT_TYPES,
  FORMAT,
  type KeptBasket,
  type KeptMember,
  MEMBER,
  MOVED,
  OWN_DISCOUNT,
} from './kept-layout.ts';
import { readLineIds } from './kept-texts.ts';

/** A line's name is its `productId`. */
export interface RestoredBasket extends KeptBasket {
  /**
   * Without a calculation ID, a venue and a loyalty ID, which stand elsewhere or nowhere; the till is empty where an older version has kept
   * the basket. The `discountCode` of an order
   * discount of the service itself that came back is empty: the programme has it. Other discounts have none.
   */
  readonly basket: BasketRequest;
}

/** The version of the configuration that priced a kept basket; undefined where the bytes are of another format, or damaged. */
export function configurationOf(bytes: Buffer): string | undefined {
  const reader = new ByteReader(bytes);
  try {
    return reader.integer() === FORMAT ? reader.text() : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes what `encodeKeptBasket` wrote. Throws where the bytes are of another format, or damaged. */
export function decodeKeptBasket(bytes: Buffer): RestoredBasket {
  const reader = new ByteReader(bytes);
  const format = reader.integer();
  if (format !== FORMAT) throw new Error(`its format is ${format}`);
  const configuration = reader.text();
  const text = textReader(reader);
  const baxId = text();
  const currency = text();
  const place = reader.below(BEFORE_1970 + CHANNELS.length);
  const channel = CHANNELS[place % BEFORE_1970]!;
  const requestedAt = writeDateTime(place < BEFORE_1970 ? reader.integer() : -reader.integer());
  const member = readMember(reader);
  const used = new Map(reader.list(() => [reader.text(), reader.integer()] as const));
  const orderDiscounts = reader.list(() => readOrderDiscount(reader));
  for (const [index, discount] of orderDiscounts.entries()) discount.orderDiscountId = nameOf(index);
  const lines = reader.list(() => readLine(reader, text));
  const moved = readMoved(reader);
  const lineIds = readLineIds(reader);
  const cashRegisterId = reader.at < bytes.length ? reader.text() : '';
  for (const [index, line] of lines.entries()) nameLine(line, index, lineIds);
  const context = { venueId: '', cashRegisterId, baxId, channel };
  const basket = { calculationId: '', loyaltyId: '', currency, requestedAt, context, lines, orderDiscounts };
  return { configuration, member, used, ...moved, basket: { ...basket, totals: totalsOf(lines) } };
}

/** The same, or a sentence that says why it cannot be read. */
export function restoreKeptBasket(bytes: Buffer): RestoredBasket | string {
  try {
    return decodeKeptBasket(bytes);
  } catch (error) {
    return `What is kept of its lines cannot be read: ${(error as Error).message}.`;
  }
}

/** Until here the parent of a line is the index of its place. */
function nameLine(line: Changing<BasketLine>, index: number, lineIds: readonly string[]): void {
  line.lineId = lineIds[index]!;
  if (line.parentLineId !== undefined) line.parentLineId = lineIds[Number(line.parentLineId)]!;
}

type Changing<Value> = { -readonly [Field in keyof Value]: Value[Field] };

function nameOf(index: number): string {
  return String(index + 1);
}

function textReader(reader: ByteReader): () => string {
  const known: string[] = [];
  return () => {
    const head = reader.integer();
    if (head % 2 === 1) return String((head - 1) / 2);
    if (head / 2 === known.length) known.push(reader.text());
    const text = known[head / 2];
    if (text === undefined) throw new Error('a text of it is missing');
    return text;
  };
}

function readMember(reader: ByteReader): KeptMember | undefined {
  switch (reader.below(Object.keys(MEMBER).length)) {
    case MEMBER.unknown:
      return undefined;
    case MEMBER.plain:
      return { status: 'active', grants: [] };
    default:
      return JSON.parse(reader.text()) as KeptMember;
  }
}

function readOrderDiscount(reader: ByteReader): Changing<OrderDiscount> {
  const head = reader.below(OWN_DISCOUNT + DISCOUNT_TYPES.length);
  const type = DISCOUNT_TYPES[head % OWN_DISCOUNT] as OrderDiscount['type'];
  const own = head < OWN_DISCOUNT ? {} : { discountCode: '' };
  const amount = reader.integer();
  const percent = reader.integer();
  return { orderDiscountId: '', type, amount, ...(percent > 0 && { percent: (percent - 1) / 100 }), ...own };
}

function readLine(reader: ByteReader, text: () => string): Changing<BasketLine> {
  const bits = reader.integer();
  const has = (bit: number): boolean => (bits & bit) !== 0;
  const type = DISCOUNT_TYPES[bits & BITS.type] ?? 'none';
  const productId = text();
  const names = {
    ...(has(BITS.group) && { productGroupId: text() }),
    ...(has(BITS.ean) && { ean: text() }),
    ...(has(BITS.master) && { productMasterId: text() }),
    ...(has(BITS.parent) && { parentLineId: String(reader.integer()) }),
  };
  const whole = reader.integer();
  const quantity = whole === 0 ? Number(reader.text()) : whole - 1;
  const unitPrice = reader.integer();
  const existing = type === 'none' ? 0 : reader.integer();
  const percent = has(BITS.percent) ? { existingLineDiscountPercent: reader.integer() / 100 } : {};
  const allocations = has(BITS.allocated) ? reader.list(() => readAllocation(reader)) : [];
  const originalLinePrice = Number(multiplyQuantity(quantity, unitPrice));
  const allocated = allocations.reduce((sum, allocation) => sum + allocation.orderDiscountAllocationAmount, 0);
  return {
    lineId: '',
    productId,
    name: productId,
    ...names,
    quantity,
    unitPrice,
    originalLinePrice,
    noDiscount: has(BITS.noDiscount),
    noPercentageDiscount: has(BITS.noPercentage),
    existingLineDiscountType: type,
    existingLineDiscountAmount: existing,
    ...percent,
    orderDiscountAllocation: allocations,
    orderLinePrice: originalLinePrice - existing - allocated,
  };
}

function readAllocation(reader: ByteReader): BasketLine['orderDiscountAllocation'][number] {
  return { orderDiscountId: nameOf(reader.integer()), orderDiscountAllocationAmount: reader.integer() };
}

function readMoved(reader: ByteReader): { movedMs?: number } {
  const isAhead = reader.integer() === MOVED.ahead;
  const ms = reader.integer();
  return ms === 0 ? {} : { movedMs: isAhead ? ms : -ms };
}
