import type { AttemptResult } from '../attempt.ts';
import type { SaleBackoff } from '../limits.ts';
import type { RefusalFacts } from '../refusal.ts';
import type { SaleEvent, SaleResult } from '../sale.ts';
import { Journal, type TellFault } from './journal.ts';
import { type CalledCalculation, outcomeText, type StoppedEvent } from './ledger.ts';
import { judgeSaleAttempt, nextDelayMs, type SaleVerdict } from './sale-retry.ts';
import { Schedule } from './schedule.ts';
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
  /** On the clock of `performance.now()`, as every wait here: a clock that is set must keep no event back. */
  readonly #schedule = new Schedule();
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
    for (const [calculationId] of outbox.#journal.ledger.due) outbox.#schedule.add(calculationId, 0);
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
  unreported(): readonly CalledCalculation[] {
    return [...this.#journal.ledger.called.values()].filter(({ calculationId }) => this.#leftOver.has(calculationId));
  }

  /** Notes that a calculation is asked for. Resolves to whether a crash from now on would leave it in `unreported`. */
  async noteCall(calculationId: string): Promise<boolean> {
    if (this.#isClosed || this.#journal.ledger.isDecided(calculationId)) return true;
    return this.#journal.enter({ kind: 'called', calculationId, atMs: Date.now() });
  }

  /** Takes an event; resolves when it is in the store. The service's answer comes through `onEnding`. */
  async report(event: SaleEvent): Promise<Receipt> {
    if (this.#isClosed) return { outcome: 'invalid', isDurable: false, detail: 'the outbox is closed' };
    const { calculationId } = event;
    const standing = this.#journal.ledger.standingOf(event);
    if (standing !== 'new') {
      const isDurable = await this.#journal.isSaved(calculationId);
      if (standing === 'repeated') return { outcome: standing, isDurable };
      return { outcome: standing, isDurable, detail: REFUSALS[standing] };
    }
    const isDurable = await this.#journal.enter({ kind: 'due', calculationId, atMs: Date.now(), event });
    this.#schedule.add(calculationId, 0);
    this.#wake();
    return { outcome: 'queued', isDurable };
  }

  /** A later calculation takes this one's place: it gets no event. One that was reported before stays reported. */
  supersede(calculationId: string): void {
    if (this.#isClosed || this.#journal.ledger.isDecided(calculationId)) return;
    // The till does not wait for a disk. A mark that a crash loses is missed by nobody but a caller that errs.
    void this.#journal.enter({ kind: 'superseded', calculationId, atMs: Date.now() });
  }

  /** Puts every stopped event back, with 24 hours before it; returns how many. For support, when the cause is mended. */
  async resendStopped(): Promise<number> {
    const events = this.stopped.map(({ event }) => event);
    const entered = events.map((event) => {
      this.#schedule.add(event.calculationId, 0);
      return this.#journal.enter({ kind: 'due', calculationId: event.calculationId, atMs: Date.now(), event });
    });
    await Promise.all(entered);
    this.#wake();
    return events.length;
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
    const stopped = this.stopped.map(({ event }) => event.calculationId);
    if (stopped.length > 0) this.#options.onFault('sale events wait for support: see stoppedSales', stopped);
    if (this.#leftOver.size === 0) return;
    this.#options.onFault('calculations of an earlier run have no sale event: see unreportedSales', [
      ...this.#leftOver,
    ]);
  }

  #wake(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const nowMs = performance.now();
    const places = this.#outages > 0 ? 1 : PARALLEL;
    while (nowMs >= this.#pausedUntilMs && this.#underWay.size < places) {
      const calculationId = this.#schedule.takeDue(nowMs);
      if (calculationId === undefined) break;
      if (this.#journal.ledger.due.has(calculationId)) this.#start(calculationId);
    }
    const nextAtMs = this.#schedule.nextAtMs;
    if (nextAtMs === undefined || this.#underWay.size >= places) return;
    const waitMs = Math.max(0, nextAtMs - nowMs, this.#pausedUntilMs - nowMs);
    this.#timer = setTimeout(() => this.#wake(), Math.min(waitMs, LONGEST_TIMER_MS));
  }

  #start(calculationId: string): void {
    const sending: Promise<void> = this.#sendOnce(calculationId)
      .catch((error: Error) => this.#options.onFault(error.message, [calculationId]))
      .finally(() => {
        this.#underWay.delete(sending);
        this.#wake();
      });
    this.#underWay.add(sending);
  }

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
      this.#options.onEnding({ outcome: 'settled', event, result });
    } else if (verdict.action === 'stop') {
      await this.#stop(event, verdict.detail, verdict.facts);
    } else {
      const { retryAfterMs, detail, facts } = verdict;
      const nowMs = performance.now();
      const progress = { attempts: due.attempts, ageMs: nowMs - due.dueSinceMs, retryAfterMs };
      const delayMs = nextDelayMs(progress, this.#options.backoff, Math.random());
      if (delayMs === undefined) return this.#stop(event, `no answer in time; the last attempt: ${detail}`, facts);
      this.#schedule.add(calculationId, nowMs + delayMs);
      this.#options.onRetry(event, detail, delayMs, facts);
    }
  }

  async #stop(event: SaleEvent, detail: string, facts: RefusalFacts): Promise<void> {
    await this.#journal.enter({
      kind: 'stopped',
      calculationId: event.calculationId,
      atMs: Date.now(),
      detail,
      ...facts,
    });
    this.#options.onEnding({ outcome: 'stopped', event, detail, ...facts });
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
    this.#pausedUntilMs = performance.now() + pauseMs;
  }
}

const REFUSALS = {
  superseded: 'a later calculation took its place; no event is expected for it',
  conflicting: 'another outcome was reported before, and the first decides',
} as const;
