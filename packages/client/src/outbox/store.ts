import type { RefusalFacts } from '../refusal.ts';
import type { SaleEvent, SaleResult } from '../sale.ts';

/**
 * What the outbox asks of a place that keeps its records: the file of this package, or the caller's own database. One
 * outbox at a time uses a store, and makes one call at a time.
 */
export interface OutboxStore {
  /** Every record in the order it was appended, or replaced. Called once, before anything else. */
  load(): Promise<readonly OutboxRecord[]>;
  /**
   * Resolves when the records outlive a crash of the process and of the machine. Rejects when they may not: the records of
   * that calculation are appended again later, so a store may hold a record twice.
   */
  append(records: readonly OutboxRecord[]): Promise<void>;
  /** Puts these records in the place of all others, at once or not at all. */
  replace(records: readonly OutboxRecord[]): Promise<void>;
  /** Called last, also after a `load` that rejected. */
  close(): Promise<void>;
}

/** One fact about a calculation. `atMs` is Unix time in milliseconds. */
export type OutboxRecord =
  /** A basket call began. Its calculation is to get an event, unless another takes its place. */
  | { readonly kind: 'called'; readonly calculationId: string; readonly atMs: number }
  /** The event is to be sent; the outcome that was reported first. */
  | { readonly kind: 'due'; readonly calculationId: string; readonly atMs: number; readonly event: SaleEvent }
  /** The service has answered, finally. `outcome` is what was reported, so that another outcome is noticed later. */
  | {
      readonly kind: 'settled';
      readonly calculationId: string;
      readonly atMs: number;
      readonly result: SaleResult;
      readonly outcome: string;
    }
  /** It is not sent any more: a refusal that no retry mends, or 24 hours without an answer. Support decides. */
  | ({
      readonly kind: 'stopped';
      readonly calculationId: string;
      readonly atMs: number;
      readonly detail: string;
    } & RefusalFacts)
  /** A later calculation took its place: no event is expected, and none is sent. */
  | { readonly kind: 'superseded'; readonly calculationId: string; readonly atMs: number };

/** Keeps nothing beyond the process. For tests, and for a caller that has decided to lose events with a crash. */
export function memoryStore(): OutboxStore {
  let kept: OutboxRecord[] = [];
  return {
    load: async () => [...kept],
    append: async (records) => {
      kept.push(...records);
    },
    replace: async (records) => {
      kept = [...records];
    },
    close: async () => {},
  };
}
