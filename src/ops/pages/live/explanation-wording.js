/** The engine's reasons in words for people who do not read its source. */

/** @typedef {import('../../../pricing/types.ts').TracedBenefit} TracedBenefit */
/** @typedef {import('../../../pricing/types.ts').ChangeRule} ChangeRule */
/** @typedef {import('../../../pricing/types.ts').RefusalReason} RefusalReason */

/** @type {Readonly<Record<ChangeRule, string>>} */
export const RULES = {
  line_discount: 'line discount',
  unit_price: 'lower unit price',
  order_discount: "this line's share of the order discount",
  product_added: 'product added to the basket',
  existing_line_discount_removed: 'the staff discount on the line gives way to it',
  existing_order_discount_removed: 'the staff discount on the order gives way to it',
  own_discount_returned: 'a discount of this service came back with the basket and was taken off',
};

/** @type {Readonly<Record<RefusalReason, string>>} */
const REASONS = {
  member_inactive: 'The member is not active.',
  disabled: 'It is switched off.',
  not_granted: 'It is for members to whom it was granted, and this one is not among them.',
  other_tier: 'It is for members of another tier.',
  other_share: 'It is for another share of the members.',
  other_venue: 'It does not run at this venue.',
  other_channel: 'It does not run on this channel.',
  other_currency: 'It is in another currency.',
  clock_off: 'It goes by the time, and the time of this basket is too far from ours to be believed.',
  not_now: 'It does not run at this time.',
  limit_used_up: 'This member has used it up.',
  grants_used_up: 'Every grant of it that this member has is used up.',
  no_matching_line: 'Nothing in the basket is what it is for.',
  lines_excluded: 'The programme leaves out every line that it is for.',
  lines_protected: 'Every line that it is for is protected from discounts.',
  existing_discount_kept: 'Its lines have a staff discount, which is kept.',
  below_minimum_spend: 'The basket is below its minimum spend.',
  below_minimum_quantity: 'There are fewer units than it asks for.',
  too_few_units: 'There are too few units for it to take effect.',
  nothing_to_save: 'It would save nothing: its lines are as cheap already.',
  below_minimum_saving: 'It is not spent on so small a saving.',
  group_used_up: 'As many benefits of its group apply as may.',
  not_combinable: 'It cannot be combined with what applied.',
  others_save_more: 'Others save the guest more.',
};

/** The smallest change that would make the benefit apply, by reason, from the engine's short words. */
/** @type {Readonly<Partial<Record<RefusalReason, (change: string, currency: string) => string>>>} */
const CHANGES = {
  not_granted: (change) => `Come ${change}`,
  grants_used_up: (change) => `Have another grant: ${change}`,
  other_tier: (change) => `A member of ${change}`,
  other_venue: (change) => `Buy ${change}`,
  other_channel: (change) => `Buy ${change}`,
  other_currency: (change) => `Pay ${change}`,
  clock_off: (change) => `Ring it up ${change}`,
  not_now: (change) => `Come ${change}`,
  limit_used_up: (change) => `Again ${change}`,
  no_matching_line: (change) => `Buy ${change}`,
  below_minimum_spend: (change, currency) => `Spend ${change.replace(/ more$/, ` ${currency} more`)}`,
  below_minimum_quantity: (change) => `Buy ${change}`,
  too_few_units: (change) => `Buy ${change}`,
};

/**
 * Describes why a benefit did not apply.
 * @param {TracedBenefit} benefit
 * @param {ReadonlyMap<string, string>} textOf texts of the benefits, by benefitId
 */
export function describeReason({ reason, explanation, instead = [] }, textOf) {
  if (reason === undefined) return '';
  const names = instead.map((benefitId) => textOf.get(benefitId) ?? benefitId);
  const others = names.length === 0 ? '' : ` In its place: ${names.join(', ')}.`;
  return `${explanation ?? REASONS[reason] ?? reason.replaceAll('_', ' ')}${others}`;
}

/**
 * Describes the smallest change that would make the benefit apply.
 * @param {TracedBenefit} benefit
 * @param {string} currency
 */
export function describeChange({ reason, change }, currency) {
  if (reason === 'not_granted') return 'Grant it to the member';
  if (reason === 'member_inactive') return 'Make the member active';
  if (reason === undefined || change === undefined) return '';
  return CHANGES[reason]?.(change, currency) ?? change;
}

/** Reasons in the member, the venue or the programme's calendar, which a till cannot change. */
const FAR = new Set([
  ...['member_inactive', 'disabled', 'not_granted'],
  ...['other_tier', 'other_share', 'other_venue', 'other_channel', 'other_currency'],
]);

/**
 * Ranks a benefit in the list: first those that applied, then those within reach, then the others.
 * @param {TracedBenefit} benefit
 */
export function rankOf({ applied, reason }) {
  if (applied) return 0;
  return reason !== undefined && FAR.has(reason) ? 2 : 1;
}

/** @type {Readonly<Record<string, string>>} */
export const UNCHANGED = {
  no_applicable_benefits: 'Nothing changes: no benefit applies to this basket.',
  all_lines_excluded: 'Nothing changes: every line that a benefit is for is protected, or cheaper already.',
  member_inactive: 'Nothing changes: the member is not active.',
  basket_too_small: 'Nothing changes: only a minimum stands in the way.',
};

/**
 * Describes why the price of a line is unchanged.
 * @param {{ noDiscount: boolean, noPercentageDiscount: boolean, existingLineDiscountAmount: number }} line
 */
export function describeUnchangedLine({ noDiscount, noPercentageDiscount, existingLineDiscountAmount }) {
  if (noDiscount) return 'The till marked this line “no discount”: no benefit may touch it.';
  if (existingLineDiscountAmount > 0)
    return 'It keeps the discount that the till gave: no benefit here would be larger.';
  if (noPercentageDiscount) return 'The till marked this line “no percentage discount”: a percentage may not touch it.';
  return 'No benefit reaches this line; below is why.';
}

/**
 * Describes a basket's time where something is to be said of it: a sentence that begins with a blank, or nothing.
 * @param {{ offsetSeconds: number, isOff: boolean, pastHours?: number, aheadMinutes?: number, movedSeconds?: number } | undefined} clock
 */
export function describeClock(clock) {
  if (!clock) return '';
  const { offsetSeconds, isOff, pastHours, aheadMinutes, movedSeconds = 0 } = clock;
  const moved =
    movedSeconds === 0 ? '' : ` The clock of this test member was moved ${distanceOf(movedSeconds, 'ahead', 'back')}.`;
  if (!isOff) return moved;
  return `${moved} That is ${distanceOf(offsetSeconds, 'ahead of', 'behind')} our clock, and outside the window of ${pastHours} hours back and ${aheadMinutes} minutes ahead: benefits that go by the time are left out.`;
}

/**
 * @param {number} seconds
 * @param {string} ahead
 * @param {string} behind
 */
function distanceOf(seconds, ahead, behind) {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const distance = minutes < 120 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${Math.round(minutes / 60)} hours`;
  return `${distance} ${seconds > 0 ? ahead : behind}`;
}

/**
 * The name of a grant, and whether its campaign has ended.
 * @param {string | { benefitId: string, grantId: string }} grant
 * @param {readonly { benefitId: string }[]} benefits every benefit of the programme
 */
export function describeGrant(grant, benefits) {
  const { benefitId, grantId } = typeof grant === 'string' ? { benefitId: grant, grantId: grant } : grant;
  const isThere = benefits.some((benefit) => benefit.benefitId === benefitId);
  return isThere || benefits.length === 0
    ? grantId
    : `${grantId} (ended: the configuration no longer has ${benefitId})`;
}
