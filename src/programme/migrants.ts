/** What people write who come from another system, and what says the same here. */

/** Fields of others, and where the same is said here. */
const FOREIGN_FIELDS: ReadonlyMap<string, string> = new Map(
  ['couponCode', 'couponCodes', 'coupon', 'code', 'promoCode', 'voucherCode'].map((name) => [
    name,
    'audience: granted, for members with a grant of the benefit, which `members grant` gives; a code as such is not known here',
  ]),
);

/** What a field that is not known here may have meant. */
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
