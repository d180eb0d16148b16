import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { basketOf, type LineWords, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, type Programme, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { readToldEvents } from '../support/told-events.ts';
import type { AppliedBody, ContextBody } from '../support/wire.ts';
import { type AdminReply, ask, OPS_TOKEN } from './admin-client.ts';

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

  async function sell(lines: LineWords[], more: Parameters<typeof basketOf>[1] = {}, status = 'applied') {
    const basket = basketOf(lines, { loyaltyId: 'guest', ...more });
    const { calculationId } = basket;
    const answered = (await stage.caller.basket(basket)).json<AppliedBody>();
    const transactionId = `receipt-${randomUUID().slice(0, 8)}`;
    const sold = await stage.caller.sale(
      saleOf(calculationId, status, status === 'cancelled' ? {} : { transactionId }),
    );
    expect(sold.status).toBe(200);
    return { calculationId, transactionId, answered };
  }

  function quote<T = ReturnBody>(sale: object, lines: Line[], token = POS_TOKEN): Promise<AdminReply<T>> {
    return ask<T>(stage.service.opsUrl, 'POST /admin/returns/quote', { body: { ...sale, lines }, token });
  }

  function book<T = ReturnBody>(calculationId: string, returnId: string, lines: Line[]): Promise<AdminReply<T>> {
    return ask<T>(stage.service.opsUrl, 'POST /admin/returns', {
      body: { calculationId, returnId, lines },
      token: POS_TOKEN,
    });
  }

  const eventsOf = (calculationId: string) => readToldEvents(stage.redis.client, calculationId);

  return { stage, sell, quote, book, eventsOf };
}
