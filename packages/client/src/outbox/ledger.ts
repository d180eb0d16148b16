import type { SaleEvent } from '../../../../src/contract/sale.ts';
import { MAX_REMEMBERED } from '../limits.ts';
import type { OutboxRecord } from './store.ts';

/** An event on its way to the service. */
export interface DueEvent {
  readonly event: SaleEvent;
  /** When it was reported; the horizon counts from here, over restarts. */
  readonly reportedAtMs: number;
  attempts: number;
}

/** An event that is not sent any more and waits for a person. */
export interface StoppedEvent {
  readonly event: SaleEvent;
  readonly reportedAtMs: number;
  readonly detail: string;
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
  /** Calculation → the record that ended it. */
  readonly #ended = new Map<string, EndRecord>();

  apply(record: OutboxRecord): void {
    const { calculationId, atMs } = record;
    const event = this.due.get(calculationId)?.event ?? this.stopped.get(calculationId)?.event;
    const reportedAtMs = this.due.get(calculationId)?.reportedAtMs ?? atMs;
    this.due.delete(calculationId);
    this.stopped.delete(calculationId);
    if (record.kind === 'due') this.due.set(calculationId, { event: record.event, reportedAtMs: atMs, attempts: 0 });
    else if (record.kind !== 'stopped') this.#end(record);
    else if (event) this.stopped.set(calculationId, { event, reportedAtMs, detail: record.detail });
  }

  /** How an event stands to what was reported before: exactly one is sent per calculation, and the first decides. */
  standingOf(event: SaleEvent): Standing {
    const { calculationId } = event;
    const ended = this.#ended.get(calculationId);
    if (ended?.kind === 'superseded') return 'superseded';
    const earlier = this.due.get(calculationId)?.event ?? this.stopped.get(calculationId)?.event;
    const outcome = earlier ? outcomeText(earlier) : ended?.outcome;
    if (outcome === undefined) return 'new';
    return outcome === outcomeText(event) ? 'repeated' : 'conflicting';
  }

  /** Records that a compacted store holds. */
  get size(): number {
    return this.due.size + 2 * this.stopped.size + this.#ended.size;
  }

  isKnown(calculationId: string): boolean {
    return this.due.has(calculationId) || this.stopped.has(calculationId) || this.#ended.has(calculationId);
  }

  /** As few records as say the same: what a compacted store holds. */
  records(): OutboxRecord[] {
    const stopped = [...this.stopped].flatMap(([calculationId, { event, reportedAtMs, detail }]): OutboxRecord[] => [
      { kind: 'due', calculationId, atMs: reportedAtMs, event },
      { kind: 'stopped', calculationId, atMs: reportedAtMs, detail },
    ]);
    const due = [...this.due].map(
      ([calculationId, { event, reportedAtMs }]): OutboxRecord => ({
        kind: 'due',
        calculationId,
        atMs: reportedAtMs,
        event,
      }),
    );
    return [...this.#ended.values(), ...stopped, ...due];
  }

  #end(record: EndRecord): void {
    this.#ended.delete(record.calculationId);
    this.#ended.set(record.calculationId, record);
    if (this.#ended.size > MAX_REMEMBERED) this.#ended.delete(this.#ended.keys().next().value as string);
  }
}

/** The fields that make two events the same outcome. */
export function outcomeText({ status, transactionId, failureReason }: SaleEvent): string {
  return JSON.stringify([status, transactionId, failureReason]);
}
