import { EVENT_VERSION, type EventOf, type EventResult } from './events.ts';

/** An example of the events of each `result`. Test cards and made-up shops, as in the other examples. */

const CALCULATION = '0190b5a4-7f1e-7cc1-9f00-1c3b2a4d5e6f';
const MEMBER = 'mP0c1v8rZ3kQ7x_Yd2Bn5T';
const AT = '2026-11-21T12:35:21.407Z';

const calculation = { version: EVENT_VERSION, calculationId: CALCULATION, at: AT } as const;

const dimensions = {
  member: MEMBER,
  requestedAt: '2026-11-21T12:34:56.000Z',
  answeredAt: '2026-11-21T12:34:56.118Z',
  configuration: 'ff52b8ef62e0',
  programmeId: 'coffee-club',
  venueId: 'oslo-central',
  baxId: '500123',
  cashRegisterId: 'till-1',
  channel: 'pos',
  tier: 'gold',
  share: 'autumn 0-50',
  currency: 'NOK',
  answered: 'applied',
} as const;

const amounts = {
  lines: [
    {
      lineId: 'line-1',
      productId: '4711',
      productGroupId: 'coffee',
      quantity: 2,
      originalLinePrice: 8_000,
      existingLineDiscountAmount: 0,
      discounts: [{ benefitId: 'coffee-half', amount: 4_000 }],
      paid: 4_000,
    },
    {
      lineId: 'line-2',
      productId: '0815',
      quantity: 1,
      originalLinePrice: 5_000,
      existingLineDiscountAmount: 500,
      discounts: [],
      paid: 4_500,
    },
  ],
  benefits: [{ benefitId: 'coffee-half', units: 2, saved: 4_000, fundedBy: 'Bean & Co' }],
  uses: [{ counter: 'coffee-half:2026-11-21', units: 1, limit: 1 }],
  total: 8_500,
};

const grant = { version: EVENT_VERSION, at: AT, member: MEMBER, programmeId: 'coffee-club' } as const;
const voucher = { benefitId: 'free-cake', grantId: 'birthday-2026', quantity: 1, from: '2026-11-01', to: '2026-11-30' };

export const EVENT_EXAMPLES: { readonly [Result in EventResult]: EventOf<Result> } = {
  recorded: {
    ...calculation,
    result: 'recorded',
    status: 'applied',
    transactionId: 'R-20871',
    ...dimensions,
    late: false,
    overRedeemed: 0,
    ...amounts,
  },
  resolved: {
    ...calculation,
    result: 'resolved',
    outcome: 'second',
    before: 'cancelled',
    status: 'applied',
    ...dimensions,
    transactionId: 'R-20871',
    late: false,
    overRedeemed: 0,
    ...amounts,
  },
  returned: {
    ...calculation,
    result: 'returned',
    returnId: 'return-77',
    refund: 2_000,
    status: 'applied',
    ...dimensions,
    transactionId: 'R-20871',
    lines: [{ lineId: 'line-1', quantity: 1, refund: 2_000 }],
    lost: [{ benefitId: 'coffee-half', saved: 2_000 }],
    givenBack: [],
    returnedAt: { venueId: 'oslo-central', cashRegisterId: 'till-2', clerkNumber: 14 },
  },
  expired: { ...calculation, result: 'expired', ...dimensions, ...amounts },
  conflict: {
    ...calculation,
    result: 'conflict',
    status: 'cancelled',
    ...dimensions,
    recorded: { status: 'applied', transactionId: 'R-20871' },
  },
  unknown_calculation: {
    ...calculation,
    result: 'unknown_calculation',
    status: 'failed',
    transactionId: 'R-20872',
    failureReason: 'timeout',
  },
  merged: { ...grant, result: 'merged', into: 'x4Jq9mWb1Hs6TzLk0eRv_A' },
  erased: { version: EVENT_VERSION, at: AT, result: 'erased', member: MEMBER },
  granted: { ...grant, result: 'granted', ...voucher },
  revoked: { ...grant, result: 'revoked', ...voucher, used: 0 },
  grant_ended: { ...grant, result: 'grant_ended', ...voucher, used: 1 },
};
