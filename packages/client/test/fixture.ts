/** Shared by the client's tests: a double, a client before it, and a basket that every misbehaviour can spoil. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import {
  type CallRecord,
  type ClientOptions,
  LoyaltyClient,
  memoryStore,
  type SaleEnding,
} from 'loyalty-basket-client';
import { afterAll, beforeAll } from 'vitest';
import { basketOf } from '../../../test/support/baskets.ts';
import { until } from '../../../test/support/wait.ts';
import { type Misbehaviour, TIMEOUT } from '../../conformance/src/double/misbehaviour.ts';
import { ServiceDouble } from '../../conformance/src/double/service-double.ts';
import { GIFT } from '../../conformance/src/double/spoil.ts';

export const SECRET = randomBytes(32);

/** The interface's hard cap: no till is held longer. */
export const CAP_MS = 3_000;
export const ATTEMPT_MS = 500;
/**
 * Limits of a client whose test is not about time: a machine that stands still for a second must not turn an answer into a
 * timeout. A hang is one all the same.
 */
export const PATIENT_LIMITS = { attemptTimeoutMs: 20_000, hardCapMs: 60_000 };
/** How late a timer and a promise may be by a clock that stands still with the machine: one attempt more would be later. */
export const SLACK_MS = 300;

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
    limits: PATIENT_LIMITS,
    ...options,
  });
}

/** True where the right outcome is the client's own limit: such a call is played with the limits of a till. */
export function endsByTime({ endpoint, right }: Misbehaviour): boolean {
  return endpoint === 'basket' && right.some((outcome) => isDeepStrictEqual(outcome, TIMEOUT));
}

const TICK_MS = 10;

/**
 * Waits for a call and measures, in milliseconds, how long this process has seen it take. However long the machine stands
 * still meanwhile, its timers stand still as well, and that counts as one tick.
 */
export async function timed<T>(call: Promise<T>): Promise<{ result: T; waitedMs: number }> {
  let waitedMs = 0;
  const ticks = setInterval(() => {
    waitedMs += TICK_MS;
  }, TICK_MS);
  try {
    return { result: await call, waitedMs };
  } finally {
    clearInterval(ticks);
  }
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
