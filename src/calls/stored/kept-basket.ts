import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { parseDateTime } from '@loyalty/contract/date-time';
import { toHundredths } from '@loyalty/contract/money/round';
import type { Programme } from '@loyalty/engine/compile/programme';
import type { SelectorIndex } from '@loyalty/engine/lines/selector';
import { sharePartsOf } from '@loyalty/engine/offers/shares';
import { findOwnDiscounts } from '@loyalty/engine/price';
import type { Member } from '@loyalty/engine/types';
import { ByteWriter } from './bytes.ts';
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
import { KnownTexts, writeLineIds } from './kept-texts.ts';

const writer = new ByteWriter();

/** Encodes a basket, of the programme if there is one. */
export function encodeKeptBasket(
  basket: BasketRequest,
  { configuration, member, used, movedMs = 0 }: KeptBasket,
  programme?: Programme,
  /** True where somebody else than the programme asks for the groups of lines. */
  keepsGroups = false,
): Buffer {
  const texts = new KnownTexts(writer);
  const names = namesUsed(programme?.selectorIndex);
  writer.reset();
  writer.integer(FORMAT);
  writer.text(configuration);
  texts.write(basket.context.baxId);
  texts.write(basket.currency);
  const ms = parseDateTime(basket.requestedAt) ?? 0;
  writer.integer(CHANNELS.indexOf(basket.context.channel) + (ms < 0 ? BEFORE_1970 : 0));
  writer.integer(Math.abs(ms));
  writeMember(member);
  const taken = [...used].filter(([, units]) => units > 0);
  writer.integer(taken.length);
  for (const [usageKey, units] of taken) {
    writer.text(usageKey);
    writer.integer(units);
  }
  writeOrderDiscounts(basket, programme);
  writer.integer(basket.lines.length);
  const writing = {
    texts,
    keepsGroup: keepsGroups || names.has('productGroupId'),
    keepsEan: names.has('ean'),
    keepsMaster: names.has('productMasterId'),
  };
  for (const line of basket.lines) writeLine(line, basket, writing);
  writeMoved(movedMs);
  writeLineIds(writer, basket.lines);
  writer.text(basket.context.cashRegisterId);
  return writer.take();
}

function writeMoved(movedMs: number): void {
  writer.integer(movedMs > 0 ? MOVED.ahead : MOVED.behind);
  writer.integer(Math.abs(movedMs));
}

/** What is kept of a member that a programme knows. */
export function keptMemberOf(programme: Programme, member: Member): KeptMember {
  const shareParts = sharePartsOf(programme, member);
  return shareParts ? { ...member, shareParts } : member;
}

function writeMember(member: KeptMember | undefined): void {
  if (!member) return writer.integer(MEMBER.unknown);
  const { status, tier, grants, shareParts } = member;
  const isPlain = status === 'active' && tier === undefined && grants.length === 0 && shareParts === undefined;
  if (isPlain) return writer.integer(MEMBER.plain);
  writer.integer(MEMBER.own);
  writer.text(JSON.stringify({ status, tier, grants, shareParts }));
}

function writeOrderDiscounts(basket: BasketRequest, programme: Programme | undefined): void {
  const { orderDiscounts } = basket;
  writer.integer(orderDiscounts.length);
  if (orderDiscounts.length === 0) return;
  const own = programme ? findOwnDiscounts(basket, programme.discountCode) : [];
  for (const [index, { type, amount, percent }] of orderDiscounts.entries()) {
    writer.integer(DISCOUNT_TYPES.indexOf(type) + (own.includes(index) ? OWN_DISCOUNT : 0));
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
      (line.noDiscount ? BITS.noDiscount : 0) +
      (line.noPercentageDiscount ? BITS.noPercentage : 0) +
      (productGroupId === undefined ? 0 : BITS.group) +
      (ean === undefined ? 0 : BITS.ean) +
      (productMasterId === undefined ? 0 : BITS.master) +
      (parent < 0 ? 0 : BITS.parent) +
      (allocations.length === 0 ? 0 : BITS.allocated) +
      (line.existingLineDiscountPercent === undefined ? 0 : BITS.percent),
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

/**
 * Group, barcode and master product count where a selector of the programme names products by them; a production programme
 * mostly uses groups alone. Without selectors to go by, all are kept.
 */
const OPTIONAL_NAMES = ['productGroupId', 'ean', 'productMasterId'] as const;
type OptionalName = (typeof OPTIONAL_NAMES)[number];

const EVERY_NAME: ReadonlySet<OptionalName> = new Set(OPTIONAL_NAMES);
const namesOfIndex = new WeakMap<SelectorIndex, ReadonlySet<OptionalName>>();

function namesUsed(index: SelectorIndex | undefined): ReadonlySet<OptionalName> {
  if (!index) return EVERY_NAME;
  const known = namesOfIndex.get(index);
  if (known) return known;
  const { inclusions, exclusions, outside, weighed } = index;
  const used = new Set<string>([
    ...[inclusions, exclusions].flat().map(({ field }) => field),
    ...[outside, weighed]
      .flatMap((own) => [...(own?.included ?? []), ...(own?.excluded ?? [])])
      .map(({ field }) => field),
  ]);
  const names = new Set(OPTIONAL_NAMES.filter((name) => used.has(name)));
  namesOfIndex.set(index, names);
  return names;
}
