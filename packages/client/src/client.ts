import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readSaleEvent } from '@loyalty/contract/basket/sale-event';
import type { AttemptResult } from './attempt.ts';
import type { BasketRequest } from './basket.ts';
import { type BasketCall, callBasket } from './basket-call.ts';
import { type ClientOptions, readOptions, readSecret, type Settings } from './options.ts';
import { FileStore } from './outbox/file-store.ts';
import type { CalledCalculation, StoppedEvent } from './outbox/ledger.ts';
import { Outbox, type Receipt, type SaleEnding } from './outbox/outbox.ts';
import { type BuiltBasket, isCalculationId, isUnbuilt, type LoyaltyOutcome } from './outcome.ts';
import { factsOf } from './refusal.ts';
import { SALE_PATH } from './request.ts';
import type { SaleEvent } from './sale.ts';
import { Sender } from './sender.ts';
import { openTransport, type Transport } from './transport.ts';

/**
 * The caller's half of the interface: it signs, waits as long as is allowed and no longer, judges every answer, and
 * reports every outcome exactly once. One per environment and process; it keeps connections alive.
 */
export class LoyaltyClient {
  readonly #settings: Settings;
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #baskets: Sender;
  readonly #sales: Sender;
  #outbox: Outbox | undefined;

  private constructor(options: ClientOptions) {
    this.#options = options;
    this.#settings = readOptions(options);
    this.#transport = openTransport(this.#settings);
    const tellFault = (detail: string, calculationIds: readonly string[]) => this.#tellFault(detail, calculationIds);
    this.#baskets = new Sender(this.#transport.baskets, this.#settings, tellFault);
    this.#sales = new Sender(this.#transport.sales, this.#settings, tellFault);
  }

  /**
   * Checks the options, opens the outbox and begins to send what a former process left in it. Throws when an option is
   * wrong or the outbox cannot be read; nothing that follows throws.
   */
  static async open(options: ClientOptions): Promise<LoyaltyClient> {
    const client = new LoyaltyClient(options);
    const { outbox } = options;
    client.#outbox = await Outbox.open({
      store: typeof outbox === 'string' ? new FileStore(outbox, (...fault) => client.#tellFault(...fault)) : outbox,
      send: (event) => client.#sendSale(event),
      backoff: client.#settings.saleBackoff,
      onEnding: (ending) => client.#tellEnding(ending),
      onRetry: ({ calculationId }, detail, delayMs, facts) =>
        client.#tell(() => options.onSaleRetry?.(calculationId, detail, delayMs, facts)),
      onFault: (...fault) => client.#tellFault(...fault),
    });
    return client;
  }

  /**
   * Asks what the member's benefits make of a basket (interface, sections 3 and 4). Always resolves, within the hard
   * cap, with the status of the order and the basket to use. A calculation that this one supersedes gets no sale event
   * from now on. The basket must not be changed before the promise resolves. A basket that could not be built is no call:
   * its outcome comes back.
   */
  async calculateBasket(basket: BuiltBasket): Promise<LoyaltyOutcome> {
    const startMs = performance.now();
    const { outcome, requestIds } = isUnbuilt(basket) ? { outcome: basket, requestIds: [] } : await this.#call(basket);
    this.#tell(() => {
      const { calculationId, status } = outcome;
      this.#options.onCall?.({
        calculationId,
        venueId: isUnbuilt(basket) ? '' : String(basket?.context?.venueId ?? ''),
        requestIds,
        status,
        ...(status === 'failed' && {
          failureReason: outcome.failureReason,
          detail: outcome.detail,
          ...factsOf(outcome),
        }),
        waitedMs: performance.now() - startMs,
      });
    });
    return outcome;
  }

  /**
   * Reports how a calculation ended: exactly once, however often it is called. Resolves when the event is on the disk; no
   * till waits for the service. Never throws: the receipt says what became of the report. An event that cannot be sent is
   * told to `onFault` too, for callers that do not look at receipts.
   */
  async reportSale(event: SaleEvent): Promise<Receipt> {
    const receipt = await this.#report(event).catch((error: Error) => invalidReceipt(error.message));
    if (receipt.outcome === 'invalid') {
      this.#tellFault(`a sale event is not sent: ${receipt.detail}`, [String(event?.calculationId)]);
    }
    return receipt;
  }

  /** Sale events without a final answer yet. */
  get pendingSales(): number {
    return this.#outbox?.pending ?? 0;
  }

  /** Sale events that were given up and wait for support. */
  get stoppedSales(): readonly StoppedEvent[] {
    return this.#outbox?.stopped ?? [];
  }

  /**
   * Calculations that an earlier process asked for and never reported, because it ended in between. Look each up among
   * your orders and report its event, `cancelled` where there is no order. The list shrinks as they are reported.
   */
  get unreportedSales(): readonly CalledCalculation[] {
    return this.#outbox?.unreported() ?? [];
  }

  /** Sends every stopped event again, once support has mended the cause. Resolves to how many. */
  async resendStoppedSales(): Promise<number> {
    return (await this.#outbox?.resendStopped()) ?? 0;
  }

  /**
   * Signs every attempt from now on with another secret, retries included; nothing is closed and no event is lost. Change it
   * while the operator has both secrets active. Throws a TypeError for one that is too short, and keeps the present one.
   */
  rotateSecret(secret: string | Uint8Array): void {
    this.#settings.secret = readSecret(secret);
  }

  /** Ends every attempt and closes the outbox; pending events stay in it for the next process. */
  async close(): Promise<void> {
    await this.#transport.close();
    await this.#outbox?.close();
  }

  async #call(basket: BasketRequest): Promise<BasketCall> {
    const startMs = performance.now();
    const noted = this.#noteCall(basket);
    const call = await callBasket(this.#baskets, this.#settings, basket);
    await this.#awaitNote(noted, performance.now() - startMs);
    return call;
  }

  #sendSale(event: SaleEvent): Promise<AttemptResult> {
    const { pathPrefix, limits } = this.#settings;
    const { calculationId } = event;
    const body = Buffer.from(JSON.stringify(event));
    return this.#sales.send({ path: pathPrefix + SALE_PATH, calculationId, body }, randomUUID(), limits.saleTimeoutMs);
  }

  /**
   * Enters the call before its answer can come, so that a crash after it leaves the calculation's name. Resolves when that
   * is on the disk, or was refused.
   */
  async #noteCall(basket: BasketRequest): Promise<void> {
    const { calculationId, supersedesCalculationId } = basket ?? {};
    if (isCalculationId(supersedesCalculationId)) this.#outbox?.supersede(supersedesCalculationId);
    if (isCalculationId(calculationId)) await this.#outbox?.noteCall(calculationId);
  }

  /** Waits for the disk no longer than an attempt may take: a till waits for the service, and for nothing else. */
  async #awaitNote(noted: Promise<void>, elapsedMs: number): Promise<void> {
    const leftMs = this.#settings.limits.attemptTimeoutMs - elapsedMs;
    if (leftMs <= 0) return;
    const patience = new AbortController();
    await Promise.race([noted, pause(leftMs, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
  }

  async #report(event: SaleEvent): Promise<Receipt> {
    const parsed = readSaleEvent(Buffer.from(JSON.stringify(event)), event.calculationId);
    return parsed.ok ? this.#outbox!.report(parsed.value as SaleEvent) : invalidReceipt(parsed.refusal.message);
  }

  /** An event that stopped waits for a person, so somebody must hear of it. */
  #tellEnding(ending: SaleEnding): void {
    if (this.#options.onSaleEnding) this.#tell(() => this.#options.onSaleEnding?.(ending));
    else if (ending.outcome === 'stopped') {
      this.#tellFault(`a sale event stopped: ${ending.detail}`, [ending.event.calculationId]);
    }
  }

  /** A callback of the caller's that throws must not turn a paid sale into an error. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#tellFault(`a callback threw: ${(error as Error)?.message}`, []);
    }
  }

  /** Faults are never silent: without a callback for them they are warnings of the process, on its error output. */
  #tellFault(detail: string, calculationIds: readonly string[]): void {
    const { onFault } = this.#options;
    try {
      if (onFault) return onFault(detail, calculationIds);
    } catch {
      // It goes where those without a callback go.
    }
    const names = calculationIds.length > 0 ? `: ${calculationIds.join(', ')}` : '';
    process.emitWarning(detail + names, 'LoyaltyWarning');
  }
}

function invalidReceipt(detail: string): Receipt {
  return { outcome: 'invalid', isDurable: false, detail };
}
