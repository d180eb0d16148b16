import type { SaleEvent } from 'loyalty-basket-client';
import type { ServiceBooks } from '../../../../packages/simulator/src/reconcile.ts';
import type { Line } from './till.ts';

/** What is known of a calculation. */
type Mark =
  | 'answered'
  /** The service had answered, so it knows the calculation. */
  | 'decided there'
  /** Its successor was asked for: from here on it may have an event or none. */
  | 'superseding'
  /** Its successor was answered: from here on it has none. */
  | 'superseded'
  /** A receipt said that the event is on the disk. */
  | 'durable'
  /** The client itself named it as not written or damaged. */
  | 'refused'
  /** The client itself named it as unreported. */
  | 'unreported';

/** All that the tills ever said of a calculation. */
interface Entry {
  readonly marks: Set<Mark>;
  readonly endings: Set<string>;
  event?: SaleEvent;
}

/** The service has answered, so it knows the calculation from then on. */
const DECIDED: readonly string[] = ['applied', 'unchanged', 'member_not_found'];

/** The books of all tills over all their lives, from their lines. */
export class StressBooks {
  readonly #entries = new Map<string, Entry>();
  readonly counts: Record<string, number> = {};

  note(line: Line): void {
    this.#count(line.step);
    switch (line.step) {
      case 'open':
        this.#mark('unreported', line.unreported);
        return this.#count('named: unreported', line.unreported.length);
      case 'answered':
        this.#mark('answered', [line.calculationId]);
        if (DECIDED.includes(line.status)) this.#mark('decided there', [line.calculationId]);
        return this.#count(line.status);
      case 'superseding':
      case 'superseded':
        return this.#mark(line.step, [line.calculationId]);
      case 'reporting':
        this.#of(line.event.calculationId).event = line.event;
        return;
      case 'reported':
        this.#mark(line.isDurable ? 'durable' : 'refused', [line.calculationId]);
        return this.#count(`${line.outcome}, ${line.isDurable ? 'durable' : 'not durable'}`);
      case 'ended':
        this.#of(line.calculationId).endings.add(line.outcome);
        return this.#count(line.outcome);
      case 'fault':
        // At a start unreported calculations are told too; that is no refusal.
        if (line.detail.includes('unreportedSales')) return;
        this.#mark('refused', line.calculationIds);
        this.#count('named: refused', line.calculationIds.length);
    }
  }

  /** The events that were meant, for a till that starts again: its own orders. */
  get orders(): Record<string, SaleEvent> {
    return Object.fromEntries([...this.#entries].flatMap(([id, { event }]) => (event ? [[id, event]] : [])));
  }

  get calculations(): number {
    return this.#entries.size;
  }

  /** Everything that was lost, came twice or is named nowhere. Also counts what is undelivered and named. */
  async findFaults(service: ServiceBooks): Promise<string[]> {
    const faults: string[] = [];
    for (const [calculationId, entry] of this.#entries) {
      const there = await service(calculationId);
      const fault = this.#findFault(entry, there?.saleStatus, there?.recordedEvents ?? 0);
      const { event, marks, endings } = entry;
      const known = JSON.stringify({ event, marks: [...marks], endings: [...endings], there });
      if (fault) faults.push(`${calculationId}: ${fault} ${known}`);
    }
    return faults;
  }

  #findFault({ event, marks, endings }: Entry, saleStatus: string | undefined, recorded: number): string | undefined {
    if (recorded > 1) return 'recorded twice';
    if (endings.has('stopped')) return 'stopped';
    const isDelivered = recorded === 1 || endings.has('unknown_calculation') || endings.has('duplicate');
    if (isDelivered) {
      // A mark that a full disk refused is gone after a crash.
      if (marks.has('superseded') && !marks.has('refused')) return 'an event of a superseded calculation';
      if (recorded === 1 && event && saleStatus !== event.status) return `recorded as ${saleStatus}`;
      // The service forgets nothing that it answered.
      return recorded === 0 && marks.has('decided there') ? 'unknown there' : undefined;
    }
    if (marks.has('durable')) return 'lost: it was called durable';
    // Killed before it heard anything of the call, the caller has promised nothing.
    if (marks.has('superseding') || (!marks.has('answered') && !event)) return undefined;
    if (!marks.has('refused') && !marks.has('unreported')) return 'lost, and named nowhere';
    this.#count('undelivered and named');
    return undefined;
  }

  #mark(mark: Mark, calculationIds: readonly string[]): void {
    for (const calculationId of calculationIds) this.#of(calculationId).marks.add(mark);
  }

  #of(calculationId: string): Entry {
    const entry = this.#entries.get(calculationId) ?? { marks: new Set(), endings: new Set() };
    this.#entries.set(calculationId, entry);
    return entry;
  }

  #count(what: string, more = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + more;
  }
}
