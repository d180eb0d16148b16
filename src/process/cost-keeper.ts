import { randomUUID } from 'node:crypto';
import type { PricingContext } from '../calls/call.ts';
import { type CostEntry, rowsOf } from '../calls/cost-entry.ts';
import { addCostRows, addFigures, type CostDays, type CostFigures, type CostNames } from '../store/cost-rows.ts';
import { BenefitCosts } from '../telemetry/benefit-costs.ts';
import type { Logger } from '../telemetry/log.ts';

const INTERVAL_MS = 1000;
/** Days that wait for Redis; more are only met when tills deliver very old sales while it is away. */
const MAX_WAITING_DAYS = 100;
/** While Redis is away every report fails; one log line a minute is enough. */
const WARN_MS = 60_000;

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
 * killed loses its last second of it, and one that ends while Redis is away what Redis had not taken. A report that Redis does not take waits, and so do those behind it.
 */
export class CostKeeper {
  readonly costs = new BenefitCosts();
  readonly #context: () => Pick<PricingContext, 'environment' | 'store'>;
  readonly #log: Logger;
  readonly #onDrop: () => void;
  /** When a warning was logged last. */
  readonly #warnedMs = new Map<string, number>();
  readonly #process = randomUUID();
  readonly #timer: NodeJS.Timeout;
  readonly #days = new Map<string, Changes>();
  /** Sales of which Redis has to say first whether they are ours to count. */
  #asked: CostEntry[] = [];
  #lastNumber = 0;
  #unanswered: Report | undefined;
  #writing: Promise<void> | undefined;

  /** `onDrop` is told of each entry that the sums in Redis will lack, because too many days wait. */
  constructor(context: () => Pick<PricingContext, 'environment' | 'store'>, log: Logger, onDrop: () => void) {
    [this.#context, this.#log, this.#onDrop] = [context, log, onDrop];
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

  add(costEntry: CostEntry): void {
    if (costEntry.isOurs) return void this.#asked.push(costEntry);
    const { fate, programmeId, currency, benefits } = costEntry;
    const changes = this.#changesOf(costEntry);
    if (changes) addRows(changes, costEntry);
    else this.#drop(costEntry);
    // Prometheus counts what was given; a conflict changes nothing of it.
    if (fate === 'conflict') return;
    for (const { benefitId, units, saved } of benefits) {
      this.costs.add({ programmeId, benefitId, currency, units, saved });
    }
  }

  /** Writes what is left, if Redis takes it; the log says what it has not taken, which ends with the process. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#write();
    const unwritten = [...(this.#unanswered ? [this.#unanswered.changes] : []), ...this.#days.values()];
    const sales = this.#asked.length;
    if (unwritten.length === 0 && sales === 0) return;
    this.#log.error({ days: [...new Set(unwritten.map(({ days }) => days.calculated))], sales }, 'costs lost');
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

  #drop({ calculated, booked }: CostDays): void {
    this.#onDrop();
    this.#warn('costs dropped', { calculated, booked, reason: `${MAX_WAITING_DAYS} other days wait for Redis` });
  }

  /** Logs it, at most once a minute. */
  #warn(message: string, facts: Readonly<Record<string, string>>): void {
    const nowMs = performance.now();
    if (nowMs - (this.#warnedMs.get(message) ?? Number.NEGATIVE_INFINITY) < WARN_MS) return;
    this.#warnedMs.set(message, nowMs);
    this.#log.warn(facts, message);
  }

  /** Never rejects. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll()
      .catch((error: Error) => this.#warn('costs wait', { reason: error.message }))
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { store } = this.#context();
    await this.#askForReplies();
    for (let report = this.#nextReport(); report; report = this.#nextReport()) {
      const { number, changes } = report;
      await addCostRows(store, changes.days, { process: this.#process, number }, [...changes.rows.values()]);
      this.#unanswered = undefined;
    }
  }

  /** Counts what is ours of the sales whose reply was lost. What Redis does not say yet waits, and nothing else for it. */
  async #askForReplies(): Promise<void> {
    for (const { isOurs, ...costEntry } of this.#asked.splice(0)) {
      try {
        if (await isOurs?.()) this.add(costEntry);
      } catch (error) {
        this.#asked.push({ ...costEntry, ...(isOurs && { isOurs }) });
        this.#warn('costs wait', { reason: (error as Error).message });
      }
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

function addRows({ rows }: Changes, costEntry: CostEntry): void {
  for (const row of rowsOf(costEntry)) {
    const { figures, ...names } = row;
    const key = JSON.stringify(names);
    const known = rows.get(key);
    if (known) addFigures(known.figures, figures);
    else rows.set(key, row);
  }
}
