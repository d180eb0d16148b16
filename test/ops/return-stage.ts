import { randomUUID } from 'node:crypto';
import type { basketOf, LineWords } from '../support/baskets.ts';
import { configurationOf, memberOf, type Programme, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import type { AppliedBody, ContextBody } from '../support/wire.ts';
import { type AdminReply, OPS_TOKEN } from './admin-client.ts';
import { deskOf } from './desk.ts';

export const POS_TOKEN = 'token-of-the-tills-in-oslo';
export const BERGEN: ContextBody = {
  venueId: 'bergen-quay',
  cashRegisterId: 'till-7',
  baxId: '600200',
  channel: 'pos',
};

const THREE_FOR_TWO = {
  benefitId: 'three-for-two',
  kind: 'buy_x_get_y',
  buy: { appliesTo: { productGroupIds: ['soap'] }, quantity: 2 },
  get: { appliesTo: { productGroupIds: ['soap'] }, quantity: 1, percent: 100 },
};
const KINDS = [
  { ...THREE_FOR_TWO, spread: true },
  { benefitId: 'bun-gift', kind: 'free_product', productId: '4711', appliesTo: { productGroupIds: ['meal'] } },
  { ...SINGLE_USE, audience: 'everyone', appliesTo: { productGroupIds: ['welcome'] } },
  { ...TWENTY, benefitId: 'card', appliesTo: { productGroupIds: ['card'] } },
  { benefitId: 'order-10', kind: 'order_percent', percent: 10, minimumSpend: 50_000 },
];
const REPRICED = [
  THREE_FOR_TWO,
  KINDS[4]!,
  {
    benefitId: 'cake-gift',
    kind: 'free_product',
    productId: '4712',
    appliesTo: { productGroupIds: ['meal'] },
    minimumSpend: 10_000,
  },
  ...[
    { from: 0, below: 50, percent: 20 },
    { from: 50, below: 100, percent: 50 },
  ].map(({ percent, ...share }) => ({
    ...{ benefitId: `tea-${percent}`, kind: 'line_percent', percent, appliesTo: { productGroupIds: ['tea'] } },
    when: { share: { ...share, salt: 'spring' } },
  })),
];

/** Enough to have some in each half of the members. */
export const GUESTS = ['guest', 'anna', 'berit', 'carl', 'dina', 'erik'];

const base = configurationOf({
  programme: { benefits: KINDS as unknown as Programme['benefits'], weighed: { productGroupIds: ['fruit'] } },
});
const [oslo, bergen] = base.venues;
const cake = { productId: '4712', name: 'Cake', unitPrice: 4_500, noDiscount: false, noPercentageDiscount: false };
const [club] = base.programmes;
const configuration = {
  ...base,
  testMembers: ['tester'],
  venues: [oslo!, { ...bergen!, programmeId: 'fair-club', products: [cake] }],
  programmes: [
    club!,
    { ...club!, programmeId: 'fair-club', returns: 'repriced', benefits: REPRICED as unknown as Programme['benefits'] },
  ],
  members: [
    ...['guest', 'first', 'second', 'third', 'racer', 'tester'].map((loyaltyId) => memberOf(loyaltyId)),
    memberOf('holder', [{ benefitId: 'card', grantId: 'card-7', quantity: 1 }] as unknown as string[]),
    ...GUESTS.map((loyaltyId) => ({ ...memberOf(loyaltyId), programmeId: 'fair-club' })),
  ],
};

export interface ReturnBody {
  readonly refund: number;
  readonly lines: { lineId: string; quantity: number; refund: number }[];
  readonly policy: string;
  readonly kept: { benefitId: string; saved: number }[];
  readonly lost: { benefitId: string; saved: number }[];
  readonly explanation: string[];
}
export type Line = { lineId: string; quantity: number };

/** A shop whose tills sell and take goods back. The test file that calls this has the service. */
export function useReturns() {
  const stage = useService({ configuration, env: { OPS_TOKEN: `${OPS_TOKEN},oslo:pos:${POS_TOKEN}` } });

  const desk = deskOf(stage);

  async function sell(lines: LineWords[], more: Parameters<typeof basketOf>[1] = {}, status = 'applied') {
    const transactionId = `receipt-${randomUUID().slice(0, 8)}`;
    const event = { lines, status, ...(status !== 'cancelled' && { transactionId }) };
    const { calculationId, reply } = await desk.sell('guest', more, event);
    return { calculationId, transactionId, answered: reply.json<AppliedBody>() };
  }

  /** By default a unit of the first line. */
  const ONE: Line[] = [{ lineId: 'line-1', quantity: 1 }];

  function quote<T = ReturnBody>(sale: object, lines = ONE, token = POS_TOKEN): Promise<AdminReply<T>> {
    return desk.call<T>('POST /admin/returns/quote', { ...sale, lines }, { token });
  }

  function book<T = ReturnBody>(calculationId: string, returnId: string, lines = ONE): Promise<AdminReply<T>> {
    return desk.call<T>('POST /admin/returns', { calculationId, returnId, lines }, { token: POS_TOKEN });
  }

  return { ...desk, stage, sell, quote, book };
}
