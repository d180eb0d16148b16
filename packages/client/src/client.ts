import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { readSaleEvent } from '../../../src/basket/sale-event.ts';
import type { BasketRequest } from '../../../src/contract/basket-request.ts';
import type { SaleEvent } from '../../../src/contract/sale.ts';
import { type AttemptResult, sendOnce } from './attempt.ts';
import { callBasket } from './basket-call.ts';
import { KEEP_ALIVE_MS } from './limits.ts';
import { type ClientOptions, readOptions, type Settings } from './options.ts';
import { FileStore } from './outbox/file-store.ts';
import type { StoppedEvent } from './outbox/ledger.ts';
import { Outbox, type Receipt } from './outbox/outbox.ts';
import type { LoyaltyOutcome } from './outcome.ts';
import { requestOf, SALE_PATH } from './request.ts';

/** Sale events share few connections of their own, so that no basket call ever waits behind one. */
const SALE_CONNECTIONS = 4;

/**
 * The caller's half of the interface: it signs, waits as long as is allowed and no longer, judges every answer, and
 * reports every outcome exactly once. One per environment and process; it keeps connections alive.
 */
export class LoyaltyClient {
  readonly #settings: Settings;
  readonly #options: ClientOptions;
  readonly #baskets: Pool;
  readonly #sales: Pool;
  #outbox: Outbox | undefined;

  private constructor(options: ClientOptions) {
    this.#options = options;
    this.#settings = readOptions(options);
    const { origin, connections } = this.#settings;
    const shared = {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The attempt's own timer is the one that counts; undici's are coarser than 500 ms.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: { timeout: this.#settings.limits.hardCapMs, ...(options.ca !== undefined && { ca: options.ca }) },
    };
    this.#baskets = new Pool(origin, { ...shared, connections });
    this.#sales = new Pool(origin, { ...shared, connections: SALE_CONNECTIONS });
  }

  /**
   * Checks the options, opens the outbox and begins to send what a former process left in it. Throws when an option is
   * wrong or the outbox cannot be read; nothing that follows throws.
   */
  static async open(options: ClientOptions): Promise<LoyaltyClient> {
    const client = new LoyaltyClient(options);
    const { outbox } = options;
    client.#outbox = await Outbox.open({
      store: typeof outbox === 'string' ? new FileStore(outbox, (detail) => client.#tellFault(detail)) : outbox,
      send: (event) => client.#sendSale(event),
      backoff: client.#settings.saleBackoff,
      onEnding: (ending) => client.#tell(() => options.onSaleEnding?.(ending)),
      onRetry: ({ calculationId }, detail, delayMs) =>
        client.#tell(() => options.onSaleRetry?.(calculationId, detail, delayMs)),
      onFault: (detail) => client.#tellFault(detail),
    });
    return client;
  }

  /**
   * Asks what the member's benefits make of a basket (interface, sections 3 and 4). Always resolves, within the hard
   * cap, with the status of the order and the basket to use. A calculation that this one supersedes gets no sale event
   * from now on. The basket must not be changed before the promise resolves.
   */
  async calculateBasket(basket: BasketRequest): Promise<LoyaltyOutcome> {
    const superseded = basket.supersedesCalculationId;
    if (superseded !== undefined) this.#outbox?.supersede(superseded);
    const { outcome, requestIds, waitedMs } = await callBasket(this.#baskets, this.#settings, basket);
    this.#tell(() => {
      const { calculationId, status, failureReason, detail } = outcome;
      this.#options.onCall?.({
        calculationId,
        venueId: basket.context.venueId,
        requestIds,
        status,
        ...(failureReason !== undefined && { failureReason }),
        ...(detail !== undefined && { detail }),
        waitedMs,
      });
    });
    return outcome;
  }

  /**
   * Reports how a calculation ended: exactly once, however often it is called. Resolves when the event is on the disk; no
   * till waits for the service. Never throws: the receipt says what became of the report.
   */
  async reportSale(event: SaleEvent): Promise<Receipt> {
    try {
      const parsed = readSaleEvent(Buffer.from(JSON.stringify(event)), event.calculationId);
      if (!parsed.ok) return { outcome: 'invalid', isDurable: false, detail: parsed.refusal.message };
      return await this.#outbox!.report(parsed.value);
    } catch (error) {
      return { outcome: 'invalid', isDurable: false, detail: (error as Error).message };
    }
  }

  /** Sale events without a final answer yet. */
  get pendingSales(): number {
    return this.#outbox?.pending ?? 0;
  }

  /** Sale events that were given up and wait for support. */
  get stoppedSales(): readonly StoppedEvent[] {
    return this.#outbox?.stopped ?? [];
  }

  /** Sends every stopped event again, once support has mended the cause. Resolves to how many. */
  async resendStoppedSales(): Promise<number> {
    return (await this.#outbox?.resendStopped()) ?? 0;
  }

  /** Ends every attempt and closes the outbox; pending events stay in it for the next process. */
  async close(): Promise<void> {
    await Promise.all([this.#baskets.destroy(), this.#sales.destroy()]);
    await this.#outbox?.close();
  }

  #sendSale(event: SaleEvent): Promise<AttemptResult> {
    const { secret, pathPrefix, limits } = this.#settings;
    const { calculationId } = event;
    const body = Buffer.from(JSON.stringify(event));
    const request = requestOf({ path: pathPrefix + SALE_PATH, calculationId, body }, secret, randomUUID(), Date.now());
    return sendOnce(this.#sales, request, limits.saleTimeoutMs);
  }

  /** A callback of the caller's that throws must not turn a paid sale into an error. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#tellFault(`a callback threw: ${(error as Error)?.message}`);
    }
  }

  #tellFault(detail: string): void {
    try {
      this.#options.onFault?.(detail);
    } catch {
      // There is nobody left to tell.
    }
  }
}
