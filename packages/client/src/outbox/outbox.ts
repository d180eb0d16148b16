import type { SaleEvent, SaleResult } from '../../../../src/contract/sale.ts';
import type { AttemptResult } from '../attempt.ts';
import type { SaleBackoff } from '../limits.ts';
import { Ledger, outcomeText, type StoppedEvent } from './ledger.ts';
import { judgeSaleAttempt, nextDelayMs, type SaleVerdict } from './sale-retry.ts';
import { Schedule } from './schedule.ts';
import type { OutboxRecord, OutboxStore } from './store.ts';

/** What became of a report. `superseded` and `conflicting` ones are not sent; nobody waits for any of them. */
export interface Receipt {
  readonly outcome: 'queued' | 'repeated' | 'conflicting' | 'superseded' | 'invalid';
  /** False when the store failed: the event is sent all the same, but a crash before that would lose it. */
  readonly isDurable: boolean;
  readonly detail?: string;
}

/** How an event ended. `stopped` needs a person; the event is kept and can be sent again. */
export type SaleEnding =
  | { readonly outcome: 'settled'; readonly event: SaleEvent; readonly result: SaleResult }
  | { readonly outcome: 'stopped'; readonly event: SaleEvent; readonly detail: string };

export interface OutboxOptions {
  readonly store: OutboxStore;
  readonly send: (event: SaleEvent) => Promise<AttemptResult>;
  readonly backoff: SaleBackoff;
  readonly onEnding: (ending: SaleEnding) => void;
  /** Told of every attempt that will be made again, for logs. */
  readonly onRetry: (event: SaleEvent, detail: string, delayMs: number) => void;
  readonly onFault: (detail: string) => void;
}

/** Attempts under way at once: a backlog drains fast and still leaves the service's rate to the tills. */
const PARALLEL = 4;
/** Lines that a store may hold beyond what is needed before it is compacted. */
const COMPACTION_SLACK = 2_000;

/**
 * Sends every reported event until the service has answered it finally: exactly one event per calculation. An event is
 * in the store before it is sent, and struck out after its answer, so a crash at any moment sends it once more at most,
 * and the service answers `duplicate`.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #ledger = new Ledger();
  readonly #schedule = new Schedule();
  readonly #underWay = new Set<Promise<void>>();
  #recordsStored = 0;
  #timer: NodeJS.Timeout | undefined;
  /** While the service is out of reach one event at a time asks whether it is back. */
  #outages = 0;
  #pausedUntilMs = 0;
  #isClosed = false;
  #compaction: Promise<void> | undefined;

  private constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Reads the store and begins to send what it holds. Throws when the store cannot be read. */
  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options);
    const records = await options.store.load();
    for (const record of records) outbox.#ledger.apply(record);
    outbox.#recordsStored = records.length;
    for (const [calculationId] of outbox.#ledger.due) outbox.#schedule.add(calculationId, 0);
    outbox.#wake();
    return outbox;
  }

  /** Events that have no final answer yet. */
  get pending(): number {
    return this.#ledger.due.size;
  }

  /** Events that were given up, for support. */
  get stopped(): readonly StoppedEvent[] {
    return [...this.#ledger.stopped.values()];
  }

  /** Takes an event; resolves when it is in the store. The service's answer comes through `onEnding`. */
  async report(event: SaleEvent): Promise<Receipt> {
    if (this.#isClosed) return { outcome: 'invalid', isDurable: false, detail: 'the outbox is closed' };
    const standing = this.#ledger.standingOf(event);
    if (standing === 'repeated') return { outcome: 'repeated', isDurable: true };
    if (standing !== 'new') return { outcome: standing, isDurable: true, detail: REFUSALS[standing] };
    const isDurable = await this.#record({ kind: 'due', calculationId: event.calculationId, atMs: Date.now(), event });
    this.#schedule.add(event.calculationId, 0);
    this.#wake();
    return { outcome: 'queued', isDurable };
  }

  /** A later calculation takes this one's place: it gets no event. One that was reported before stays reported. */
  supersede(calculationId: string): void {
    if (this.#ledger.isKnown(calculationId)) return;
    // The till does not wait for a disk. A mark that a crash loses is missed by nobody but a caller that errs.
    void this.#record({ kind: 'superseded', calculationId, atMs: Date.now() });
  }

  /** Puts every stopped event back, with 24 hours before it; returns how many. For support, when the cause is mended. */
  async resendStopped(): Promise<number> {
    const events = this.stopped.map(({ event }) => event);
    for (const event of events) {
      await this.#record({ kind: 'due', calculationId: event.calculationId, atMs: Date.now(), event });
      this.#schedule.add(event.calculationId, 0);
    }
    this.#wake();
    return events.length;
  }

  /** Ends the sending and closes the store. What is pending stays in it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#underWay);
    await this.#compaction;
    await this.#options.store.close();
  }

  /** Enters a fact, at once in the ledger and then in the store. Resolves to whether the store has it. */
  async #record(record: OutboxRecord): Promise<boolean> {
    this.#ledger.apply(record);
    try {
      await this.#compaction;
      await this.#options.store.append([record]);
      this.#recordsStored += 1;
      return true;
    } catch (error) {
      this.#options.onFault(`the outbox could not be written: ${(error as Error).message}`);
      return false;
    }
  }

  #wake(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const nowMs = Date.now();
    const places = this.#outages > 0 ? 1 : PARALLEL;
    while (nowMs >= this.#pausedUntilMs && this.#underWay.size < places) {
      const calculationId = this.#schedule.takeDue(nowMs);
      if (calculationId === undefined) break;
      if (this.#ledger.due.has(calculationId)) this.#start(calculationId);
    }
    const nextAtMs = this.#schedule.nextAtMs;
    if (nextAtMs === undefined || this.#underWay.size >= places) return;
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, Math.max(nextAtMs, this.#pausedUntilMs) - nowMs));
  }

  #start(calculationId: string): void {
    const sending: Promise<void> = this.#sendOnce(calculationId)
      .catch((error: Error) => this.#options.onFault(error.message))
      .finally(() => {
        this.#underWay.delete(sending);
        this.#wake();
      });
    this.#underWay.add(sending);
  }

  async #sendOnce(calculationId: string): Promise<void> {
    const due = this.#ledger.due.get(calculationId)!;
    const { event } = due;
    due.attempts += 1;
    const verdict = judgeSaleAttempt(await this.#options.send(event));
    this.#noteOutage(verdict);
    const atMs = Date.now();
    if (verdict.action === 'settle') {
      const { result } = verdict;
      await this.#record({ kind: 'settled', calculationId, atMs, result, outcome: outcomeText(event) });
      this.#options.onEnding({ outcome: 'settled', event, result });
    } else if (verdict.action === 'stop') {
      await this.#stop(event, verdict.detail);
    } else {
      const { retryAfterMs, detail } = verdict;
      const facts = { attempts: due.attempts, ageMs: atMs - due.reportedAtMs, retryAfterMs };
      const delayMs = nextDelayMs(facts, this.#options.backoff, Math.random());
      if (delayMs === undefined) return this.#stop(event, `no answer in time; the last attempt: ${detail}`);
      this.#schedule.add(calculationId, atMs + delayMs);
      this.#options.onRetry(event, detail, delayMs);
    }
    this.#compactWhenDue();
  }

  async #stop(event: SaleEvent, detail: string): Promise<void> {
    await this.#record({ kind: 'stopped', calculationId: event.calculationId, atMs: Date.now(), detail });
    this.#options.onEnding({ outcome: 'stopped', event, detail });
  }

  /** An outage holds all events back, each time longer, so that a long one is not made longer by those who wait. */
  #noteOutage(verdict: SaleVerdict): void {
    if (verdict.action !== 'retry' || !verdict.isOutage) {
      this.#outages = 0;
      return;
    }
    this.#outages += 1;
    const facts = { attempts: this.#outages, ageMs: 0, retryAfterMs: verdict.retryAfterMs };
    const { firstDelayMs, longestDelayMs } = this.#options.backoff;
    const pauseMs = nextDelayMs(facts, { firstDelayMs, longestDelayMs, horizonMs: Infinity }, Math.random())!;
    this.#pausedUntilMs = Date.now() + pauseMs;
  }

  #compactWhenDue(): void {
    const needed = this.#ledger.size;
    if (this.#compaction || this.#recordsStored < 2 * needed + COMPACTION_SLACK) return;
    const records = this.#ledger.records();
    this.#compaction = this.#options.store
      .replace(records)
      .then(() => {
        this.#recordsStored = records.length;
      })
      .catch((error: Error) => this.#options.onFault(`the outbox could not be compacted: ${error.message}`))
      .finally(() => {
        this.#compaction = undefined;
      });
  }
}

const REFUSALS = {
  superseded: 'a later calculation took its place; no event is expected for it',
  conflicting: 'another outcome was reported before, and the first decides',
} as const;
