import type { BasketLine } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import type { ChangeRule, RefusalReason, TracedBenefit } from '@loyalty/engine/types';
import type { Explanation } from '../../../../../src/administration/dry-run.ts';
import type { PastCircumstances } from '../../../../../src/administration/past-circumstances.ts';
import type { Counter } from '../../admin/sale-schemas.ts';
import { formatAmount, formatMoney, formatTime } from './format.ts';

/** The engine's reasons in words for people who do not read its source. */

export const RULES: Readonly<Record<ChangeRule, string>> = {
  line_discount: 'line discount',
  unit_price: 'lower unit price',
  order_discount: "this line's share of the order discount",
  product_added: 'product added to the basket',
  existing_line_discount_removed: 'it replaces the staff discount on the line',
  existing_order_discount_removed: 'it replaces the staff discount on the order',
  own_discount_returned: 'a discount of this service came back with the basket and was removed',
};

/** The smallest change that would make the benefit apply, by reason, from the engine's short words. */
const CHANGES: Readonly<Partial<Record<RefusalReason, (change: string, currency: string) => string>>> = {
  grants_used_up: (change) => `Use another grant: ${change}`,
  other_tier: (change) => `A member of ${change}`,
  other_venue: (change) => `Buy ${change}`,
  other_channel: (change) => `Buy ${change}`,
  other_currency: (change) => `Pay ${change}`,
  clock_off: (change) => `Ring it up ${change}`,
  not_now: (change) => `Come ${change}`,
  limit_used_up: (change) => `Come again ${change}`,
  no_matching_line: (change) => `Buy ${change}`,
  below_minimum_spend: (change, currency) => `Spend ${change.replace(/ more$/, ` ${currency} more`)}`,
  below_minimum_quantity: (change) => `Buy ${change}`,
  goods_missing: (change) => `Buy ${change}`,
  too_few_units: (change) => `Buy ${change}`,
};

/** Describes why a benefit did not apply; `textOf` has the texts of the benefits by benefitId. */
export function describeReason(
  { reason, explanation, instead = [] }: TracedBenefit,
  textOf: ReadonlyMap<string, string>,
) {
  if (reason === undefined) return '';
  const names = instead.map((benefitId) => textOf.get(benefitId) ?? benefitId);
  const others = names.length === 0 ? '' : ` Chosen instead: ${names.join(', ')}.`;
  return `${explanation ?? reason.replaceAll('_', ' ')}${others}`;
}

/** Describes the smallest change that would make the benefit apply. */
export function describeChange({ reason, change }: TracedBenefit, currency: string) {
  if (reason === 'not_granted') return 'Grant it to the member';
  if (reason === 'member_inactive') return 'Make the member active';
  if (reason === undefined || change === undefined) return '';
  return CHANGES[reason]?.(change, currency) ?? change;
}

/** What the limits of a benefit have left: of one that applied after it, and otherwise as it found them. */
export function describeLeft(
  { benefitId, applied, left }: TracedBenefit,
  limits: Explanation['limits'],
  currency: string,
) {
  if (applied) return left ?? '';
  const own = limits.filter((limit) => limit.benefitId === benefitId);
  const words = own.flatMap(({ usageKey, counts, left: rest, limit }) => {
    if (counts !== 'money') return `${rest} of ${limit} left`;
    if (!usageKey.includes(`$${currency}:`)) return [];
    return `${formatAmount(rest, currency)} of ${formatAmount(limit, currency)} left`;
  });
  return words.join(', ');
}

/** Reasons in the member, the venue or the programme's calendar, which a till cannot change. */
const FAR = new Set<RefusalReason>(['member_inactive', 'disabled', 'not_granted']);

/** Ranks a benefit in the list: first those that applied, then those within reach, then the others. */
export function rankOf({ applied, reason }: TracedBenefit) {
  if (applied) return 0;
  return reason !== undefined && (FAR.has(reason) || reason.startsWith('other_')) ? 2 : 1;
}

export const UNCHANGED: Readonly<Record<string, string>> = {
  no_applicable_benefits: 'Nothing changes: no benefit applies to this basket.',
  all_lines_excluded: 'Nothing changes: every line that qualifies may not be discounted, or is already cheaper.',
  member_inactive: 'Nothing changes: the member is not active.',
  basket_too_small: 'Nothing changes: a minimum is not reached.',
};

/** Describes why the price of a line is unchanged. */
export function describeUnchangedLine(line: BasketLine | BasketLineOut) {
  if (line.noDiscount) return 'The till marked this line “no discount”, so no benefit may change it.';
  if (line.existingLineDiscountAmount > 0)
    return 'It keeps the discount of the till, because no benefit here is larger.';
  if (line.noPercentageDiscount)
    return 'The till marked this line “no percentage discount”, so no percentage may change it.';
  return 'No benefit applies to this line. The reasons are below.';
}

/** Describes a basket's time where something is to be said of it: a sentence that begins with a blank, or nothing. */
export function describeClock(clock: Explanation['clock']) {
  if (!clock) return '';
  const { offsetSeconds, isOff, pastHours, aheadMinutes, movedSeconds = 0 } = clock;
  const moved =
    movedSeconds === 0 ? '' : ` The clock of this test member was moved ${distanceOf(movedSeconds, 'ahead', 'back')}.`;
  if (!isOff) return moved;
  return `${moved} That is ${distanceOf(offsetSeconds, 'ahead of', 'behind')} our clock, and outside the window of ${pastHours} hours back and ${aheadMinutes} minutes ahead: benefits that go by the time are left out.`;
}

/** `3 hours behind`, `20 seconds ahead`. */
function distanceOf(seconds: number, ahead: string, behind: string) {
  const distance = Math.abs(seconds);
  const minutes = Math.round(distance / 60);
  const [count, unit] =
    distance < 60 ? [distance, 'second'] : minutes < 120 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ${seconds > 0 ? ahead : behind}`;
}

/** The name of a grant, and whether its campaign has ended: `benefits` are all of the programme. */
export function describeGrant(
  grant: string | { benefitId: string; grantId: string },
  benefits: readonly { benefitId: string }[],
) {
  const { benefitId, grantId } = typeof grant === 'string' ? { benefitId: grant, grantId: grant } : grant;
  const isThere = benefits.some((benefit) => benefit.benefitId === benefitId);
  return isThere || benefits.length === 0
    ? grantId
    : `${grantId} (ended: the configuration no longer has ${benefitId})`;
}

type Left = Counter & Omit<PastCircumstances['left'][number], 'usageKey'>;
type ToldCircumstances = Omit<PastCircumstances, 'left'> & { readonly left: readonly Left[] };

/** What a past price depended on beside the basket, in a few sentences, with times in the venue's zone. */
export function sentencesOf(
  { configuration, requestedAt, answeredAt, offsetSeconds, timeZone, member, left }: ToldCircumstances,
  textOf: ReadonlyMap<string, string>,
): string[] {
  const clocks = [
    `The till's clock was ${formatTime(requestedAt, timeZone)}`,
    answeredAt ? `, ours ${formatTime(answeredAt, timeZone)}` : '',
    offsetWords(offsetSeconds),
  ];
  const who = member
    ? `The member was ${member.status}, ${member.tier === undefined ? 'without a tier' : `of the tier ${member.tier}`}${grantWords(member.grants)}.`
    : 'The programme does not have this member.';
  return [
    `${clocks.join('')}.`,
    who,
    `The configuration ${configuration} priced it.`,
    ...left.map((limit) => limitWords(limit, textOf)),
  ];
}

function offsetWords(seconds: number | undefined) {
  if (seconds === undefined) return '';
  return seconds === 0 ? ': the same second' : `: ${distanceOf(seconds, 'ahead', 'behind')}`;
}

function grantWords(grants: readonly (string | { readonly benefitId: string; readonly grantId: string })[]) {
  if (grants.length === 0) return ', without grants';
  const names = grants.map((grant) => (typeof grant === 'string' ? grant : `${grant.benefitId} (${grant.grantId})`));
  const shown = names.slice(0, 20).join(', ');
  return `, with grants of ${shown}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`;
}

function limitWords(
  { benefitId, limitId, grantId, currency, period, limit, before, after }: Left,
  textOf: ReadonlyMap<string, string>,
) {
  const show = (units: number) => (currency ? formatMoney(units, currency) : String(units));
  const name = benefitId === undefined ? limitId : (textOf.get(benefitId) ?? benefitId);
  const which = grantId === undefined ? (period === '*' ? '' : ` in ${period}`) : `, grant ${grantId}`;
  return `${name}${which}: ${show(before)} of ${show(limit)} left before, ${show(after)} after.`;
}
