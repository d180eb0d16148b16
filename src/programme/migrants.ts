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

/** Names that a version before had, and what says the same now. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  [
    'includeModifiers',
    'modifiers: together of the programme, which joins a line and the lines below it for all its benefits',
  ],
]);

/** What an unknown name may have meant: in words what sort of field it is, and what to write. */
export function nameMeant(name: string, isOfBenefit: boolean): readonly [found: string, allowed: string] | undefined {
  const former = FORMER_NAMES.get(name);
  if (former !== undefined) return ['the former field', former];
  const foreign = isOfBenefit ? FOREIGN_FIELDS.get(name) : undefined;
  return foreign === undefined ? undefined : ['the unknown field', foreign];
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

/** Kinds that others have, and the one that does the same here, with a percentage and with an amount. */
const KINDS: readonly { readonly names: readonly unknown[]; readonly percent: string; readonly amount: string }[] = [
  { names: ['order_discount', 'cart_discount', 'basket_discount'], percent: 'order_percent', amount: 'order_amount' },
  { names: ['line_discount', 'item_discount', 'product_discount'], percent: 'line_percent', amount: 'line_amount' },
  { names: ['free_gift', 'gift'], percent: 'free_product', amount: 'free_product' },
  { names: ['bogo', 'buy_one_get_one'], percent: 'buy_x_get_y', amount: 'buy_x_get_y' },
];

export function kindMeant(kind: unknown, benefit: object): string | undefined {
  return KINDS.find(({ names }) => names.includes(kind))?.['percent' in benefit ? 'percent' : 'amount'];
}
