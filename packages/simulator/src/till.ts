import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cancelledEventOf,
  decideWithoutCall,
  type LoyaltyClient,
  type LoyaltyOutcome,
  type SaleEvent,
  saleEventOf,
  swapBasket,
} from '../../client/src/index.ts';
import type { BookEntry, Books } from './books.ts';
import { basketOf, type Item, pickItem, type TillPlace } from './goods.ts';
import type { Random } from './random.ts';

/** The courses of a sale with their weights, which are those of a lively shop. */
const SCENES = {
  plain: 50,
  /** The guest adds something after the calculation, once or twice. */
  changed_basket: 20,
  /** The payment is abandoned after the calculation. */
  abandoned: 10,
  /** Another card is taken out after the calculation. */
  card_swap: 7,
  /** The till is offline; the sale is reported when the order is replayed. */
  offline: 5,
  /** Cash: no card, no lookup, no loyalty. */
  cash: 8,
} as const;

export interface TillSettings {
  readonly client: LoyaltyClient;
  readonly books: Books;
  readonly random: Random;
  readonly place: TillPlace;
  /** Loyalty IDs that a card lookup may return. */
  readonly loyaltyIds: readonly string[];
  /** Resolves when a basket call may be made; this keeps the shop below the service's rate. */
  readonly pace: () => Promise<void>;
  /** How long an offline order waits for its replay, in milliseconds. */
  readonly replayAfterMs: number;
}

/** A till that serves one guest after another. */
export class Till {
  readonly #settings: TillSettings;
  readonly #replays: Promise<void>[] = [];

  constructor(settings: TillSettings) {
    this.#settings = settings;
  }

  /** Serves one guest. Every sale completes, with any outcome of the loyalty step. */
  async serve(): Promise<void> {
    const { random, books } = this.#settings;
    const scene = random.weighted(SCENES);
    const items = Array.from({ length: random.between(1, 8) }, () => pickItem(random));
    const loyaltyId = random.pick(this.#settings.loyaltyIds);
    books.totals.sales += 1;
    if (scene === 'cash') {
      books.totals.withoutLoyalty += 1;
      // A cash sale awaits no other work, and a till that never yields would block all others.
      await new Promise((resolve) => setImmediate(resolve));
      return;
    }
    if (scene === 'offline') return this.#sellOffline(items, loyaltyId);
    let calculation = await this.#calculate(items, loyaltyId, undefined);
    const changes = scene === 'changed_basket' ? random.between(1, 2) : scene === 'card_swap' ? 1 : 0;
    for (let change = 0; change < changes; change += 1) {
      const isSwap = scene === 'card_swap';
      if (isSwap) books.totals.cardSwaps += 1;
      else items.push(pickItem(random));
      const card = isSwap ? random.pick(this.#settings.loyaltyIds) : loyaltyId;
      calculation = await this.#calculate(items, card, calculation);
    }
    if (scene === 'abandoned') {
      books.totals.cancelled += 1;
      await this.#report(calculation.entry, cancelledEventOf(calculation.outcome));
    } else await this.#pay(calculation);
  }

  /** Resolves when every offline order has been replayed. */
  async finish(): Promise<void> {
    await Promise.all(this.#replays);
  }

  async #calculate(items: readonly Item[], loyaltyId: string, earlier: Calculation | undefined): Promise<Calculation> {
    const { books, client, pace, place } = this.#settings;
    await pace();
    const calculationId = randomUUID();
    const supersedes = earlier?.entry.calculationId;
    const requestedAt = new Date().toISOString();
    const basket = basketOf(items, { calculationId, loyaltyId, requestedAt, place, supersedes });
    const entry = books.open(calculationId);
    if (earlier) {
      earlier.entry.isSuperseded = true;
      books.totals.superseded += 1;
    }
    const startMs = performance.now();
    const answered = await client.calculateBasket(basket);
    books.totals.waitsMs.push(performance.now() - startMs);
    const outcome = await swapBasket(answered, basket, () => {});
    books.decide(entry, outcome);
    return { entry, outcome, before: basket.totals.total };
  }

  async #pay({ entry, outcome, before }: Calculation): Promise<void> {
    const { totals } = this.#settings.books;
    const paid = outcome.basket?.totals.total ?? before;
    totals.paid += paid;
    totals.saved += before - paid;
    await this.#report(entry, saleEventOf(outcome, this.#receiptOf(entry)));
  }

  async #report(entry: BookEntry, event: SaleEvent): Promise<void> {
    entry.event = event;
    await this.#settings.client.reportSale(event);
  }

  async #sellOffline(items: readonly Item[], loyaltyId: string): Promise<void> {
    const { books, place, replayAfterMs } = this.#settings;
    const calculationId = randomUUID();
    const basket = basketOf(items, { calculationId, loyaltyId, requestedAt: new Date().toISOString(), place });
    const outcome = decideWithoutCall(basket, 'offline');
    const entry = books.open(calculationId);
    books.decide(entry, outcome);
    books.totals.offline += 1;
    books.totals.paid += basket.totals.total;
    const replay = async () => {
      await sleep(replayAfterMs);
      await this.#report(entry, saleEventOf(outcome, this.#receiptOf(entry)));
    };
    this.#replays.push(replay());
  }

  #receiptOf({ calculationId }: BookEntry): string {
    return `${this.#settings.place.cashRegisterId}-${calculationId.slice(0, 8)}`;
  }
}

interface Calculation {
  readonly entry: BookEntry;
  readonly outcome: LoyaltyOutcome;
  /** Amount due without loyalty, minor units. */
  readonly before: number;
}
