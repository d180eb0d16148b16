/**
 * A vendor's backend, in a project of its own: `till <orders file>`. It plays each misbehaviour of the double and
 * an outage, and prints what it came to as JSON. One source, run as TypeScript and, without its types, as
 * CommonJS, on the oldest and on the newest Node.
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
  const limits = { attemptTimeoutMs: 20_000, hardCapMs: 60_000, saleTimeoutMs: 3_000 };
  const client = await LoyaltyClient.open({ ...shared, outbox: orders.outbox, limits });
  const hurried = await LoyaltyClient.open({ ...shared, outbox: memoryStore() });
  const basketOf = (loyaltyId: string): BasketRequest => {
    return { ...orders.basket, calculationId: crypto.randomUUID(), loyaltyId };
  };
  const results: Record<string, unknown> = {};
  const reported: [string, SaleEvent][] = [];

  for (const [guest, { armed, endsByTime }] of Object.entries(orders.guests)) {
    if (armed !== null) await fetch(orders.baseUrl + orders.controlPath, { method: 'POST', body: armed });
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
    // The double takes a moment to end an answer that it sends in pieces.
    await pause(20);
    // A refused port comes back by itself.
    while (armed !== null && !(await isUp(orders.baseUrl + orders.controlPath))) await pause(20);
  }

  const isOpen = ([, { calculationId }]: [string, SaleEvent]) => !endings.has(calculationId);
  while (client.pendingSales > 0 || reported.some(isOpen)) await pause(20);
  for (const [guest, { calculationId }] of reported)
    Object.assign(results[guest]!, { ending: endings.get(calculationId) });
  await Promise.all([client.close(), hurried.close()]);

  const insecure = await LoyaltyClient.open({
    baseUrl: orders.baseUrl.replace('http:', 'https:'),
    secret: orders.secret,
    outbox: memoryStore(),
    onCall: ({ requestIds }) => Object.assign(results, { tlsAttempts: requestIds.length }),
  });
  results['tls'] = standingOf(await insecure.calculateBasket(basketOf('member')));
  await insecure.close();
  // Nobody listens there, so nothing was sent, and the one retry is due.
  const nowhere = await LoyaltyClient.open({
    baseUrl: 'http://127.0.0.1:1',
    secret: orders.secret,
    outbox: memoryStore(),
    onCall: ({ requestIds }) => Object.assign(results, { nowhereAttempts: requestIds.length }),
  });
  results['nowhere'] = standingOf(await nowhere.calculateBasket(basketOf('member')));
  await nowhere.close();
  results['outages'] = await outages(orders);
  console.log(JSON.stringify(results));
}

/** An event outlives its process, which never reached the service; and it is given up at the horizon, not before. */
async function outages({ baseUrl, secret, outbox }: Orders): Promise<unknown> {
  const away = { baseUrl: 'http://127.0.0.1:1', secret };
  const event = { calculationId: crypto.randomUUID(), status: 'applied', transactionId: 'receipt-9' } as const;
  const before = await LoyaltyClient.open({ ...away, outbox: `${outbox}-kept` });
  const { isDurable } = await before.reportSale(event);
  await before.close();
  const kept = await endingOf({ baseUrl, secret, outbox: `${outbox}-kept` }, undefined);
  const saleBackoff = { firstDelayMs: 10, longestDelayMs: 40, horizonMs: 400 };
  const startMs = performance.now();
  const givenUp = await endingOf({ ...away, saleBackoff, outbox: memoryStore() }, event);
  // The last attempt is the last one whose successor would have come after the horizon.
  return { isDurable, kept, givenUp, isAtHorizon: performance.now() - startMs > saleBackoff.horizonMs / 2 };
}

/** How the first event of a client ends. */
function endingOf(options: ClientOptions, event: SaleEvent | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const onSaleEnding = (ending: SaleEnding) => {
      const word = ending.outcome === 'settled' ? ending.result : ending.outcome;
      setImmediate(() => void client.then((open) => open.close()).then(() => resolve(word)));
    };
    const client = LoyaltyClient.open({ ...options, onSaleEnding });
    client.then((open) => event && open.reportSale(event)).catch(reject);
  });
}

function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

void main(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Orders);
