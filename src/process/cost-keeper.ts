import { randomUUID } from 'node:crypto';
import type { Redemption } from '../calls/messages.ts';
import type { Environment } from '../programme/environment.ts';
import { addCosts, type CostChange } from '../store/costs.ts';
import type { Store } from '../store/store.ts';
import { BenefitCosts } from '../telemetry/benefit-costs.ts';
import type { Logger } from '../telemetry/log.ts';

const INTERVAL_MS = 1000;
/** Days that wait for Redis; more are only met when tills deliver very old sales while it is away. */
const MAX_WAITING_DAYS = 100;

/** The configuration in force and its store. */
interface InForce {
  readonly environment: Environment;
  readonly store: Store;
}

/** Changes of one day, by fate and row. */
type Changes = Map<string, CostChange>;

/** A report that Redis may have: it is repeated under its number until Redis has answered. */
interface Report {
  readonly day: string;
  readonly number: number;
  readonly changes: readonly CostChange[];
}

/**
 * Counts what benefits cost in this process, for `/metrics`, and adds it once a second to the day's sums in Redis, which
 * the live page shows for all processes. A call costs a few additions. What is counted is never doubled; a process that is
 * killed loses its last second of it.
 */
export class CostKeeper {
  readonly costs = new BenefitCosts();
  readonly #inForce: () => InForce;
  readonly #log: Logger;
  readonly #process = randomUUID();
  readonly #timer: NodeJS.Timeout;
  readonly #days = new Map<string, Changes>();
  #lastNumber = 0;
  #unanswered: Report | undefined;
  #writing: Promise<void> | undefined;

  constructor(inForce: () => InForce, log: Logger) {
    [this.#inForce, this.#log] = [inForce, log];
    this.#timer = setInterval(() => void this.#write(), INTERVAL_MS).unref();
    this.expectBenefits();
  }

  /** Starts the rows of the configuration's benefits; again after a reload. */
  expectBenefits(): void {
    const { venues } = this.#inForce().environment;
    for (const { programme, currencies } of venues) {
      for (const { benefitId, currencies: priced = currencies } of programme.benefits) {
        for (const currency of currencies) {
          if (priced.includes(currency)) this.costs.expect(programme.programmeId, benefitId, currency);
        }
      }
    }
  }

  add({ fate, day, programmeId, currency, benefits }: Redemption): void {
    const changes = this.#changesOf(day);
    for (const { benefitId, units, saved } of benefits) {
      const row = this.costs.add(fate, { programmeId, benefitId, currency }, { units, saved });
      const key = `${fate} ${row.programmeId} ${row.benefitId} ${currency}`;
      let change = changes?.get(key);
      if (!change) {
        const { programmeId: programme, benefitId: benefit } = row;
        change = { fate, programmeId: programme, benefitId: benefit, currency, baskets: 0, units: 0, saved: 0 };
        changes?.set(key, change);
      }
      change.baskets += 1;
      change.units += units;
      change.saved += saved;
    }
  }

  /** Writes what is left, if Redis takes it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#write();
  }

  #changesOf(day: string): Changes | undefined {
    let changes = this.#days.get(day);
    if (!changes && this.#days.size < MAX_WAITING_DAYS) {
      changes = new Map();
      this.#days.set(day, changes);
    }
    return changes;
  }

  /** Never rejects. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll()
      .catch((error: Error) => this.#log.debug({ reason: error.message }, 'costs wait'))
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { store } = this.#inForce();
    for (let report = this.#nextReport(); report; report = this.#nextReport()) {
      await addCosts(store, report.day, { process: this.#process, number: report.number }, report.changes);
      this.#unanswered = undefined;
    }
  }

  #nextReport(): Report | undefined {
    if (this.#unanswered) return this.#unanswered;
    for (const [day, changes] of this.#days) {
      this.#days.delete(day);
      this.#lastNumber += 1;
      this.#unanswered = { day, number: this.#lastNumber, changes: [...changes.values()] };
      return this.#unanswered;
    }
    return undefined;
  }
}
