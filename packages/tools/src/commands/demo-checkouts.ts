import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type BasketRequest,
  type FailedOutcome,
  type LoyaltyClient,
  type LoyaltyOutcome,
  type SaleEnding,
  saleEventOf,
} from '../../../client/src/index.ts';
import { ARTICLES, basketOf } from '../../../simulator/src/goods.ts';
import { renderBefore, renderBeforeAndAfter } from './price-tables.ts';

/** The demo's first part: a checkout for each test member, with the basket before and after. */

const GUESTS = [
  { title: 'The test member with 20 % on every discountable line', loyaltyId: 'test-member-20' },
  { title: 'The test member without benefits', loyaltyId: 'test-member-none' },
  { title: 'The loyalty ID that nobody has', loyaltyId: 'test-member-unknown' },
];
/** Pieces of a product, or kilograms of one that is sold by weight. */
const BOUGHT: Readonly<Record<string, number>> = { 4711: 2, 4712: 1, 5100: 0.345, 9000: 1 };
const PLACE = { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', currency: 'NOK' };

/**
 * Plays the three checkouts in sequence. `endingOf` resolves to the final answer to a calculation's event. Throws when
 * a basket is refused as wrong (another secret, another venue), before it is reported: this service is not meant for
 * the demo.
 */
export async function playCheckouts(
  client: LoyaltyClient,
  endingOf: (calculationId: string) => Promise<SaleEnding>,
): Promise<void> {
  for (const { title, loyaltyId } of GUESTS) {
    const basket = demoBasket(loyaltyId);
    const startMs = performance.now();
    const outcome = await client.calculateBasket(basket);
    const waitedMs = performance.now() - startMs;
    if (isContractMismatch(outcome)) throw new Error(`the service does not take the demo's baskets: ${outcome.detail}`);
    process.stdout.write(
      `\n${title}\n  loyalty ID ${basket.loyaltyId}: ${describe(outcome)}, decided in ${waitedMs.toFixed(1)} ms\n\n`,
    );
    process.stdout.write(
      indent(outcome.status === 'applied' ? renderBeforeAndAfter(basket, outcome.basket) : renderBefore(basket)),
    );
    const again = await client.calculateBasket(basket);
    const same = isDeepStrictEqual(again, outcome) ? 'the same answer' : `another answer, ${describe(again)}`;
    await client.reportSale(saleEventOf(outcome, randomUUID()));
    const ending = await endingOf(basket.calculationId);
    const result = ending.outcome === 'settled' ? ending.result : ending.detail;
    process.stdout.write(`  sent again: ${same}; sale event ${outcome.status}: ${result}\n`);
  }
}

function demoBasket(loyaltyId: string): BasketRequest {
  const items = ARTICLES.filter(({ productId }) => productId in BOUGHT).map((article) => {
    return { article, quantity: BOUGHT[article.productId]! };
  });
  const requestedAt = new Date().toISOString();
  return basketOf(items, { calculationId: randomUUID(), loyaltyId, requestedAt, place: PLACE });
}

function isContractMismatch(outcome: LoyaltyOutcome): outcome is FailedOutcome {
  return outcome.status === 'failed' && /^4(?!29)\d\d\b/.test(outcome.detail);
}

function describe(outcome: LoyaltyOutcome): string {
  if (outcome.status === 'unchanged') return `unchanged (${outcome.reason})`;
  return outcome.status === 'failed' ? `failed (${outcome.failureReason}: ${outcome.detail})` : outcome.status;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
