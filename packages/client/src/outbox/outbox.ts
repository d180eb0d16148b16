import type { AttemptResult } from '../attempt.ts';
import type { TellFault } from '../faults.ts';
import type { SaleBackoff } from '../limits.ts';
import type { RefusalFacts } from '../refusal.ts';
import type { SaleEvent, SaleResult } from '../sale.ts';
import { Journal } from './journal.ts';
import { type CalledCalculation, outcomeText, type StoppedEvent } from './ledger.ts';
import { judgeSaleAttempt, retryDelayMs, type SaleVerdict } from './sale-retry.ts';
import type { OutboxStore } from './store.ts';

/** What became of a report. `superseded` and `conflicting` ones are not sent; nobody waits for any of them. */
export interface Receipt {
  readonly outcome: 'queued' | 'repeated' | 'conflicting' | 'superseded' | 'invalid';
  /**
   * True when the store has the event. False when it refused: the event is sent all the same, but a crash before that
   * would lose it. Reporting it again also offers it to the store again.
   */
  readonly isDurable: boolean;
  readonly detail?: string;
}

/** How an event ended. `stopped` needs a person; the event is kept and can be sent again. */
export type SaleEnding =
  | { readonly outcome: 'settled'; readonly event: SaleEvent; readonly result: SaleResult }
  | ({ readonly outcome: 'stopped'; readonly event: SaleEvent; readonly detail: string } & RefusalFacts);

export interface OutboxOptions {
  readonly store: OutboxStore;
  readonly send: (event: SaleEvent) => Promise<AttemptResult>;
  readonly backoff: SaleBackoff;
  readonly onEnding: (ending: SaleEnding) => void;
  /** Told of every attempt that will be made again, for logs. */
  readonly onRetry: (event: SaleEvent, detail: string, delayMs: number, facts: RefusalFacts) => void;
  readonly onFault: TellFault;
}

/** Attempts under way at once: a backlog drains fast and still leaves the service's rate to the tills. */
const PARALLEL = 4;
/** A longer timer overflows, and then fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends every reported event until the service has answered it finally: exactly one event per calculation. An event is
 * in the store before it is sent, and struck out after its answer, so a crash at any moment sends it once more at most,
 * and the service answers `duplicate`.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #journal: Journal;
  /** Calculations that an earlier process asked for and never reported. */
  readonly #leftOver: ReadonlySet<string>;
  /**
   * What is to be sent, in the order of the instants from which it may be. They are on the clock of `performance.now()`, as
   * every wait here: a clock that is set must keep no event back.
   */
  readonly #queue: { readonly atMs: number; readonly calculationId: string }[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** While the service is out of reach one event at a time asks whether it is back. */
  #outages = 0;
  #pausedUntilMs = 0;
  #isClosed = false;

  private constructor(options: OutboxOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
    this.#leftOver = new Set(journal.ledger.called.keys());
  }

  /** Reads the store and begins to send what it holds. Throws when the store cannot be read, and leaves it closed. */
  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options, await Journal.open(options.store, options.onFault));
    outbox.#tellLeftOver();
    for (const calculationId of outbox.#journal.ledger.due.keys()) outbox.#plan(calculationId);
    outbox.#wake();
    return outbox;
  }

  /** Events that have no final answer yet. */
  get pending(): number {
    return this.#journal.ledger.due.size;
  }

  /** Events that were given up, for support. */
  get stopped(): readonly StoppedEvent[] {
    return [...this.#journal.ledger.stopped.values()];
  }

  /**
   * Calculations that an earlier process asked for and that have no event yet: it ended between the call and the report.
   * The caller's own orders say what became of each, and its event is reported as usual.
   */
  get unreported(): readonly CalledCalculation[] {
    return [...this.#journal.ledger.called.values()].filter(({ calculationId }) => this.#leftOver.has(calculationId));
  }

  /** Notes that a calculation is asked for. Resolves when a crash from now on would leave it in `unreported`, or the store refuses. */
  async noteCall(calculationId: string): Promise<void> {
    await this.#enterUndecided('called', calculationId);
  }

  /** Takes an event; resolves when it is in the store. The service's answer comes through `onEnding`. */
  async report(event: SaleEvent): Promise<Receipt> {
    if (this.#isClosed) return { outcome: 'invalid', isDurable: false, detail: 'the outbox is closed' };
    const outcome = this.#journal.ledger.standingOf(event);
    if (outcome === 'new') return { outcome: 'queued', isDurable: await this.#send(event) };
    const isDurable = await this.#journal.isSaved(event.calculationId);
    return outcome === 'repeated' ? { outcome, isDurable } : { outcome, isDurable, detail: REFUSALS[outcome] };
  }

  /** A later calculation takes this one's place: it gets no event. One that was reported before stays reported. */
  supersede(calculationId: string): void {
    // The till does not wait for a disk. A mark that a crash loses is missed by nobody but a caller that errs.
    void this.#enterUndecided('superseded', calculationId);
  }

  /** Puts every stopped event back, with 24 hours before it; returns how many. For support, when the cause is mended. */
  async resendStopped(): Promise<number> {
    const sent = await Promise.all(this.stopped.map(({ event }) => this.#send(event)));
    return sent.length;
  }

  /** Ends the sending and closes the store. What is pending stays in it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#underWay);
    await this.#journal.close();
  }

  /** What waits for a person is named at every start, or a crash would silence it. */
  #tellLeftOver(): void {
    const { onFault } = this.#options;
    const stopped = this.stopped.map(({ event }) => event.calculationId);
    const leftOver = [...this.#leftOver];
    if (stopped.length > 0) onFault('sale events wait for support: see stoppedSales', stopped);
    if (leftOver.length > 0)
      onFault('calculations of an earlier run have no sale event: see unreportedSales', leftOver);
  }

  async #enterUndecided(kind: 'called' | 'superseded', calculationId: string): Promise<void> {
    if (this.#isClosed || this.#journal.ledger.isDecided(calculationId)) return;
    await this.#journal.enter({ kind, calculationId, atMs: Date.now() });
  }

  /** Sends an event once it is in the store, or was refused by it. Resolves to whether it is there. */
  async #send(event: SaleEvent): Promise<boolean> {
    const { calculationId } = event;
    const isDurable = await this.#journal.enter({ kind: 'due', calculationId, atMs: Date.now(), event });
    this.#plan(calculationId);
    this.#wake();
    return isDurable;
  }

  #plan(calculationId: string, atMs = performance.now()): void {
    // Nearly always behind the last one; and a backlog of a day is moved in memory faster than a line is written.
    const behind = this.#queue.findLastIndex((planned) => planned.atMs <= atMs);
    this.#queue.splice(behind + 1, 0, { atMs, calculationId });
  }

  #wake(): void {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    const places = this.#outages > 0 ? 1 : PARALLEL;
    while (!this.#isClosed && this.#queue.length > 0 && this.#underWay.size < places) {
      const waitMs = Math.max(this.#queue[0]!.atMs, this.#pausedUntilMs) - nowMs;
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#wake(), Math.min(waitMs, LONGEST_TIMER_MS));
        return;
      }
      this.#start(this.#queue.shift()!.calculationId);
    }
  }

  #start(calculationId: string): void {
    const sending: Promise<void> = this.#sendOnce(calculationId)
      .catch((error: Error) => this.#options.onFault(`a callback threw: ${error?.message}`, [calculationId]))
      .finally(() => {
        this.#underWay.delete(sending);
        this.#wake();
      });
    this.#underWay.add(sending);
  }

  /** One attempt and what follows from it. Rejects only where a callback throws, which comes last. */
  async #sendOnce(calculationId: string): Promise<void> {
    const due = this.#journal.ledger.due.get(calculationId)!;
    const { event } = due;
    due.attempts += 1;
    const verdict = judgeSaleAttempt(await this.#options.send(event));
    this.#noteOutage(verdict);
    if (verdict.action === 'settle') {
      const { result } = verdict;
      const atMs = Date.now();
      await this.#journal.enter({ kind: 'settled', calculationId, atMs, result, outcome: outcomeText(event) });
      // Nothing that a callback returns is waited for: one that closes the client would wait for itself.
      this.#options.onEnding({ outcome: 'settled', event, result });
      return;
    }
    const { detail, facts } = verdict;
    if (verdict.action === 'stop') return this.#stop(event, detail, facts);
    const { backoff, onRetry } = this.#options;
    const delayMs = retryDelayMs(due.attempts, verdict.retryAfterMs, backoff, Math.random());
    const atMs = performance.now() + delayMs;
    if (atMs > due.dueSinceMs + backoff.horizonMs) {
      return this.#stop(event, `no answer in time; the last attempt: ${detail}`, facts);
    }
    this.#plan(calculationId, atMs);
    onRetry(event, detail, delayMs, facts);
  }

  async #stop(event: SaleEvent, detail: string, facts: RefusalFacts): Promise<void> {
    const { calculationId } = event;
    await this.#journal.enter({ kind: 'stopped', calculationId, atMs: Date.now(), detail, ...facts });
    this.#options.onEnding({ outcome: 'stopped', event, detail, ...facts });
  }

  /** An outage holds all events back, each time longer, so that a long one is not made longer by those who wait. */
  #noteOutage(verdict: SaleVerdict): void {
    const isOutage = verdict.action === 'retry' && verdict.isOutage;
    this.#outages = isOutage ? this.#outages + 1 : 0;
    if (!isOutage) return;
    const pauseMs = retryDelayMs(this.#outages, verdict.retryAfterMs, this.#options.backoff, Math.random());
    this.#pausedUntilMs = performance.now() + pauseMs;
  }
}

const REFUSALS = {
  superseded: 'a later calculation took its place; no event is expected for it',
  conflicting: 'another outcome was reported before, and the first decides',
} as const;
