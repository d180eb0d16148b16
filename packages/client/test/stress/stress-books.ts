import type { SaleEvent } from 'loyalty-basket-client';
import type { ServiceBooks } from '../../../../packages/simulator/src/reconcile.ts';
import type { Line } from './till.ts';

/** All that the tills ever said of a calculation. */
interface Entry {
  isAnswered: boolean;
  /** The service had answered, so it knows the calculation. */
  wasDecidedThere: boolean;
  /** Its successor was asked for: from here on it may have an event or none. */
  isSuperseding: boolean;
  /** Its successor was answered: from here on it has none. */
  isSuperseded: boolean;
  event: SaleEvent | undefined;
  /** A receipt said that the event is on the disk. */
  isDurable: boolean;
  /** The client itself named it as not written or damaged. */
  isRefused: boolean;
  /** The client itself named it as unreported. */
  isUnreported: boolean;
  readonly endings: Set<string>;
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
        for (const calculationId of line.unreported) this.#of(calculationId).isUnreported = true;
        return this.#count('named: unreported', line.unreported.length);
      case 'answered': {
        const entry = this.#of(line.calculationId);
        entry.isAnswered = true;
        entry.wasDecidedThere ||= DECIDED.includes(line.status);
        this.#count(line.status);
        return;
      }
      case 'superseding':
        this.#of(line.calculationId).isSuperseding = true;
        return;
      case 'superseded':
        this.#of(line.calculationId).isSuperseded = true;
        return;
      case 'reporting':
        this.#of(line.event.calculationId).event = line.event;
        return;
      case 'reported':
        this.#count(`${line.outcome}, ${line.isDurable ? 'durable' : 'not durable'}`);
        if (line.isDurable) this.#of(line.calculationId).isDurable = true;
        else this.#of(line.calculationId).isRefused = true;
        return;
      case 'ended':
        this.#count(line.outcome);
        this.#of(line.calculationId).endings.add(line.outcome);
        return;
      case 'fault':
        // At a start unreported calculations are told too; that is no refusal.
        if (line.detail.includes('unreportedSales')) return;
        for (const calculationId of line.calculationIds) this.#of(calculationId).isRefused = true;
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
      if (fault)
        faults.push(`${calculationId}: ${fault} ${JSON.stringify({ ...entry, endings: [...entry.endings], there })}`);
    }
    return faults;
  }

  #findFault(entry: Entry, saleStatus: string | undefined, recorded: number): string | undefined {
    const { event, endings } = entry;
    if (recorded > 1) return 'recorded twice';
    if (endings.has('stopped')) return 'stopped';
    const isDelivered = recorded === 1 || endings.has('unknown_calculation') || endings.has('duplicate');
    if (isDelivered) {
      // A mark that a full disk refused is gone after a crash.
      if (entry.isSuperseded && !entry.isRefused) return 'an event of a superseded calculation';
      if (recorded === 1 && event && saleStatus !== event.status) return `recorded as ${saleStatus}`;
      // The service forgets nothing that it answered.
      return recorded === 0 && entry.wasDecidedThere ? 'unknown there' : undefined;
    }
    if (entry.isDurable) return 'lost: it was called durable';
    // Killed before it heard anything of the call, the caller has promised nothing.
    if (entry.isSuperseding || (!entry.isAnswered && !event)) return undefined;
    if (!entry.isRefused && !entry.isUnreported) return 'lost, and named nowhere';
    this.#count('undelivered and named');
    return undefined;
  }

  #of(calculationId: string): Entry {
    const entry = this.#entries.get(calculationId) ?? {
      isAnswered: false,
      wasDecidedThere: false,
      isSuperseding: false,
      isSuperseded: false,
      event: undefined,
      isDurable: false,
      isRefused: false,
      isUnreported: false,
      endings: new Set<string>(),
    };
    this.#entries.set(calculationId, entry);
    return entry;
  }

  #count(what: string, more = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + more;
  }
}
