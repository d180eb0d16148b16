import { randomUUID } from 'node:crypto';
import {
  cancelledEventOf,
  decideWithoutCall,
  type LoyaltyClient,
  type LoyaltyOutcome,
  saleEventOf,
  swapBasket,
} from '../../client/src/index.ts';
import type { BookEntry, Books } from './books.ts';
import { ARTICLES, basketOf, type Item, type TillPlace } from './goods.ts';
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
  readonly #replays = new Set<Promise<void>>();

  constructor(settings: TillSettings) {
    this.#settings = settings;
  }

  get name(): string {
    return this.#settings.place.cashRegisterId;
  }

  /** Serves one guest. Every sale completes, with any outcome of the loyalty step. */
  async serve(): Promise<void> {
    const { random, books } = this.#settings;
    const scene = random.weighted(SCENES);
    const items = this.#choose(random.between(1, 8));
    const loyaltyId = random.pick(this.#settings.loyaltyIds);
    books.totals.sales += 1;
    if (scene === 'cash') return this.#sellForCash();
    if (scene === 'offline') return this.#sellOffline(items, loyaltyId);
    let calculation = await this.#calculate(items, loyaltyId, undefined);
    const changes = scene === 'changed_basket' ? random.between(1, 2) : scene === 'card_swap' ? 1 : 0;
    for (let change = 0; change < changes; change += 1) {
      const isSwap = scene === 'card_swap';
      if (isSwap) books.totals.cardSwaps += 1;
      else items.push(...this.#choose(1));
      const card = isSwap ? random.pick(this.#settings.loyaltyIds) : loyaltyId;
      calculation = await this.#calculate(items, card, calculation);
    }
    if (scene === 'abandoned') return this.#abandon(calculation);
    return this.#pay(calculation);
  }

  /** Resolves when every offline order has been replayed. */
  async finish(): Promise<void> {
    await Promise.all(this.#replays);
  }

  #choose(pieces: number): Item[] {
    const { random } = this.#settings;
    return Array.from({ length: pieces }, () => {
      const article = random.pick(ARTICLES);
      return { article, quantity: article.isWeighed ? random.between(50, 900) / 1000 : random.between(1, 3) };
    });
  }

  async #calculate(items: readonly Item[], loyaltyId: string, earlier: Calculation | undefined): Promise<Calculation> {
    const { books, client, pace, place } = this.#settings;
    await pace();
    const calculationId = randomUUID();
    const supersedes = earlier?.entry.calculationId;
    const requestedAt = new Date().toISOString();
    const basket = basketOf(items, { calculationId, loyaltyId, requestedAt, place, supersedes });
    const entry = books.open(calculationId);
    if (earlier) books.supersede(earlier.entry);
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
    await this.#report(entry, outcome);
  }

  async #abandon({ entry, outcome }: Calculation): Promise<void> {
    this.#settings.books.totals.cancelled += 1;
    entry.event = cancelledEventOf(outcome);
    await this.#settings.client.reportSale(entry.event);
  }

  async #report(entry: BookEntry, outcome: LoyaltyOutcome): Promise<void> {
    entry.event = saleEventOf(outcome, `${this.name}-${entry.calculationId.slice(0, 8)}`);
    await this.#settings.client.reportSale(entry.event);
  }

  async #sellOffline(items: readonly Item[], loyaltyId: string): Promise<void> {
    const { books, place, replayAfterMs } = this.#settings;
    const calculationId = randomUUID();
    const requestedAt = new Date().toISOString();
    const basket = basketOf(items, { calculationId, loyaltyId, requestedAt, place, supersedes: undefined });
    const outcome = decideWithoutCall(basket, 'offline');
    const entry = books.open(calculationId);
    books.decide(entry, outcome);
    books.totals.offline += 1;
    books.totals.paid += basket.totals.total;
    const replay = new Promise<void>((resolve) => setTimeout(resolve, replayAfterMs)).then(() =>
      this.#report(entry, outcome),
    );
    this.#replays.add(replay);
    void replay.finally(() => this.#replays.delete(replay));
  }

  async #sellForCash(): Promise<void> {
    this.#settings.books.totals.withoutLoyalty += 1;
    // A cash sale awaits no other work, and a till that never yields would block all others.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Calculation {
  readonly entry: BookEntry;
  readonly outcome: LoyaltyOutcome;
  /** Amount due without loyalty, minor units. */
  readonly before: number;
}
