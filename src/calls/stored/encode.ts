import type {
  AddedOrderDiscount,
  AddedProduct,
  AnswerContent,
  AppliedContent,
  ChangedPart,
  LineEffect,
} from '@loyalty/engine/answer/content';
import { ByteWriter } from './bytes.ts';
import { CLEARED, CUT, EFFECT_KINDS, EFFECTED, FLAGS, FOOTER, REASONS, SAME_EFFECT, STATUSES } from './layout.ts';

const writer = new ByteWriter();

/** Encodes the content of an answer, as layout.ts says. Throws on a value that could not be read back. */
export function encodeContent(content: AnswerContent): Buffer {
  writer.reset();
  writer.integer(STATUSES.indexOf(content.status));
  if (content.status === 'unchanged') {
    writer.integer(REASONS.indexOf(content.reason));
    writer.optionalText(content.memberLabel);
  }
  if (content.status === 'applied') writeApplied(content);
  return writer.take();
}

function writeApplied(content: AppliedContent): void {
  const { benefits, effects, parts, removedOrderDiscounts, orders, gifts } = content;
  writer.optionalText(content.memberLabel);
  writer.text(content.discountCode);
  writer.integer(benefits.length);
  for (const { benefitId, text } of benefits) {
    writer.text(benefitId);
    writer.optionalText(text);
  }
  writeFooter(content);
  writer.integer(effects.length);
  for (const effect of effects) writeEffect(effect);
  writer.integer(parts.length);
  let previous: ChangedPart | undefined;
  for (const part of parts) {
    writePart(part, previous);
    previous = part;
  }
  writeIntegers(removedOrderDiscounts);
  writer.integer(orders.length);
  for (const order of orders) writeOrder(order);
  writer.integer(gifts.length);
  for (const gift of gifts) writeGift(gift);
}

/** The footer of one order-level benefit is its text. */
function writeFooter({ receiptFooterText: footer, benefits }: AppliedContent): void {
  if (footer === undefined) return writer.integer(FOOTER.none);
  const same = benefits.findIndex(({ text }) => text === footer);
  if (same >= 0) return writer.integer(FOOTER.firstText + same);
  writer.integer(FOOTER.own);
  writer.text(footer);
}

function writeEffect({ benefit, percentHundredths, overrideUnitPrice }: LineEffect): void {
  const kind = percentHundredths !== undefined ? 'percent' : overrideUnitPrice !== undefined ? 'unit_price' : 'amount';
  writer.integer(benefit * EFFECT_KINDS.length + EFFECT_KINDS.indexOf(kind));
  if (kind !== 'amount') writer.integer((percentHundredths ?? overrideUnitPrice) as number);
}

function writePart({ line, cut, isCleared, effect }: ChangedPart, previous: ChangedPart | undefined): void {
  const isSame = effect !== undefined && effect.effect === previous?.effect?.effect;
  const flags = (cut ? CUT : 0) + (isCleared ? CLEARED : 0) + (effect ? EFFECTED : 0) + (isSame ? SAME_EFFECT : 0);
  writer.integer((line - (previous?.line ?? 0)) * FLAGS + flags);
  if (cut) {
    writer.integer(cut.units);
    writer.integer(cut.existing);
    writeIntegers(cut.allocations);
  }
  if (!effect) return;
  if (!isSame) writer.integer(effect.effect);
  writer.integer(effect.units);
  writer.integer(effect.amount);
}

function writeOrder({ benefit, amount, percentHundredths, shares }: AddedOrderDiscount): void {
  writer.integer(benefit);
  writer.integer(amount);
  writer.integer(percentHundredths === undefined ? 0 : 1 + percentHundredths);
  writeIntegers(shares);
}

function writeGift(gift: AddedProduct): void {
  writer.integer(gift.benefit);
  writer.text(gift.productId);
  writer.optionalText(gift.productMasterId);
  writer.optionalText(gift.productGroupId);
  writer.optionalText(gift.ean);
  writer.text(gift.name);
  writer.integer(gift.units);
  writer.integer(gift.unitPrice);
  writer.integer((gift.noDiscount ? 1 : 0) + (gift.noPercentageDiscount ? 2 : 0));
}

function writeIntegers(values: readonly number[]): void {
  writer.integer(values.length);
  for (const value of values) writer.integer(value);
}
