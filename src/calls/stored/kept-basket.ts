import type { BasketLine, BasketRequest, OrderDiscount } from '../../contract/basket-request.ts';
import { toText, unsealed } from '../../contract/byte-text.ts';
import { parseDateTime } from '../../contract/date-time.ts';
import { multiplyQuantity } from '../../money/quantity.ts';
import { toHundredths } from '../../money/round.ts';
import type { SelectorIndex } from '../../pricing/selector.ts';
import type { Member } from '../../pricing/types.ts';
import type { AnyBasket } from '../rendition.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { KnownTexts } from './known-texts.ts';
import { namesUsed } from './product-names.ts';

/**
 * What is kept of a basket for the retention time, so that support can have it priced again as it was: what prices depend
 * on, and nothing of persons. The loyalty ID, the clerk, the names of products and all texts are left out; amounts that
 * follow from others (interface, section 2) are computed again.
 *
 *     format, version of the configuration, terminal setup, currency, channel, time in ms,
 *     member (0: unknown; 1: active and nothing else; 2: a text of JSON), used units, order discounts, lines,
 *     and of a test member whose clock was moved 1 (ahead) or 2 (behind), milliseconds
 */

/** What a basket call was priced with. */
export interface KeptBasket {
  /** Version of the configuration. */
  readonly configuration: string;
  /** Undefined where the programme did not know the loyalty ID. */
  readonly member: KeptMember | undefined;
  /** Units of limits that were consumed, or held by other calculations, per usage key. */
  readonly used: ReadonlyMap<string, number>;
  /** Milliseconds by which the clock of a test member was ahead; absent or 0 for everybody else. */
  readonly movedMs?: number;
}

export type KeptMember = Pick<Member, 'status' | 'tier' | 'grants'>;

/** A line's name is its `productId`, its `lineId` the number of its place. */
export interface RestoredBasket extends KeptBasket {
  /** Without a calculation ID, a venue and a loyalty ID, which stand elsewhere or nowhere. */
  readonly basket: BasketRequest;
}

const FORMAT = 1;
const CHANNELS = ['pos', 'mpos'] as const;
const DISCOUNT_TYPES = ['none', 'amount', 'percent'] as const;
const MEMBER = { unknown: 0, plain: 1, own: 2 } as const;

/** Bits of a line; the two lowest are the type of its discount. */
const TYPE_BITS = 0b11;
const NO_DISCOUNT = 1 << 2;
const NO_PERCENTAGE = 1 << 3;
const GROUP = 1 << 4;
const EAN = 1 << 5;
const MASTER = 1 << 6;
const PARENT = 1 << 7;
const ALLOCATED = 1 << 8;
const PERCENT = 1 << 9;

const writer = new ByteWriter();

/** Encodes a basket in either form. `index` has the selectors of its programme. */
export function encodeKeptBasket(
  request: AnyBasket,
  { configuration, member, used, movedMs = 0 }: KeptBasket,
  index?: SelectorIndex,
): Buffer {
  const basket = request.isInBytes ? unsealed(request.basket) : request.basket;
  const spell = request.isInBytes ? toText : (text: string) => text;
  const texts = new KnownTexts(writer, spell);
  const names = namesUsed(index);
  writer.reset();
  writer.integer(FORMAT);
  writer.text(configuration);
  texts.write(basket.context.baxId);
  texts.write(basket.currency);
  writer.integer(CHANNELS.indexOf(basket.context.channel));
  writer.integer(Math.max(0, parseDateTime(basket.requestedAt) ?? 0));
  writeMember(member);
  const taken = [...used].filter(([, units]) => units > 0);
  writer.integer(taken.length);
  for (const [usageKey, units] of taken) {
    writer.text(usageKey);
    writer.integer(units);
  }
  writeOrderDiscounts(basket);
  writer.integer(basket.lines.length);
  const writing = {
    texts,
    keepsGroup: names.has('productGroupId'),
    keepsEan: names.has('ean'),
    keepsMaster: names.has('productMasterId'),
  };
  for (const line of basket.lines) writeLine(line, basket, writing);
  if (movedMs !== 0) writeMoved(movedMs);
  return writer.take();
}

const MOVED = { ahead: 1, behind: 2 } as const;

function writeMoved(movedMs: number): void {
  writer.integer(movedMs > 0 ? MOVED.ahead : MOVED.behind);
  writer.integer(Math.abs(movedMs));
}

function readMoved(reader: ByteReader): { movedMs?: number } {
  if (reader.isAtEnd) return {};
  const isAhead = reader.integer() === MOVED.ahead;
  const ms = reader.integer();
  return { movedMs: isAhead ? ms : -ms };
}

function writeMember(member: KeptMember | undefined): void {
  if (!member) return writer.integer(MEMBER.unknown);
  const { status, tier, grants } = member;
  if (status === 'active' && tier === undefined && grants.length === 0) return writer.integer(MEMBER.plain);
  writer.integer(MEMBER.own);
  writer.text(JSON.stringify({ status, tier, grants }));
}

function writeOrderDiscounts({ orderDiscounts }: BasketRequest): void {
  writer.integer(orderDiscounts.length);
  for (const { type, amount, percent } of orderDiscounts) {
    writer.integer(DISCOUNT_TYPES.indexOf(type));
    writer.integer(amount);
    writeOptional(percent);
  }
}

function writeOptional(percent: number | undefined): void {
  writer.integer(percent === undefined ? 0 : 1 + hundredths(percent));
}

/** The schema allows no more than two decimals. */
function hundredths(percent: number): number {
  return toHundredths(percent) ?? 0;
}

interface LineWriting {
  readonly texts: KnownTexts;
  readonly keepsGroup: boolean;
  readonly keepsEan: boolean;
  readonly keepsMaster: boolean;
}

function writeLine(
  line: BasketLine,
  { lines, orderDiscounts }: BasketRequest,
  { texts, keepsGroup, keepsEan, keepsMaster }: LineWriting,
): void {
  const { parentLineId, orderDiscountAllocation: allocations } = line;
  const productGroupId = keepsGroup ? line.productGroupId : undefined;
  const ean = keepsEan ? line.ean : undefined;
  const productMasterId = keepsMaster ? line.productMasterId : undefined;
  const type = DISCOUNT_TYPES.indexOf(line.existingLineDiscountType);
  const parent = parentLineId === undefined ? -1 : lines.findIndex(({ lineId }) => lineId === parentLineId);
  writer.integer(
    type +
      (line.noDiscount ? NO_DISCOUNT : 0) +
      (line.noPercentageDiscount ? NO_PERCENTAGE : 0) +
      (productGroupId === undefined ? 0 : GROUP) +
      (ean === undefined ? 0 : EAN) +
      (productMasterId === undefined ? 0 : MASTER) +
      (parent < 0 ? 0 : PARENT) +
      (allocations.length === 0 ? 0 : ALLOCATED) +
      (line.existingLineDiscountPercent === undefined ? 0 : PERCENT),
  );
  texts.write(line.productId);
  if (productGroupId !== undefined) texts.write(productGroupId);
  if (ean !== undefined) texts.write(ean);
  if (productMasterId !== undefined) texts.write(productMasterId);
  if (parent >= 0) writer.integer(parent);
  writeQuantity(line.quantity);
  writer.integer(line.unitPrice);
  if (type > 0) writer.integer(line.existingLineDiscountAmount);
  if (line.existingLineDiscountPercent !== undefined) writer.integer(hundredths(line.existingLineDiscountPercent));
  if (allocations.length === 0) return;
  writer.integer(allocations.length);
  for (const { orderDiscountId, orderDiscountAllocationAmount } of allocations) {
    writer.integer(orderDiscounts.findIndex((discount) => discount.orderDiscountId === orderDiscountId));
    writer.integer(orderDiscountAllocationAmount);
  }
}

/** A fraction is written as its decimal text, which is exact. */
function writeQuantity(quantity: number): void {
  if (Number.isSafeInteger(quantity) && quantity < Number.MAX_SAFE_INTEGER) return writer.integer(quantity + 1);
  writer.integer(0);
  writer.text(String(quantity));
}

/** Decodes what `encodeKeptBasket` wrote. Throws where the bytes are of another format, or damaged. */
export function decodeKeptBasket(bytes: Buffer): RestoredBasket {
  const reader = new ByteReader(bytes, 0, 'utf8');
  const format = reader.integer();
  if (format !== FORMAT) throw new Error(`its format is ${format}`);
  const configuration = reader.text();
  const text = textReader(reader);
  const baxId = text();
  const currency = text();
  const channel = CHANNELS[reader.below(CHANNELS.length)]!;
  const requestedAt = new Date(reader.integer()).toISOString();
  const member = readMember(reader);
  const used = new Map(reader.list(() => [reader.text(), reader.integer()] as const));
  const orderDiscounts = reader.list(() => readOrderDiscount(reader));
  for (const [index, discount] of orderDiscounts.entries()) discount.orderDiscountId = nameOf(index);
  const lines = reader.list(() => readLine(reader, text));
  for (const [index, line] of lines.entries()) line.lineId = nameOf(index);
  const moved = readMoved(reader);
  const context = { venueId: '', cashRegisterId: baxId, baxId, channel };
  const basket = { calculationId: '', loyaltyId: '', currency, requestedAt, context, lines, orderDiscounts };
  return { configuration, member, used, ...moved, basket: { ...basket, totals: totalsOf(lines) } };
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
  const type = DISCOUNT_TYPES[reader.below(DISCOUNT_TYPES.length)] as OrderDiscount['type'];
  const amount = reader.integer();
  const percent = reader.integer();
  return { orderDiscountId: '', type, amount, ...(percent > 0 && { percent: (percent - 1) / 100 }) };
}

function readLine(reader: ByteReader, text: () => string): Changing<BasketLine> {
  const bits = reader.integer();
  const has = (bit: number): boolean => (bits & bit) !== 0;
  const type = DISCOUNT_TYPES[bits & TYPE_BITS] ?? 'none';
  const productId = text();
  const names = {
    ...(has(GROUP) && { productGroupId: text() }),
    ...(has(EAN) && { ean: text() }),
    ...(has(MASTER) && { productMasterId: text() }),
    ...(has(PARENT) && { parentLineId: nameOf(reader.integer()) }),
  };
  const whole = reader.integer();
  const quantity = whole === 0 ? Number(reader.text()) : whole - 1;
  const unitPrice = reader.integer();
  const existing = type === 'none' ? 0 : reader.integer();
  const percent = has(PERCENT) ? { existingLineDiscountPercent: reader.integer() / 100 } : {};
  const allocations = has(ALLOCATED) ? reader.list(() => readAllocation(reader)) : [];
  const originalLinePrice = Number(multiplyQuantity(quantity, unitPrice));
  const allocated = allocations.reduce((sum, allocation) => sum + allocation.orderDiscountAllocationAmount, 0);
  return {
    lineId: '',
    ...{ productId, name: productId, ...names, quantity, unitPrice, originalLinePrice },
    noDiscount: has(NO_DISCOUNT),
    noPercentageDiscount: has(NO_PERCENTAGE),
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

function totalsOf(lines: readonly BasketLine[]): BasketRequest['totals'] {
  const sum = (of: (line: BasketLine) => number): number => lines.reduce((total, line) => total + of(line), 0);
  return {
    originalTotal: sum(({ originalLinePrice }) => originalLinePrice),
    existingDiscountTotal: sum((line) => line.existingLineDiscountAmount),
    orderDiscountTotal: sum(({ orderDiscountAllocation }) =>
      orderDiscountAllocation.reduce((total, { orderDiscountAllocationAmount: amount }) => total + amount, 0),
    ),
    loyaltyDiscountTotal: 0,
    total: sum(({ orderLinePrice }) => orderLinePrice),
  };
}
