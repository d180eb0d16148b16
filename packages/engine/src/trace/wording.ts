import type { Period } from '../compile/calendar.ts';
import type { Limit } from '../compile/words.ts';
import type { RefusalReason, TracedBenefit } from '../types.ts';
import type { Refusal } from './tracing.ts';

/** Reasons, amounts, times and limits in words, for people. */

/** Why a benefit did not apply, where no more can be said of this basket. A condition of a window says so itself (conditions/). */
export const REASONS: Readonly<Record<Exclude<RefusalReason, `other_${string}`> | 'other_currency', string>> = {
  member_inactive: 'The member is not active.',
  disabled: 'It is disabled.',
  not_granted: 'Only members with a grant can use it, and this member has none.',
  other_currency: 'It is in another currency.',
  clock_off: 'It depends on the time, and the time of this basket is too far from our clock.',
  not_now: 'It does not run at this time.',
  limit_used_up: "Nothing is left of this member's limit.",
  grants_used_up: 'Nothing is left of the grants that this member has for it.',
  no_matching_line: 'No product in the basket qualifies for this benefit.',
  lines_excluded: 'The programme excludes every line that qualifies.',
  lines_discounted: 'It is not for reduced goods: every line that qualifies has a staff discount.',
  lines_protected: 'Every line that qualifies may not be discounted.',
  existing_discount_kept: 'Its lines have a staff discount, which is kept.',
  below_minimum_spend: 'The basket is below its minimum spend.',
  below_minimum_quantity: 'There are fewer units than it requires.',
  goods_missing: 'The basket does not hold the goods that it requires.',
  too_few_units: 'There are too few units for it to take effect.',
  nothing_to_save: 'It would save nothing: its lines are already at least as cheap.',
  below_minimum_saving: 'The saving is below its minimum.',
  group_used_up: 'Its group already has the maximum number of benefits.',
  lower_priority: 'Its group takes the benefit with the highest priority.',
  not_combinable: 'It cannot be combined with the benefits that applied.',
  others_save_more: 'Other benefits save the guest more.',
};

/** Whose limit has nothing left; what open baskets hold is not left either. */
export const NOTHING_LEFT: Readonly<Record<Limit['of'], string>> = {
  member: REASONS.limit_used_up,
  programme: 'Nothing is left of its limit for all members.',
  venue: 'Nothing is left of its limit for all members at this venue.',
};

/** A benefit that did not apply. */
export function refused(benefitId: string, refusal: Refusal): TracedBenefit {
  const explanation = REASONS[refusal.reason as keyof typeof REASONS];
  return { benefitId, applied: false, saved: 0, explanation, ...refusal };
}

/** `11.00 more`, with the decimals of the currency. */
export function moreToSpend(amount: number, currency: string): string {
  return `${formatAmount(amount, currency)} more`;
}

const THIS_PERIOD: Readonly<Record<Period, string>> = {
  lifetime: '',
  year: ' this year',
  month: ' this month',
  week: ' this week',
  day: ' today',
};

/** What is left of a limit: `49.00 left this month`, `2 left today`, and of one for all members `312 of 1,000 left`. */
export function leftOfLimit(left: number, { counts, period, quantity, of }: Limit, currency: string): string {
  const format = (units: number): string => (counts === 'money' ? formatAmount(units, currency) : String(units));
  const words = of === 'member' ? format(left) : `${inThousands(format(left))} of ${inThousands(format(quantity))}`;
  return `${words} left${THIS_PERIOD[period]}`;
}

/** `50000.00` as `50,000.00`. */
function inThousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** `2 more of cake or tea`. */
export function moreUnits(units: number, description: string): string {
  return `${units} more of ${description}`;
}

/** When a used-up limit is renewed. */
export const NEXT_PERIOD: Readonly<Record<Period, string | undefined>> = {
  lifetime: undefined,
  year: 'next year',
  month: 'next month',
  week: 'next week',
  day: 'tomorrow',
};

const knownDecimals = new Map<string, number>();

/** How many decimals people write of a currency: 2 of NOK, 0 of JPY, 3 of KWD. */
export function decimalsOf(currency: string): number {
  let decimals = knownDecimals.get(currency);
  if (decimals === undefined) {
    const options = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    decimals = options.maximumFractionDigits ?? 0;
    knownDecimals.set(currency, decimals);
  }
  return decimals;
}

/** Minor units as people write them: 1100 NOK is `11.00`, 1100 JPY is `1100`. */
export function formatAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `17:32`. */
export function formatTime(minuteOfDay: number): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`;
}
