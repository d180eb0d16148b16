/**
 * The bodies of the interface as the tests see them, written out by hand (interface, section 2). They stand apart from
 * the service's own schemas, so that a mistake in one cannot hide a mistake in the other.
 */

export type DiscountType = 'none' | 'amount' | 'percent';

export interface AllocationBody {
  orderDiscountId: string;
  orderDiscountAllocationAmount: number;
}

export interface LineBody {
  lineId: string;
  productId: string;
  productMasterId?: string;
  productGroupId?: string;
  ean?: string;
  name: string;
  quantity: number;
  unitPrice: number;
  originalLinePrice: number;
  parentLineId?: string;
  noDiscount: boolean;
  noPercentageDiscount: boolean;
  existingLineDiscountType: DiscountType;
  existingLineDiscountAmount: number;
  existingLineDiscountPercent?: number;
  existingLineDiscountText?: string;
  existingLineDiscountCampaignId?: string;
  orderDiscountAllocation: AllocationBody[];
  orderLinePrice: number;
}

export interface OrderDiscountBody {
  orderDiscountId: string;
  type: 'amount' | 'percent';
  amount: number;
  percent?: number;
  text?: string;
  campaignId?: string;
  discountCode?: string;
}

export interface TotalsBody {
  originalTotal: number;
  existingDiscountTotal: number;
  orderDiscountTotal: number;
  loyaltyDiscountTotal: number;
  total: number;
}

export interface ContextBody {
  venueId: string;
  cashRegisterId: string;
  baxId: string;
  terminalId?: string;
  clerkNumber?: number;
  channel: 'pos' | 'mpos';
}

export interface BasketBody {
  calculationId: string;
  supersedesCalculationId?: string;
  loyaltyId: string;
  currency: string;
  requestedAt: string;
  context: ContextBody;
  lines: LineBody[];
  orderDiscounts: OrderDiscountBody[];
  totals: TotalsBody;
}

export interface LineOutBody extends LineBody {
  lineDiscountType: DiscountType;
  lineDiscountPercent?: number;
  lineDiscountAmount: number;
  lineDiscountText?: string;
  showLineDiscountText: boolean;
  lineDiscountCode?: string;
  overrideUnitPrice?: number;
  addedByLoyalty?: boolean;
  splitFromLineId?: string;
}

export interface AppliedBody {
  calculationId: string;
  status: 'applied';
  memberLabel?: string;
  receiptFooterText?: string;
  lines: LineOutBody[];
  orderDiscounts: OrderDiscountBody[];
  totals: TotalsBody;
}

export interface UnchangedBody {
  calculationId: string;
  status: 'unchanged';
  reason: string;
  memberLabel?: string;
}

export interface MemberNotFoundBody {
  calculationId: string;
  status: 'member_not_found';
}

export type BasketAnswerBody = AppliedBody | UnchangedBody | MemberNotFoundBody;

export interface SaleBody {
  calculationId: string;
  status: string;
  transactionId?: string;
  failureReason?: string;
}
