/** What people write who come from another system, or who put a field in the wrong place, and what says the same here. */

const CODE =
  'audience: granted, for members with a grant of the benefit, which `members grant` gives; a code as such is not known here';
const POLICY = 'in the programme, beside its `benefits`';

/** Fields that no benefit has, or not one of every kind, and where the same is said. */
const FOREIGN_FIELDS: ReadonlyMap<string, string> = new Map([
  ...['couponCode', 'couponCodes', 'coupon', 'code', 'promoCode', 'voucherCode'].map((name) => [name, CODE] as const),
  ...['existingLineDiscounts', 'existingOrderDiscounts', 'existingDiscountScope'].map(
    (name) => [name, POLICY] as const,
  ),
  ['excludeDiscounted', 'in a selector, appliesTo: { excludeDiscounted: true }'],
  ['complete', 'in `get` of buy_x_get_y, get: { quantity: 3, complete: true }'],
  ['percent', 'in kinds such as line_percent and order_percent, and in `get` of buy_x_get_y'],
  ['take', 'in a group of the programme that the benefit names, groups: { offers: { atMost: 1, take: priority } }'],
]);

/** What a field that a benefit does not have may have meant. */
export function foreignField(name: string): string | undefined {
  return FOREIGN_FIELDS.get(name);
}

/** What a wrong value of a field may have meant. `path` leads to the field. */
export function meantBy(path: string, found: unknown): string | undefined {
  const field = path.slice(path.lastIndexOf('.') + 1);
  if (field === 'hours' && Array.isArray(found)) {
    return 'several hours are a list of windows: when: [{ hours: "10:00-12:00" }, { hours: "14:00-16:00" }]';
  }
  if (field === 'limit' && typeof found === 'number') {
    return `its fields say what it counts and how long: { quantity: ${found}, period: day, counts: baskets }`;
  }
  if ((field === 'from' || field === 'to') && typeof found === 'string' && /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(found)) {
    return "without an offset: it is the time of the venue's clock";
  }
  return undefined;
}

/** Kinds that others have, and the one that does the same here. */
export function kindMeant(kind: unknown, benefit: object): string | undefined {
  const isPercentage = 'percent' in benefit;
  switch (kind) {
    case 'order_discount':
    case 'cart_discount':
    case 'basket_discount':
      return isPercentage ? 'order_percent' : 'order_amount';
    case 'line_discount':
    case 'item_discount':
    case 'product_discount':
      return isPercentage ? 'line_percent' : 'line_amount';
    case 'free_gift':
    case 'gift':
      return 'free_product';
    case 'bogo':
    case 'buy_one_get_one':
      return 'buy_x_get_y';
    default:
      return undefined;
  }
}
