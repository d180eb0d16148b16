/** Shared by the client's tests: a double, a client before it, and a basket that every misbehaviour can spoil. */
import { randomBytes } from 'node:crypto';
import {
  type CallRecord,
  type ClientOptions,
  LoyaltyClient,
  memoryStore,
  type SaleEnding,
} from 'loyalty-basket-client';
import { afterAll, beforeAll } from 'vitest';
import type { BasketRequest } from '../../../src/contract/basket-request.ts';
import { basketOf } from '../../../test/support/baskets.ts';
import { until } from '../../../test/support/wait.ts';
import { ServiceDouble } from '../../conformance/src/double/service-double.ts';
import { GIFT } from '../../conformance/src/double/spoiled-baskets.ts';

export const SECRET = randomBytes(32);

/** The interface's hard cap: no till is held longer. */
export const CAP_MS = 3_000;
export const ATTEMPT_MS = 500;
/** How late a timer and a promise may be on a busy machine: one attempt more would be later still. */
export const SLACK_MS = 1500;

/** The tests' events are sent again after hundredths of a second instead of half a second. */
const QUICK_BACKOFF = { firstDelayMs: 20, longestDelayMs: 200 };

export interface ClientStage {
  double: ServiceDouble;
  client: LoyaltyClient;
  readonly calls: CallRecord[];
  readonly endings: SaleEnding[];
  readonly faults: string[];
}

/** A client with quick retries of sale events and a price list that knows the double's gift. */
export async function openClient(
  baseUrl: string,
  stage: Pick<ClientStage, 'calls' | 'endings' | 'faults'>,
  options: Partial<ClientOptions> = {},
): Promise<LoyaltyClient> {
  return LoyaltyClient.open({
    baseUrl,
    secret: SECRET,
    outbox: memoryStore(),
    priceList: (_venueId, productId) => (productId === GIFT.productId ? GIFT : undefined),
    saleBackoff: QUICK_BACKOFF,
    onCall: (record) => stage.calls.push(record),
    onSaleEnding: (ending) => stage.endings.push(ending),
    onFault: (detail) => stage.faults.push(detail),
    ...options,
  });
}

/** A double and a client for all tests of a file. */
export function useDouble(options: Partial<ClientOptions> = {}): ClientStage {
  const stage = { calls: [], endings: [], faults: [] } as unknown as ClientStage;
  beforeAll(async () => {
    stage.double = await ServiceDouble.start({ secret: SECRET });
    stage.client = await openClient(stage.double.baseUrl, stage, options);
  });
  afterAll(async () => {
    await stage.client?.close();
    await stage.double?.close();
  });
  return stage;
}

/** Pieces, weight, a protected line, a line without percentages, a staff discount and a staff order discount. */
export function richBasket(loyaltyId: string, more: Partial<BasketRequest> = {}): BasketRequest {
  const lines = [
    { quantity: 4, unitPrice: 3_900, name: 'Filter coffee' },
    { quantity: 0.345, unitPrice: 19_900, name: 'Salad by weight', parentLineId: 'line-1' },
    { unitPrice: 300, noDiscount: true, name: 'Bottle deposit' },
    { unitPrice: 7_900, existing: 400, name: 'Sandwich' },
    { unitPrice: 6_000, noPercentageDiscount: true, name: 'Magazine' },
    { unitPrice: 9_900, shares: { 'staff-1': 500 }, name: 'Cake' },
  ];
  return basketOf(lines, { loyaltyId, ...(more as object) }) as BasketRequest;
}

/** The ending of a calculation's event, once it has come. */
export function endingOf(stage: Pick<ClientStage, 'endings'>, calculationId: string): Promise<SaleEnding> {
  return until(
    `the end of ${calculationId}`,
    () => stage.endings.find(({ event }) => event.calculationId === calculationId),
    15_000,
  );
}
