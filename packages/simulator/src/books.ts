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

export class Books {
  readonly entries = new Map<string, BookEntry>();
  readonly totals = {
    sales: 0,
    cancelled: 0,
    offline: 0,
    cardSwaps: 0,
    superseded: 0,
    withoutLoyalty: 0,
    /** Amounts that guests paid, and that loyalty saved them, in minor units. */
    paid: 0,
    saved: 0,
    /** Calls by the status of the order, and failed ones by their reason. */
    outcomes: new Map<string, number>(),
    /** Events by the service's final answer. */
    results: new Map<string, number>(),
    /** How long tills waited for a decision, in milliseconds. */
    waitsMs: [] as number[],
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

  /** Records the client's final answer to an event. */
  end(ending: SaleEnding): void {
    this.entries.get(ending.event.calculationId)?.endings.push(ending);
    count(this.totals.results, ending.outcome === 'settled' ? ending.result : ending.outcome);
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
