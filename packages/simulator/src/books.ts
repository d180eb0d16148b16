import type { LoyaltyOutcome, SaleEnding, SaleEvent } from '../../client/src/index.ts';

/** The simulated POS backend's book entry of a calculation: the caller's side of a reconciliation. */
export interface BookEntry {
  readonly calculationId: string;
  /** The outcome of the loyalty step; undefined while the call is under way. */
  outcome: LoyaltyOutcome | undefined;
  /** True when a later calculation replaced it. */
  isSuperseded: boolean;
  /** The event that was reported. */
  event: SaleEvent | undefined;
  /** Every final answer to the event; there must be exactly one. */
  readonly endings: SaleEnding[];
}

export interface ShopTotals {
  sales: number;
  cancelled: number;
  offline: number;
  cardSwaps: number;
  superseded: number;
  withoutLoyalty: number;
  /** Amounts that guests paid, and that loyalty saved them, in minor units. */
  paid: number;
  saved: number;
  /** Calls by the status of the order, and failed ones by their reason. */
  readonly outcomes: Map<string, number>;
  /** Events by the service's final answer. */
  readonly results: Map<string, number>;
  /** How long tills waited for a decision, in milliseconds. */
  readonly waitsMs: number[];
}

export class Books {
  readonly entries = new Map<string, BookEntry>();
  readonly totals: ShopTotals = {
    sales: 0,
    cancelled: 0,
    offline: 0,
    cardSwaps: 0,
    superseded: 0,
    withoutLoyalty: 0,
    paid: 0,
    saved: 0,
    outcomes: new Map(),
    results: new Map(),
    waitsMs: [],
  };

  /** Opens the entry of a new calculation. */
  open(calculationId: string): BookEntry {
    const entry: BookEntry = {
      calculationId,
      outcome: undefined,
      isSuperseded: false,
      event: undefined,
      endings: [],
    };
    this.entries.set(calculationId, entry);
    return entry;
  }

  decide(entry: BookEntry, outcome: LoyaltyOutcome): void {
    entry.outcome = outcome;
    count(this.totals.outcomes, outcome.status === 'failed' ? outcome.failureReason : outcome.status);
  }

  supersede(entry: BookEntry): void {
    entry.isSuperseded = true;
    this.totals.superseded += 1;
  }

  /** Records the client's final answer to an event. */
  end(ending: SaleEnding): void {
    this.entries.get(ending.event.calculationId)?.endings.push(ending);
    count(this.totals.results, ending.outcome === 'settled' ? ending.result : ending.outcome);
  }
}

/**
 * Returns the value below which `share` of the values lie (0.95: p95); 0 for an empty list. The list is not changed.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
