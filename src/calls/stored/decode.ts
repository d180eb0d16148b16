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
} from '@loyalty/engine/answer/content';
import type { ByteReader } from './bytes.ts';
import { CLEARED, CUT, EFFECT_KINDS, EFFECTED, FLAGS, FOOTER, REASONS, SAME_EFFECT, STATUSES } from './layout.ts';

/** Decodes the content of an answer. Throws where the next bytes are not what layout.ts says. */
export function decodeContent(reader: ByteReader): AnswerContent {
  const status = STATUSES[reader.below(STATUSES.length)]!;
  if (status === 'member_not_found') return { status };
  if (status === 'applied') return readApplied(reader);
  return { status, reason: REASONS[reader.below(REASONS.length)]!, memberLabel: reader.optionalText() };
}

function readApplied(reader: ByteReader): AppliedContent {
  const memberLabel = reader.optionalText();
  const discountCode = reader.text();
  const benefits = reader.list(() => ({ benefitId: reader.text(), text: reader.optionalText() }));
  const receiptFooterText = readFooter(reader, benefits);
  const effects = reader.list(() => readEffect(reader, benefits.length));
  let previous: ChangedPart | undefined;
  const parts = reader.list(() => {
    previous = readPart(reader, previous, effects.length);
    return previous;
  });
  return {
    status: 'applied',
    memberLabel,
    receiptFooterText,
    discountCode,
    benefits,
    effects,
    parts,
    removedOrderDiscounts: reader.list(() => reader.integer()),
    orders: reader.list(() => readOrder(reader, benefits.length)),
    gifts: reader.list(() => readGift(reader, benefits.length)),
  };
}

function readFooter(reader: ByteReader, benefits: readonly NamedBenefit[]): string | undefined {
  const footer = reader.below(FOOTER.firstText + benefits.length);
  if (footer === FOOTER.none) return undefined;
  return footer === FOOTER.own ? reader.text() : benefits[footer - FOOTER.firstText]!.text;
}

function readEffect(reader: ByteReader, benefitCount: number): LineEffect {
  const head = reader.below(benefitCount * EFFECT_KINDS.length);
  const kind = EFFECT_KINDS[head % EFFECT_KINDS.length];
  return {
    benefit: Math.floor(head / EFFECT_KINDS.length),
    percentHundredths: kind === 'percent' ? reader.integer() : undefined,
    overrideUnitPrice: kind === 'unit_price' ? reader.integer() : undefined,
  };
}

function readPart(reader: ByteReader, previous: ChangedPart | undefined, effectCount: number): ChangedPart {
  const head = reader.integer();
  const flags = head % FLAGS;
  return {
    line: (previous?.line ?? 0) + Math.floor(head / FLAGS),
    isCleared: (flags & CLEARED) !== 0,
    cut: flags & CUT ? readCut(reader) : undefined,
    effect:
      flags & EFFECTED ? readApplication(reader, flags & SAME_EFFECT ? previous : undefined, effectCount) : undefined,
  };
}

function readCut(reader: ByteReader): Cut {
  return {
    units: reader.integer(),
    existing: reader.integer(),
    allocations: reader.list(() => reader.integer()),
  };
}

function readApplication(reader: ByteReader, same: ChangedPart | undefined, effectCount: number): AppliedEffect {
  return {
    effect: same?.effect ? same.effect.effect : reader.below(effectCount),
    units: reader.integer(),
    amount: reader.integer(),
  };
}

function readOrder(reader: ByteReader, benefitCount: number): AddedOrderDiscount {
  const benefit = reader.below(benefitCount);
  const amount = reader.integer();
  const percent = reader.integer();
  const percentHundredths = percent === 0 ? undefined : percent - 1;
  return { benefit, amount, percentHundredths, shares: reader.list(() => reader.integer()) };
}

function readGift(reader: ByteReader, benefitCount: number): AddedProduct {
  const gift = {
    benefit: reader.below(benefitCount),
    productId: reader.text(),
    productMasterId: reader.optionalText(),
    productGroupId: reader.optionalText(),
    ean: reader.optionalText(),
    name: reader.text(),
    units: reader.integer(),
    unitPrice: reader.integer(),
  };
  const flags = reader.integer();
  return { ...gift, noDiscount: (flags & 1) !== 0, noPercentageDiscount: (flags & 2) !== 0 };
}
