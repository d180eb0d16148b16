/**
 * A vendor's backend, in a project of its own: `till <orders file>`. It plays each misbehaviour of the double, and prints
 * what it came to as JSON. One source, run as TypeScript on the newest Node and, without its types, as CommonJS on the oldest.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BasketRequest,
  type CallRecord,
  type ClientOptions,
  LoyaltyClient,
  type LoyaltyOutcome,
  memoryStore,
  type SaleEnding,
  type SaleEvent,
  saleEventOf,
} from 'loyalty-basket-client';

interface Guest {
  /** A misbehaviour to arm before the call. */
  readonly armed: string | null;
  /** The call ends by the client's limits; any other has all the time that a busy machine takes. */
  readonly endsByTime: boolean;
}

interface Orders {
  readonly baseUrl: string;
  readonly secret: string;
  readonly outbox: string;
  readonly basket: BasketRequest;
  readonly gift: { readonly productId: string; readonly unitPrice: number };
  readonly guests: Readonly<Record<string, Guest>>;
  readonly controlPath: string;
}

const TICK_MS = 10;

/** Narrows without a cast: only a failed outcome has a reason, and only an applied one has loyalty discounts. */
function standingOf(outcome: LoyaltyOutcome): { status: string; failureReason?: string; discount?: number } {
  if (outcome.status === 'failed') return { status: outcome.status, failureReason: outcome.failureReason };
  if (outcome.status !== 'applied') return { status: outcome.status };
  const discount = outcome.basket.lines.reduce((sum, line) => sum + line.lineDiscountAmount, 0);
  return { status: outcome.status, discount };
}

async function main(orders: Orders): Promise<void> {
  const endings = new Map<string, string>();
  const attempts = new Map<string, number>();
  const shared = {
    baseUrl: orders.baseUrl,
    secret: orders.secret,
    saleBackoff: { firstDelayMs: 100, longestDelayMs: 400 },
    priceList: (_venueId: string, productId: string) => (productId === orders.gift.productId ? orders.gift : undefined),
    onCall: ({ calculationId, requestIds }: CallRecord) => attempts.set(calculationId, requestIds.length),
    onSaleEnding: (ending: SaleEnding) =>
      endings.set(ending.event.calculationId, ending.outcome === 'settled' ? ending.result : ending.outcome),
  } satisfies Partial<ClientOptions>;
  // An event is sent again after its time, also where the answer has arrived at a machine that stands still.
  const limits = { attemptTimeoutMs: 20_000, hardCapMs: 60_000, saleTimeoutMs: 10_000 };
  const client = await LoyaltyClient.open({ ...shared, outbox: orders.outbox, limits });
  const hurried = await LoyaltyClient.open({ ...shared, outbox: memoryStore() });
  const basketOf = (loyaltyId: string): BasketRequest => {
    return { ...orders.basket, calculationId: crypto.randomUUID(), loyaltyId };
  };
  const results: Record<string, unknown> = {};
  const reported: [string, SaleEvent][] = [];

  const play = async ([guest, { endsByTime }]: [string, Guest]): Promise<void> => {
    const basket = basketOf(guest);
    const before = JSON.stringify(basket);
    // While the machine stands still, this clock does too.
    let waitedMs = 0;
    const ticks = setInterval(() => {
      waitedMs += TICK_MS;
    }, TICK_MS);
    const outcome = await (endsByTime ? hurried : client).calculateBasket(basket);
    clearInterval(ticks);
    const event = saleEventOf(outcome, `receipt-${guest}`.slice(0, 64));
    const receipt = await client.reportSale(event);
    reported.push([guest, event]);
    results[guest] = {
      calculationId: basket.calculationId,
      ...standingOf(outcome),
      receipt,
      waitedMs,
      attempts: attempts.get(basket.calculationId),
      isOwnBasket: (outcome.basket as unknown) === basket,
      isUntouched: JSON.stringify(basket) === before,
    };
  };
  // What is armed meets the next call, so these come one after the other; a refused port comes back by itself.
  const guests = Object.entries(orders.guests);
  for (const [guest, row] of guests) {
    if (row.armed === null) continue;
    await fetch(orders.baseUrl + orders.controlPath, { method: 'POST', body: row.armed });
    await play([guest, row]);
    await pause(20);
    while (!(await isUp(orders.baseUrl + orders.controlPath))) await pause(20);
  }
  await Promise.all(guests.filter(([, { armed }]) => armed === null).map(play));

  const isOpen = ([, { calculationId }]: [string, SaleEvent]) => !endings.has(calculationId);
  while (client.pendingSales > 0 || reported.some(isOpen)) await pause(20);
  for (const [guest, { calculationId }] of reported)
    Object.assign(results[guest]!, { ending: endings.get(calculationId) });
  await Promise.all([client.close(), hurried.close()]);
  // The next process finds all of it in the file, answered.
  const next = await LoyaltyClient.open({ ...shared, outbox: orders.outbox });
  const repeated = await Promise.all(reported.map(([, event]) => next.reportSale(event)));
  results['found'] = [
    ...new Set(repeated.map(({ outcome, isDurable }) => `${outcome} ${isDurable}`)),
    next.pendingSales,
  ];
  await next.close();

  const calls = { tls: orders.baseUrl.replace('http:', 'https:'), nowhere: 'http://127.0.0.1:1' };
  for (const [name, baseUrl] of Object.entries(calls)) {
    const away = await LoyaltyClient.open({ ...shared, baseUrl, outbox: memoryStore(), limits });
    const outcome = await away.calculateBasket(basketOf('member'));
    results[name] = { ...standingOf(outcome), attempts: attempts.get(outcome.calculationId) };
    await away.close();
  }
  console.log(JSON.stringify(results));
}

function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

void main(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Orders);
