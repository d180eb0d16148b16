/**
 * A till's backend that may be killed at any moment: `node till.ts <base URL> <secret> <outbox> <orders> <seed> <name>`. It
 * sells until its input ends, then drains its outbox. Each step is a line of JSON, written past every buffer: what was said
 * before a kill has been said. `orders` is its own database: the events that it meant to report, as the lines tell them.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildBasket, cancelledEventOf, LoyaltyClient, type SaleEvent, saleEventOf } from 'loyalty-basket-client';
import { Random } from '../../../../packages/simulator/src/random.ts';

export type Line =
  | { readonly step: 'open'; readonly unreported: readonly string[] }
  | { readonly step: 'answered'; readonly calculationId: string; readonly status: string }
  | { readonly step: 'superseding' | 'superseded'; readonly calculationId: string }
  | { readonly step: 'reporting'; readonly event: SaleEvent }
  | { readonly step: 'reported'; readonly calculationId: string; readonly outcome: string; readonly isDurable: boolean }
  | { readonly step: 'ended'; readonly calculationId: string; readonly outcome: string }
  | { readonly step: 'fault'; readonly detail: string; readonly calculationIds: readonly string[] }
  | { readonly step: 'sold' | 'drained' };

const GUESTS_AT_ONCE = 6;
const MEMBERS = 400;
const FAILED_PAUSE_MS = 500;
const [baseUrl = '', secret = '', outbox = '', orders = '', seed = '0', name = ''] = process.argv.slice(2);
const random = new Random(Number(seed));
const say = (line: Line): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const client = await LoyaltyClient.open({
  baseUrl,
  secret,
  outbox,
  saleBackoff: { firstDelayMs: 50, longestDelayMs: 500 },
  onSaleEnding: ({ event: { calculationId }, ...ending }) => {
    say({ step: 'ended', calculationId, outcome: ending.outcome === 'settled' ? ending.result : ending.outcome });
  },
  onFault: (detail, calculationIds) => say({ step: 'fault', detail, calculationIds }),
});
let isOpen = true;
process.stdin.on('end', () => (isOpen = false)).resume();

const known = JSON.parse(readFileSync(orders, 'utf8')) as Record<string, SaleEvent>;
const unreported = client.unreportedSales.map(({ calculationId }) => calculationId);
say({ step: 'open', unreported });
for (const calculationId of unreported) await report(known[calculationId] ?? { calculationId, status: 'cancelled' });

await Promise.all(Array.from({ length: GUESTS_AT_ONCE }, serve));
while (client.pendingSales > 0) await pause(20);
await client.close();
say({ step: 'drained' });

async function serve(): Promise<void> {
  while (isOpen) {
    const first = await calculate();
    const last = random.chance(0.2) ? await calculate(first.calculationId) : first;
    const event = random.chance(0.15) ? cancelledEventOf(last) : saleEventOf(last, randomUUID());
    // Some backends report twice, at once or one after the other.
    await Promise.all(Array.from({ length: random.chance(0.1) ? 2 : 1 }, () => report(event)));
    if (random.chance(0.05)) await report(event);
    say({ step: 'sold' });
  }
}

async function calculate(supersedesCalculationId?: string) {
  const loyaltyId = random.chance(0.5) ? 'member-twenty' : `guest-${random.between(0, MEMBERS - 1)}`;
  const lines = Array.from({ length: random.between(1, 4) }, (_, index) => ({
    productId: `p-${index}`,
    name: 'Filter coffee',
    quantity: random.between(1, 3),
    unitPrice: random.between(100, 9_900),
    noDiscount: false,
  }));
  const context = { venueId: 'oslo-central', cashRegisterId: name, baxId: '500123', channel: 'pos' } as const;
  const supersedes = supersedesCalculationId !== undefined && { supersedesCalculationId };
  const basket = buildBasket({ loyaltyId, currency: 'NOK', context, lines, ...supersedes });
  if (supersedesCalculationId !== undefined) say({ step: 'superseding', calculationId: supersedesCalculationId });
  const outcome = await client.calculateBasket(basket);
  if (supersedesCalculationId !== undefined) say({ step: 'superseded', calculationId: supersedesCalculationId });
  const status = outcome.status === 'failed' ? outcome.failureReason : outcome.status;
  say({ step: 'answered', calculationId: basket.calculationId, status });
  // While the service is away the shop goes on, but not as fast as calls can fail.
  if (outcome.status === 'failed') await pause(FAILED_PAUSE_MS);
  return outcome;
}

async function report(event: SaleEvent): Promise<void> {
  say({ step: 'reporting', event });
  const { outcome, isDurable } = await client.reportSale(event);
  say({ step: 'reported', calculationId: event.calculationId, outcome, isDurable });
}
