import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readSaleEvent } from '@loyalty/contract/basket/sale-event';
import type { BasketRequest } from './basket.ts';
import { type BasketCall, callBasket } from './basket-call.ts';
import { createTellFault, type TellFault } from './faults.ts';
import { type ClientOptions, readOptions, readSecret, type Settings } from './options.ts';
import { FileStore } from './outbox/file-store.ts';
import type { CalledCalculation, StoppedEvent } from './outbox/ledger.ts';
import { Outbox, type Receipt } from './outbox/outbox.ts';
import { type BuiltBasket, isCalculationId, isUnbuilt, type LoyaltyOutcome } from './outcome.ts';
import { factsOf } from './refusal.ts';
import type { SaleEvent } from './sale.ts';
import { createSend, type Send } from './sender.ts';
import { openTransport, type Transport } from './transport.ts';

/**
 * The caller's half of the interface: it signs, waits as long as is allowed and no longer, judges every answer, and
 * reports every outcome exactly once. One per environment and process; it keeps connections alive.
 */
export class LoyaltyClient {
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #send: Send;
  readonly #outbox: Outbox;
  readonly #tellFault: TellFault;

  private constructor(settings: Settings, transport: Transport, outbox: Outbox, tellFault: TellFault) {
    this.#settings = settings;
    this.#transport = transport;
    this.#send = createSend(transport.baskets, settings, tellFault);
    this.#outbox = outbox;
    this.#tellFault = tellFault;
  }

  /**
   * Checks the options, opens the outbox and begins to send what a former process left in it. Throws when an option is
   * wrong or the outbox cannot be read; nothing that follows throws.
   */
  static async open(options: ClientOptions): Promise<LoyaltyClient> {
    const settings = readOptions(options);
    const { outbox: store, limits, saleBackoff, onSaleEnding, onSaleRetry } = settings;
    const tellFault = createTellFault(settings.onFault);
    const transport = openTransport(settings);
    const sendSale = createSend(transport.sales, settings, tellFault);
    const outbox = await Outbox.open({
      store: typeof store === 'string' ? new FileStore(store, tellFault) : store,
      send: (event) => {
        const { calculationId } = event;
        const body = Buffer.from(JSON.stringify(event));
        return sendSale({ endpoint: '/v1/pos/sale', calculationId, body }, randomUUID(), limits.saleTimeoutMs);
      },
      backoff: saleBackoff,
      onEnding: (ending) => {
        if (onSaleEnding) onSaleEnding(ending);
        // An event that stopped waits for a person, so somebody must hear of it.
        else if (ending.outcome === 'stopped') {
          tellFault(`a sale event stopped: ${ending.detail}`, [ending.event.calculationId]);
        }
      },
      onRetry: ({ calculationId }, ...retry) => onSaleRetry?.(calculationId, ...retry),
      onFault: tellFault,
    });
    return new LoyaltyClient(settings, transport, outbox, tellFault);
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
    const { calculationId, status } = outcome;
    try {
      const venueId = isUnbuilt(basket) ? '' : String(basket?.context?.venueId ?? '');
      const failure = status === 'failed' && {
        failureReason: outcome.failureReason,
        detail: outcome.detail,
        ...factsOf(outcome),
      };
      const waitedMs = performance.now() - startMs;
      this.#settings.onCall?.({ calculationId, venueId, requestIds, status, ...failure, waitedMs });
    } catch (error) {
      // Neither a callback that throws nor a venue that is no text may turn a paid sale into an error.
      this.#tellFault(`a callback threw: ${(error as Error)?.message}`, [calculationId]);
    }
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
    return this.#outbox.pending;
  }

  /** Sale events that were given up and wait for support. */
  get stoppedSales(): readonly StoppedEvent[] {
    return this.#outbox.stopped;
  }

  /**
   * Calculations that an earlier process asked for and never reported, because it ended in between. Look each up among
   * your orders and report its event, `cancelled` where there is no order. The list shrinks as they are reported.
   */
  get unreportedSales(): readonly CalledCalculation[] {
    return this.#outbox.unreported;
  }

  /** Sends every stopped event again, once support has mended the cause. Resolves to how many. */
  resendStoppedSales(): Promise<number> {
    return this.#outbox.resendStopped();
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
    await this.#outbox.close();
  }

  /**
   * The call is noted before its answer can come, so that a crash after it leaves the calculation's name. For the disk a till
   * waits no longer than an attempt may take: it waits for the service, and for nothing else.
   */
  async #call(basket: BasketRequest): Promise<BasketCall> {
    const startMs = performance.now();
    const { calculationId, supersedesCalculationId } = basket ?? {};
    if (isCalculationId(supersedesCalculationId)) this.#outbox.supersede(supersedesCalculationId);
    const noted = isCalculationId(calculationId) ? this.#outbox.noteCall(calculationId) : undefined;
    const call = await callBasket(this.#send, this.#settings, basket);
    const leftMs = this.#settings.limits.attemptTimeoutMs - (performance.now() - startMs);
    if (noted && leftMs > 0) await Promise.race([noted, pause(leftMs, undefined, { ref: false })]);
    return call;
  }

  async #report(event: SaleEvent): Promise<Receipt> {
    const parsed = readSaleEvent(Buffer.from(JSON.stringify(event)), event.calculationId);
    return parsed.ok ? this.#outbox.report(parsed.value as SaleEvent) : invalidReceipt(parsed.refusal.message);
  }
}

function invalidReceipt(detail: string): Receipt {
  return { outcome: 'invalid', isDurable: false, detail };
}
