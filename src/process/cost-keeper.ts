import { randomUUID } from 'node:crypto';
import type { PricingContext } from '../calls/call.ts';
import { type Redemption, rowsOf } from '../calls/redemption.ts';
import { addCostRows, addFigures, type CostDays, type CostFigures, type CostNames } from '../store/cost-rows.ts';
import { BenefitCosts } from '../telemetry/benefit-costs.ts';
import type { Logger } from '../telemetry/log.ts';

const INTERVAL_MS = 1000;
/** Days that wait for Redis; more are only met when tills deliver very old sales while it is away. */
const MAX_WAITING_DAYS = 100;

/** What a process has counted of some days since its last report, by venue, tier, share, currency and benefit. */
interface Changes {
  readonly days: CostDays;
  readonly rows: Map<string, CostNames & { readonly figures: CostFigures }>;
}

/** A report that Redis may have: it is repeated under its number until Redis has answered. */
interface Report {
  readonly number: number;
  readonly changes: Changes;
}

/**
 * Counts what benefits cost and sales brought in this process, for `/metrics`, and adds it once a second to the day's sums
 * in Redis, which the live page and the administration show for all processes. Only `/metrics` counts the benefits of a very
 * large configuration together. A call costs a few additions. What is counted is never doubled; a process that is
 * killed loses its last second of it.
 */
export class CostKeeper {
  readonly costs = new BenefitCosts();
  readonly #context: () => Pick<PricingContext, 'environment' | 'store'>;
  readonly #log: Logger;
  readonly #process = randomUUID();
  readonly #timer: NodeJS.Timeout;
  readonly #days = new Map<string, Changes>();
  #lastNumber = 0;
  #unanswered: Report | undefined;
  #writing: Promise<void> | undefined;

  constructor(context: () => Pick<PricingContext, 'environment' | 'store'>, log: Logger) {
    this.#context = context;
    this.#log = log;
    this.#timer = setInterval(() => void this.#write(), INTERVAL_MS).unref();
    this.expectBenefits();
  }

  /** Starts the rows of the configuration's benefits; again after a reload. */
  expectBenefits(): void {
    const { venues } = this.#context().environment;
    for (const { programme, currencies } of venues) {
      for (const { benefitId, currencies: priced = currencies } of programme.benefits) {
        for (const currency of currencies) {
          if (priced.includes(currency)) this.costs.expect(programme.programmeId, benefitId, currency);
        }
      }
    }
  }

  add(redemption: Redemption): void {
    const { fate, programmeId, currency, benefits } = redemption;
    const changes = this.#changesOf(redemption);
    if (changes) addRows(changes, redemption);
    // Prometheus counts what was given; a conflict changes nothing of it.
    if (fate === 'conflict') return;
    for (const { benefitId, units, saved } of benefits) {
      this.costs.add({ programmeId, benefitId, currency, units, saved });
    }
  }

  /** Writes what is left, if Redis takes it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#write();
  }

  #changesOf({ calculated, booked }: CostDays): Changes | undefined {
    const key = `${calculated} ${booked}`;
    let changes = this.#days.get(key);
    if (!changes && this.#days.size < MAX_WAITING_DAYS) {
      changes = { days: { calculated, booked }, rows: new Map() };
      this.#days.set(key, changes);
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
    const { store } = this.#context();
    for (let report = this.#nextReport(); report; report = this.#nextReport()) {
      const { number, changes } = report;
      await addCostRows(store, changes.days, { process: this.#process, number }, [...changes.rows.values()]);
      this.#unanswered = undefined;
    }
  }

  #nextReport(): Report | undefined {
    if (this.#unanswered) return this.#unanswered;
    for (const [key, changes] of this.#days) {
      this.#days.delete(key);
      this.#lastNumber += 1;
      this.#unanswered = { number: this.#lastNumber, changes };
      return this.#unanswered;
    }
    return undefined;
  }
}

function addRows({ rows }: Changes, redemption: Redemption): void {
  for (const row of rowsOf(redemption)) {
    const { figures, ...names } = row;
    const key = JSON.stringify(names);
    const known = rows.get(key);
    if (known) addFigures(known.figures, figures);
    else rows.set(key, row);
  }
}
