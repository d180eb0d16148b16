import type { BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import type { BenefitDefinition, ProgrammeDefinition } from '@loyalty/engine/definition';
import type { Member, Product } from '@loyalty/engine/types';
import { buildBasket, buildLine } from '../../../packages/engine/test/support/basket.ts';
import { spellUnusually } from './spelling.ts';

/** One basket for everything that an answer can contain: each is a golden vector of a stored form. */
export interface StoredCase {
  readonly about: string;
  readonly request: string;
  readonly benefits: readonly BenefitDefinition[];
  readonly policies?: Partial<ProgrammeDefinition>;
  readonly products?: readonly Product[];
  /** `nobody`: the programme does not know the loyalty ID. */
  readonly member?: Partial<Member> | 'nobody';
}

const LONE_SURROGATE = 'Half a \ud83d';

const PERCENT: BenefitDefinition = { benefitId: 'percent', kind: 'line_percent', percent: 12.5, text: 'Medlem 12,5 %' };
const GIFT: BenefitDefinition = { benefitId: 'gift', kind: 'free_product', productId: 'bun', quantity: 2, text: 'Bun' };
const BUN: Product = {
  productId: 'bun',
  productMasterId: 'm',
  productGroupId: 'pastry',
  ean: '123',
  name: 'Søt bolle',
  unitPrice: 2500,
  noDiscount: false,
  noPercentageDiscount: true,
};
const perItem = { quantity: 1, period: 'lifetime', counts: 'items' } as const;

const everyField = buildLine({
  lineId: 'line "1"',
  productId: 'p1',
  productMasterId: '',
  productGroupId: 'g',
  ean: '7038010000000',
  name: 'Blåbær, løs vekt 🫐',
  quantity: 0.345,
  unitPrice: 1999,
  existingLineDiscountAmount: 69,
  existingLineDiscountPercent: 10,
  existingLineDiscountType: 'percent',
  existingLineDiscountText: 'Staff',
  existingLineDiscountCampaignId: 'c-1',
});
const child = buildLine({ lineId: '2', parentLineId: 'line "1"', name: LONE_SURROGATE, quantity: 3 });
const closed = buildLine({ lineId: '3', noDiscount: true, noPercentageDiscount: true });
const staffed = buildLine({
  lineId: '4',
  quantity: 5,
  unitPrice: 333,
  existingLineDiscountAmount: 7,
  orderDiscountAllocation: [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 101 }],
});
const staff: OrderDiscount = {
  orderDiscountId: 'staff',
  amount: 101,
  percent: 6.05,
  text: 'Offer',
  campaignId: 'c',
  discountCode: 'd',
  type: 'percent',
};
const shop = buildBasket([everyField, child, closed, staffed], { orderDiscounts: [staff] });
const plain = buildBasket([buildLine({ lineId: '1' }), buildLine({ lineId: '2', quantity: 6, unitPrice: 1234 })]);
const text = (basket: BasketRequest) => JSON.stringify(basket);
const order = (benefitId: string, more: object): BenefitDefinition =>
  ({ benefitId, kind: 'order_percent', percent: 5, text: 'x'.repeat(40), ...more }) as BenefitDefinition;

export const STORED_CASES: readonly StoredCase[] = [
  { about: 'a percentage, every field of a line', request: text(shop), benefits: [PERCENT] },
  {
    about: 'a percentage beside existing discounts that stay',
    request: text(shop),
    benefits: [PERCENT],
    policies: { existingLineDiscounts: 'stack', memberLabel: 'Klubb Ø', discountCode: 'lojalitet' },
  },
  {
    about: 'an amount without a text, one that a cap cuts, a unit price',
    request: text(plain),
    benefits: [
      { benefitId: 'amount', kind: 'line_amount', amount: 150, per: 'line' },
      { benefitId: 'price', kind: 'unit_price', unitPrice: 1000, text: 'Ten' },
      { ...PERCENT, maximumDiscount: 20 },
    ],
  },
  {
    about: 'lines cut into parts with their shares of existing discounts and allocations',
    request: text(shop),
    policies: { existingLineDiscounts: 'stack' },
    benefits: [PERCENT, { ...PERCENT, benefitId: 'once', percent: 90, limit: perItem }],
  },
  {
    about: 'sets, some units given',
    request: text(plain),
    benefits: [
      {
        benefitId: 'sets',
        kind: 'buy_x_get_y',
        pick: 'cheapest',
        buy: { quantity: 2 },
        get: { quantity: 1, percent: 50 },
      },
    ],
  },
  {
    about: 'a bundle with a unit so cheap that its share is 0',
    request: text(buildBasket([buildLine({ lineId: 'a', unitPrice: 1 }), buildLine({ lineId: 'b', unitPrice: 9000 })])),
    benefits: [
      {
        benefitId: 'bundle',
        kind: 'bundle_price',
        items: [{ appliesTo: { productIds: ['p1'] }, quantity: 2 }],
        bundlePrice: 8900,
      },
    ],
  },
  {
    about: 'a product added, whose ID is taken, and a cut line whose ID is taken',
    request: text(
      buildBasket([
        buildLine({ lineId: 'added-1' }),
        buildLine({ lineId: 'split-3-2' }),
        buildLine({ lineId: 'x', quantity: 4 }),
      ]),
    ),
    benefits: [GIFT, { ...PERCENT, appliesTo: { productIds: ['p1'] }, limit: { ...perItem, quantity: 3 } }],
    products: [BUN],
  },
  {
    about: 'order discounts: a percentage, one that a cap cuts, an amount, and a footer that is cut',
    request: text({ ...shop, orderDiscounts: [{ ...staff, orderDiscountId: 'loyalty-o1' }], lines: renamed() }),
    benefits: [order('o1', {}), order('o2', { maximumDiscount: 9 }), order('o3', {}), order('o4', {}), order('o5', {})],
  },
  {
    about: 'a staff order discount that gives way',
    request: text(shop),
    benefits: [order('all', { percent: 50 }), { benefitId: 'less', kind: 'order_amount', amount: 5 }],
    policies: { existingOrderDiscounts: 'replace_if_larger' },
  },
  {
    about: 'texts with a lone surrogate',
    request: text(shop),
    benefits: [{ ...PERCENT, text: LONE_SURROGATE }, order('order', { text: LONE_SURROGATE })],
    member: { memberLabel: LONE_SURROGATE },
  },
  {
    about: 'a body that spells everything unusually',
    request: spellUnusually(shop),
    benefits: [PERCENT, order('order', { text: 'For "you"' })],
    member: { memberLabel: 'A \u0000 label' },
  },
  {
    about: 'the largest money',
    request: text(buildBasket([buildLine({ lineId: '1', unitPrice: Number.MAX_SAFE_INTEGER })])),
    benefits: [PERCENT],
  },
  { about: 'unchanged', request: text(shop), benefits: [], policies: { memberLabel: 'Club' } },
  { about: 'unchanged, an inactive member', request: text(shop), benefits: [], member: { status: 'paused' } },
  { about: 'member not found', request: text(shop), benefits: [PERCENT], member: 'nobody' },
];

/** Too large to be rendered again. */
export const LARGE_CASES: readonly StoredCase[] = [
  {
    about: 'a request over 16 KB',
    request: text(buildBasket(Array.from({ length: 17 }, (_, at) => large(at)))),
    benefits: [PERCENT],
  },
];

/** Its name alone is nearly a kilobyte. */
function large(at: number) {
  return buildLine({ lineId: `${at}`, name: `${at}ø`.repeat(300).slice(0, 900) });
}

/** The lines of the shop with another ID for the staff's discount: the one that the service would give its own. */
function renamed() {
  return shop.lines.map((line) => ({
    ...line,
    orderDiscountAllocation: line.orderDiscountAllocation.map((share) => ({ ...share, orderDiscountId: 'loyalty-o1' })),
  }));
}
