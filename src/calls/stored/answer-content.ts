import type { UnchangedReason } from '@loyalty/contract/basket-response';
import type {
  AddedOrderDiscount,
  AddedProduct,
  AnswerContent,
  AppliedContent,
  AppliedEffect,
  ChangedPart,
  Cut,
  LineEffect,
  NamedBenefit,
  UnchangedContent,
} from '@loyalty/engine/answer/content';
import { type ByteReader, type Bytes, ByteWriter, type Changing, integer, oneOf, optionalInteger } from './bytes.ts';

/** The bytes of an answer's content (bytes.ts). They are frozen: golden vectors hold them. */

const writer = new ByteWriter();

/** Throws on a value that could not be read back. */
export function encodeContent(content: AnswerContent): Buffer {
  return writer.encode(anyContent, content);
}

/** Throws where the next bytes are no content. */
export function decodeContent(reader: ByteReader): AnswerContent {
  return anyContent(reader);
}

const STATUSES: readonly AnswerContent['status'][] = ['member_not_found', 'unchanged', 'applied'];
const REASONS: readonly UnchangedReason[] = [
  'no_applicable_benefits',
  'all_lines_excluded',
  'member_inactive',
  'basket_too_small',
];

function anyContent(bytes: Bytes, it = {} as AnswerContent): AnswerContent {
  const content: Changing<AnswerContent> = it;
  content.status = oneOf(bytes, STATUSES, it.status);
  if (content.status === 'unchanged') return unchanged(bytes, content);
  return content.status === 'applied' ? applied(bytes, content) : content;
}

function unchanged(bytes: Bytes, it: Changing<UnchangedContent>): UnchangedContent {
  it.reason = oneOf(bytes, REASONS, it.reason);
  it.memberLabel = bytes.optionalText(it.memberLabel);
  return it;
}

function applied(bytes: Bytes, it: Changing<AppliedContent>): AppliedContent {
  it.memberLabel = bytes.optionalText(it.memberLabel);
  it.discountCode = bytes.text(it.discountCode);
  it.benefits = bytes.list(it.benefits, benefit);
  it.receiptFooterText = footer(bytes, it);
  it.effects = bytes.list(it.effects, effect);
  let before: ChangedPart | undefined;
  it.parts = bytes.list(it.parts, (_, value) => {
    before = part(bytes, before, value);
    return before;
  });
  it.removedOrderDiscounts = bytes.list(it.removedOrderDiscounts, integer);
  it.orders = bytes.list(it.orders, order);
  it.gifts = bytes.list(it.gifts, gift);
  return it;
}

function benefit(bytes: Bytes, it = {} as Changing<NamedBenefit>): NamedBenefit {
  it.benefitId = bytes.text(it.benefitId);
  it.text = bytes.optionalText(it.text);
  return it;
}

const FOOTER = { none: 0, own: 1, firstText: 2 } as const;

/** The footer of one order-level benefit is its text, and only named. */
function footer(bytes: Bytes, { receiptFooterText: own, benefits }: AppliedContent): string | undefined {
  const same = benefits.findIndex(({ text }) => text === own);
  const place = own === undefined ? FOOTER.none : same < 0 ? FOOTER.own : FOOTER.firstText + same;
  const stored = bytes.integer(place);
  if (stored === FOOTER.none) return undefined;
  return stored === FOOTER.own ? bytes.text(own as string) : benefits[stored - FOOTER.firstText]!.text;
}

function effect(bytes: Bytes, it = {} as Changing<LineEffect>): LineEffect {
  const { percentHundredths, overrideUnitPrice } = it;
  const kindOfIt = percentHundredths !== undefined ? 1 : overrideUnitPrice !== undefined ? 2 : 0;
  const [kind, of] = bytes.packed([3], [kindOfIt, it.benefit]);
  it.benefit = of!;
  it.percentHundredths = kind === 1 ? bytes.integer(percentHundredths!) : undefined;
  it.overrideUnitPrice = kind === 2 ? bytes.integer(overrideUnitPrice!) : undefined;
  return it;
}

const PART_FLAGS = [2, 2, 2, 2];

/** Its flags, with the lines since the part before. */
function part(bytes: Bytes, before: ChangedPart | undefined, it = {} as Changing<ChangedPart>): ChangedPart {
  const from = before?.line ?? 0;
  const isAsBefore = it.effect !== undefined && it.effect.effect === before?.effect?.effect;
  const [isCut, isCleared, isEffected, isSame, lines] = bytes.packed(PART_FLAGS, [
    it.cut ? 1 : 0,
    it.isCleared ? 1 : 0,
    it.effect ? 1 : 0,
    isAsBefore ? 1 : 0,
    it.line - from,
  ]);
  it.line = from + lines!;
  it.isCleared = isCleared === 1;
  it.cut = isCut ? cut(bytes, it.cut) : undefined;
  it.effect = isEffected ? application(bytes, isSame ? before?.effect : undefined, it.effect) : undefined;
  return it;
}

function cut(bytes: Bytes, it = {} as Changing<Cut>): Cut {
  it.units = bytes.integer(it.units);
  it.existing = bytes.integer(it.existing);
  it.allocations = bytes.list(it.allocations, integer);
  return it;
}

/** `same`: that of the part before, whose effect it has. */
function application(bytes: Bytes, same: AppliedEffect | undefined, it = {} as Changing<AppliedEffect>): AppliedEffect {
  it.effect = same?.effect ?? bytes.integer(it.effect);
  it.units = bytes.integer(it.units);
  it.amount = bytes.integer(it.amount);
  return it;
}

function order(bytes: Bytes, it = {} as Changing<AddedOrderDiscount>): AddedOrderDiscount {
  it.benefit = bytes.integer(it.benefit);
  it.amount = bytes.integer(it.amount);
  it.percentHundredths = optionalInteger(bytes, it.percentHundredths);
  it.shares = bytes.list(it.shares, integer);
  return it;
}

function gift(bytes: Bytes, it = {} as Changing<AddedProduct>): AddedProduct {
  it.benefit = bytes.integer(it.benefit);
  it.productId = bytes.text(it.productId);
  it.productMasterId = bytes.optionalText(it.productMasterId);
  it.productGroupId = bytes.optionalText(it.productGroupId);
  it.ean = bytes.optionalText(it.ean);
  it.name = bytes.text(it.name);
  it.units = bytes.integer(it.units);
  it.unitPrice = bytes.integer(it.unitPrice);
  const [noDiscount, noPercentageDiscount] = bytes.packed(
    [2],
    [it.noDiscount ? 1 : 0, it.noPercentageDiscount ? 1 : 0],
  );
  it.noDiscount = noDiscount === 1;
  it.noPercentageDiscount = noPercentageDiscount === 1;
  return it;
}
