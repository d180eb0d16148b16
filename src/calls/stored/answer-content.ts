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
import {
  type DependentKind,
  flag,
  head,
  integer,
  type Kind,
  list,
  oneOf,
  optionalInteger,
  optionalText,
  record,
  text,
} from './kinds.ts';

/** How an answer's content is stored (kinds.ts). Its bytes are frozen: golden vectors hold them. */

const benefit: Kind<NamedBenefit> = record(['benefitId', text], ['text', optionalText]);

const FOOTER = { none: 0, own: 1, firstText: 2 } as const;

/** The footer of one order-level benefit is its text, and only named. */
const footer: DependentKind<string | undefined, Pick<AppliedContent, 'benefits'>> = (bytes, own, { benefits }) => {
  const same = benefits.findIndex((each) => each.text === own);
  const place = own === undefined ? FOOTER.none : same < 0 ? FOOTER.own : FOOTER.firstText + same;
  const stored = bytes.integer(place);
  if (stored === FOOTER.none) return undefined;
  return stored === FOOTER.own ? bytes.text(own) : benefits[stored - FOOTER.firstText]!.text;
};

const effect: Kind<LineEffect> = (bytes, it) => {
  const gives = it?.percentHundredths !== undefined ? 1 : it?.overrideUnitPrice !== undefined ? 2 : 0;
  const [kind, benefit] = bytes.packed([3], [gives, it?.benefit ?? 0]);
  return {
    benefit: benefit!,
    percentHundredths: kind === 1 ? bytes.integer(it?.percentHundredths) : undefined,
    overrideUnitPrice: kind === 2 ? bytes.integer(it?.overrideUnitPrice) : undefined,
  };
};

const cut: Kind<Cut> = record(['units', integer], ['existing', integer], ['allocations', list(integer)]);

const PART_FLAGS = [2, 2, 2, 2];

/** Its line is counted from that of the part before, and its effect is left out where that part has the same. */
const part: DependentKind<ChangedPart, ChangedPart | undefined> = (bytes, it, before) => {
  const from = before?.line ?? 0;
  const isAsBefore = it?.effect !== undefined && it.effect.effect === before?.effect?.effect;
  const [isCut, isCleared, isEffected, isSame, lines] = bytes.packed(PART_FLAGS, [
    it?.cut ? 1 : 0,
    it?.isCleared ? 1 : 0,
    it?.effect ? 1 : 0,
    isAsBefore ? 1 : 0,
    it ? it.line - from : 0,
  ]);
  const same = isSame ? before?.effect : undefined;
  return {
    line: from + lines!,
    isCleared: isCleared === 1,
    cut: isCut ? cut(bytes, it?.cut) : undefined,
    effect: isEffected ? appliedEffect(bytes, it?.effect, same) : undefined,
  };
};

/** `same`: that of the part before, whose effect it has. */
const appliedEffect: DependentKind<AppliedEffect, AppliedEffect | undefined> = (bytes, it, same) => ({
  effect: same?.effect ?? bytes.integer(it?.effect),
  units: bytes.integer(it?.units),
  amount: bytes.integer(it?.amount),
});

const order: Kind<AddedOrderDiscount> = record(
  ['benefit', integer],
  ['amount', integer],
  ['percentHundredths', optionalInteger],
  ['shares', list(integer)],
);

const gift: Kind<AddedProduct> = record(
  ['benefit', integer],
  ['productId', text],
  ['productMasterId', optionalText],
  ['productGroupId', optionalText],
  ['ean', optionalText],
  ['name', text],
  ['units', integer],
  ['unitPrice', integer],
  head(['noDiscount', flag], ['noPercentageDiscount', flag]),
);

const unchanged: Kind<Omit<UnchangedContent, 'status'>> = record(
  ['reason', oneOf('no_applicable_benefits', 'all_lines_excluded', 'member_inactive', 'basket_too_small')],
  ['memberLabel', optionalText],
);

const applied: Kind<Omit<AppliedContent, 'status'>> = record(
  ['memberLabel', optionalText],
  ['discountCode', text],
  ['benefits', list(benefit)],
  ['receiptFooterText', footer],
  ['effects', list(effect)],
  ['parts', list(part)],
  ['removedOrderDiscounts', list(integer)],
  ['orders', list(order)],
  ['gifts', list(gift)],
);

const statusKind = oneOf('member_not_found', 'unchanged', 'applied');

export const answerContent: Kind<AnswerContent> = (bytes, it) => {
  const status = statusKind(bytes, it?.status);
  if (status === 'unchanged') return { status, ...unchanged(bytes, it as UnchangedContent | undefined) };
  return status === 'applied' ? { status, ...applied(bytes, it as AppliedContent | undefined) } : { status };
};
