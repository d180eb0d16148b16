/** What a run has done, for its report. */
export class Tally {
  histories = 0;
  /** Requests sent by histories, retries included. */
  calls = 0;
  /** Steps whose every answer and every trace in Redis the model explained. */
  exact = 0;
  /** Requests that were answered 503 or not at all. */
  refused = 0;
  /** Steps without a fault in which a call was refused, because the machine was busy. */
  busy = 0;
  /** Idempotency windows that passed, and jumps of Redis' clock. */
  windows = 0;
  /** Returns that were booked. */
  returns = 0;
  jumps = 0;
  readonly faults = new Map<string, number>();

  countFault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  get text(): string {
    const faults = [...this.faults.values()].reduce((sum, count) => sum + count, 0);
    const kinds = [...this.faults].toSorted().map(([kind, count]) => `${kind} ${count}`);
    return (
      `${this.histories} histories, ${this.calls} calls (${this.refused} refused), ${this.exact} steps explained exactly, ` +
      `${this.busy} steps under load, ${this.windows} windows passed, ${this.returns} returns, ${this.jumps} jumps of the clock, ${faults} faults${faults > 0 ? ` (${kinds.join(', ')})` : ''}`
    );
  }
}
