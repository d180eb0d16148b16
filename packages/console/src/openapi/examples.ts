import type { BasketLine, BasketRequest, Totals } from '@loyalty/contract/basket-request';
import type { BasketLineOut, BasketResponse } from '@loyalty/contract/basket-response';
import type { SaleEvent, SaleResult } from '@loyalty/contract/sale';

/**
 * Worked examples: requests of a till at the staging venue, and staging's answers. A test sends each request, in this
 * order, to a service with the staging configuration, and compares the answer field by field.
 */
export interface Example<Request = unknown, Answer = unknown> {
  readonly summary: string;
  readonly request: Request;
  readonly answer: Answer;
}

const COFFEE = line(
  '1',
  { productId: '4711', productGroupId: 'coffee', name: 'Filter coffee', quantity: 2 },
  3900,
  7800,
);
const BUN = line('2', { productId: '4712', productGroupId: 'pastry', name: 'Cinnamon bun', quantity: 1 }, 4500, 4500);
const DEPOSIT = {
  ...line('3', { productId: '9000', name: 'Bottle deposit', quantity: 1 }, 300, 300),
  noDiscount: true,
};
const SALAD = line('1', { productId: '5100', name: 'Salad by weight', quantity: 0.345 }, 19_900, 6866);
const OAT_MILK = line('2', { productId: '5200', name: 'Oat milk', quantity: 1, parentLineId: '3' }, 500, 500);
const LATTE = line('3', { productId: '5201', name: 'Caffè latte', quantity: 1 }, 5200, 5200);

const TWENTY_PERCENT_TEXT = 'Test member 20 %';

export const BASKET_EXAMPLES = {
  twentyPercent: {
    summary: 'The test member gets 20 % on every line that may be discounted',
    request: request('0b6f8a52-9d0e-4c57-8f0a-3a1f5f2c7d01', 'test-member-20', [COFFEE, BUN, DEPOSIT], totals(12_600)),
    answer: {
      calculationId: '0b6f8a52-9d0e-4c57-8f0a-3a1f5f2c7d01',
      status: 'applied',
      memberLabel: 'Coffee Club',
      lines: [twentyPercent(COFFEE, 1560), twentyPercent(BUN, 900), untouched(DEPOSIT)],
      orderDiscounts: [],
      totals: { ...totals(12_600), loyaltyDiscountTotal: 2460, total: 10_140 },
    },
  },
  staffDiscounts: {
    summary: 'Weighed goods, an option line, a staff discount on a line and one on the order',
    request: {
      ...request(
        '5c1d3d0e-6d0a-4a54-b1f6-0c9be2a4f302',
        'test-member-20',
        [
          { ...SALAD, ...shared(500), orderLinePrice: 6366 },
          OAT_MILK,
          { ...LATTE, ...staffPrice(300), ...shared(400), orderLinePrice: 4500 },
        ],
        { ...totals(12_566), existingDiscountTotal: 300, orderDiscountTotal: 900, total: 11_366 },
      ),
      orderDiscounts: [{ orderDiscountId: 'staff-1', type: 'amount', amount: 900, text: 'Sorry for the wait' }],
    },
    answer: {
      calculationId: '5c1d3d0e-6d0a-4a54-b1f6-0c9be2a4f302',
      status: 'applied',
      memberLabel: 'Coffee Club',
      lines: [
        // round_half_up(6866 × 20 / 100) = round_half_up(1373.2).
        { ...twentyPercent({ ...SALAD, ...shared(500) }, 1373), orderLinePrice: 4993 },
        twentyPercent(OAT_MILK, 100),
        // 1040 is more than the staff discount of 300, which is therefore removed.
        { ...twentyPercent({ ...LATTE, ...shared(400) }, 1040), orderLinePrice: 3760 },
      ],
      orderDiscounts: [{ orderDiscountId: 'staff-1', type: 'amount', amount: 900, text: 'Sorry for the wait' }],
      totals: { ...totals(12_566), orderDiscountTotal: 900, loyaltyDiscountTotal: 2513, total: 9153 },
    },
  },
  noBenefit: {
    summary: 'A member without benefits',
    request: request('a3f0c7b4-4f7e-4b58-9f39-6f5ad0f1c203', 'test-member-none', [COFFEE], totals(7800)),
    answer: {
      calculationId: 'a3f0c7b4-4f7e-4b58-9f39-6f5ad0f1c203',
      status: 'unchanged',
      reason: 'no_applicable_benefits',
      memberLabel: 'Coffee Club',
    },
  },
  unknownMember: {
    summary: 'A loyalty ID that nobody has; the basket supersedes an earlier calculation',
    request: {
      ...request('e1b8f5d6-2c3a-4a0e-8b7d-9c0f1e2d3a04', 'test-member-unknown', [BUN], totals(4500)),
      supersedesCalculationId: 'a3f0c7b4-4f7e-4b58-9f39-6f5ad0f1c203',
    },
    answer: { calculationId: 'e1b8f5d6-2c3a-4a0e-8b7d-9c0f1e2d3a04', status: 'member_not_found' },
  },
} as const satisfies Readonly<Record<string, Example<BasketRequest, BasketResponse>>>;

const FINALISED: SaleEvent = {
  calculationId: BASKET_EXAMPLES.twentyPercent.request.calculationId,
  status: 'applied',
  transactionId: 'receipt-20261121-0001',
};

export const SALE_EXAMPLES = {
  finalised: {
    summary: 'The sale with the answered basket is final',
    request: FINALISED,
    answer: { result: 'recorded' },
  },
  repeated: {
    summary: 'The same event again, because the first answer was lost',
    request: FINALISED,
    answer: { result: 'duplicate' },
  },
  abandoned: {
    summary: 'The guest left without paying',
    request: { calculationId: BASKET_EXAMPLES.staffDiscounts.request.calculationId, status: 'cancelled' },
    answer: { result: 'recorded' },
  },
  failed: {
    summary: 'The basket call never reached the service; the sale went through without loyalty',
    request: {
      calculationId: '7d9e0f1a-3b2c-4d5e-8f60-718293a4b505',
      status: 'failed',
      transactionId: 'receipt-20261121-0002',
      failureReason: 'timeout',
    },
    answer: { result: 'unknown_calculation' },
  },
} as const satisfies Readonly<Record<string, Example<SaleEvent, { readonly result: SaleResult }>>>;

type Product = Pick<BasketLine, 'productId' | 'name' | 'quantity'> & Partial<BasketLine>;

function line(lineId: string, product: Product, unitPrice: number, price: number): BasketLine {
  return {
    lineId,
    ...product,
    unitPrice,
    originalLinePrice: price,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: 'none',
    existingLineDiscountAmount: 0,
    orderDiscountAllocation: [],
    orderLinePrice: price,
  };
}

function staffPrice(amount: number): Partial<BasketLine> {
  return { existingLineDiscountType: 'amount', existingLineDiscountAmount: amount, existingLineDiscountText: 'Staff' };
}

function shared(amount: number): Pick<BasketLine, 'orderDiscountAllocation'> {
  return { orderDiscountAllocation: [{ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: amount }] };
}

function totals(total: number): Totals {
  return { originalTotal: total, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0, total };
}

function request(calculationId: string, loyaltyId: string, lines: BasketLine[], sums: Totals): BasketRequest {
  return {
    calculationId,
    loyaltyId,
    currency: 'NOK',
    requestedAt: '2026-11-21T12:00:00+01:00',
    context: { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' },
    lines,
    orderDiscounts: [],
    totals: sums,
  };
}

function twentyPercent(before: BasketLine, lineDiscountAmount: number): BasketLineOut {
  return {
    ...before,
    lineDiscountType: 'percent',
    lineDiscountPercent: 20,
    lineDiscountAmount,
    lineDiscountText: TWENTY_PERCENT_TEXT,
    showLineDiscountText: true,
    lineDiscountCode: 'loyalty',
    orderLinePrice: before.originalLinePrice - lineDiscountAmount,
  };
}

function untouched(before: BasketLine): BasketLineOut {
  return { ...before, lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false };
}
