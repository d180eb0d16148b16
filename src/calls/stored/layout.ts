import type { UnchangedReason } from '@loyalty/contract/basket-response';
import type { AnswerContent } from '@loyalty/engine/answer/content';

/**
 * Format 1 of an answer's content, frozen: integers and texts (bytes.ts) in this order, lists after their lengths.
 *
 *     status
 *     unchanged:  reason, memberLabel?
 *     applied:    memberLabel?, discountCode, benefits (benefitId, text?), footer, effects, parts, removed order
 *                 discounts (index), orders (benefit, amount, 1 + percentage or 0, shares), gifts
 *     footer:     none, the text of a benefit, or its own text
 *     effect:     benefit × 3 + kind; the percentage in hundredths or the unit price, if the kind has one
 *     part:       (line − line of the part before) × 16 + flags; if cut: units, existing discount, allocations;
 *                 if effected: effect unless it is that of the part before, units, amount
 *     gift:       benefit, productId, productMasterId?, productGroupId?, ean?, name, units, unitPrice, flags
 */

/** A place in these lists is what is stored: append, never insert. */
export const STATUSES: readonly AnswerContent['status'][] = ['member_not_found', 'unchanged', 'applied'];
export const REASONS: readonly UnchangedReason[] = [
  'no_applicable_benefits',
  'all_lines_excluded',
  'member_inactive',
  'basket_too_small',
];
export const EFFECT_KINDS = ['amount', 'percent', 'unit_price'] as const;

/** `firstText` and above: the text of the benefit with that index. */
export const FOOTER = { none: 0, own: 1, firstText: 2 } as const;

/** The flags of a part. */
export const CUT = 1;
export const CLEARED = 2;
export const EFFECTED = 4;
export const SAME_EFFECT = 8;
export const FLAGS = 16;
