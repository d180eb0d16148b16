import { MAX_REMEMBERED } from '../limits.ts';
import { factsOf, type RefusalFacts } from '../refusal.ts';
import type { SaleEvent } from '../sale.ts';
import type { OutboxRecord } from './store.ts';

/** An event on its way to the service. */
export interface DueEvent {
  readonly event: SaleEvent;
  /** When it was reported, Unix time in milliseconds. */
  readonly reportedAtMs: number;
  /** The same moment on the clock of `performance.now()`, which nobody sets; the horizon counts from here. */
  readonly dueSinceMs: number;
  attempts: number;
}

/** An event that is not sent any more and waits for a person. */
export interface StoppedEvent extends RefusalFacts {
  readonly event: SaleEvent;
  readonly reportedAtMs: number;
  readonly detail: string;
}

/** A calculation that was asked for and has no event yet. */
export interface CalledCalculation {
  readonly calculationId: string;
  /** When the basket call began, Unix time in milliseconds, by the clock of the process that made it. */
  readonly calledAtMs: number;
}

/** The record that ended a calculation for good. */
type EndRecord = Extract<OutboxRecord, { readonly kind: 'settled' | 'superseded' }>;

/** What the ledger already knows of a calculation that is reported, or `new`. */
export type Standing = 'new' | 'repeated' | 'conflicting' | 'superseded';

/**
 * What is known of every calculation: the records of the store, applied one by one. Settled and superseded ones are
 * remembered up to a bound, the oldest forgotten first: what is reported again after that is a `duplicate` to the service.
 */
export class Ledger {
  readonly due = new Map<string, DueEvent>();
  readonly stopped = new Map<string, StoppedEvent>();
  /** Without an event so far. A calculation leaves when anything else becomes known of it. */
  readonly called = new Map<string, CalledCalculation>();
  /** Calculation → the record that ended it. */
  readonly #ended = new Map<string, EndRecord>();

  apply(record: OutboxRecord): void {
    const { kind, calculationId, atMs } = record;
    if (kind === 'called' && this.isDecided(calculationId)) return;
    const reported = this.#reported(calculationId);
    for (const noted of [this.called, this.due, this.stopped, this.#ended]) noted.delete(calculationId);
    if (kind === 'called') note(this.called, calculationId, { calculationId, calledAtMs: atMs });
    else if (kind === 'due') this.due.set(calculationId, dueEventOf(record));
    else if (kind !== 'stopped') note(this.#ended, calculationId, record);
    else if (reported) {
      const { event, reportedAtMs } = reported;
      this.stopped.set(calculationId, { event, reportedAtMs, detail: record.detail, ...factsOf(record) });
    }
  }

  /** How an event stands to what was reported before: exactly one is sent per calculation, and the first decides. */
  standingOf(event: SaleEvent): Standing {
    const { calculationId } = event;
    const ended = this.#ended.get(calculationId);
    // Its successor may never have reached the service; then this ends what it holds, and else it changes nothing.
    if (ended?.kind === 'superseded') return event.status === 'cancelled' ? 'new' : 'superseded';
    const reported = this.#reported(calculationId);
    const outcome = reported ? outcomeText(reported.event) : ended?.outcome;
    if (outcome === undefined) return 'new';
    return outcome === outcomeText(event) ? 'repeated' : 'conflicting';
  }

  /** Records that a compacted store holds. */
  get size(): number {
    return this.called.size + this.due.size + 2 * this.stopped.size + this.#ended.size;
  }

  /** True when an event was reported for the calculation, or none is expected. */
  isDecided(calculationId: string): boolean {
    return this.#reported(calculationId) !== undefined || this.#ended.has(calculationId);
  }

  /** As few records as say the same: what a compacted store holds. */
  records(): OutboxRecord[] {
    const calculationIds = [this.#ended, this.called, this.stopped, this.due].flatMap((noted) => [...noted.keys()]);
    return calculationIds.flatMap((calculationId) => this.recordsOf(calculationId));
  }

  /** The same for one calculation; none for an unknown or forgotten one. */
  recordsOf(calculationId: string): OutboxRecord[] {
    const ended = this.#ended.get(calculationId);
    if (ended) return [ended];
    const called = this.called.get(calculationId);
    if (called) return [{ kind: 'called', calculationId, atMs: called.calledAtMs }];
    const reported = this.#reported(calculationId);
    if (!reported) return [];
    const { event, reportedAtMs: atMs } = reported;
    const due: OutboxRecord = { kind: 'due', calculationId, atMs, event };
    const stopped = this.stopped.get(calculationId);
    if (!stopped) return [due];
    return [due, { kind: 'stopped', calculationId, atMs, detail: stopped.detail, ...factsOf(stopped) }];
  }

  /** The event that is on its way, or stopped. */
  #reported(calculationId: string): DueEvent | StoppedEvent | undefined {
    return this.due.get(calculationId) ?? this.stopped.get(calculationId);
  }
}

/** One of an earlier process is as old as the clock says now; one from the future is new. */
function dueEventOf({ event, atMs }: Extract<OutboxRecord, { readonly kind: 'due' }>): DueEvent {
  const ageMs = Math.max(0, Date.now() - atMs);
  return { event, reportedAtMs: atMs, dueSinceMs: performance.now() - ageMs, attempts: 0 };
}

/** Enters as the latest, and forgets the oldest beyond what is remembered. */
function note<Value>(noted: Map<string, Value>, calculationId: string, value: Value): void {
  noted.set(calculationId, value);
  if (noted.size > MAX_REMEMBERED) noted.delete(noted.keys().next().value as string);
}

/** The fields that make two events the same outcome. */
export function outcomeText({ status, transactionId, failureReason }: SaleEvent): string {
  return JSON.stringify([status, transactionId, failureReason]);
}
