import { randomUUID } from 'node:crypto';
import type { Redemption } from '../calls/call.ts';
import {
  ALL_BASKETS,
  addCostRows,
  BASKETS_WITH_BENEFITS,
  type CostFigures,
  type CostNames,
  noFigures,
} from '../store/cost-rows.ts';
import { BenefitCosts } from '../telemetry/benefit-costs.ts';
import type { Logger } from '../telemetry/log.ts';
import type { InForce } from './parts.ts';

const INTERVAL_MS = 1000;
/** Days that wait for Redis; more are only met when tills deliver very old sales while it is away. */
const MAX_WAITING_DAYS = 100;

/** What a process has counted of a day since its last report, by venue, tier, share, currency and benefit. */
type Changes = Map<string, CostNames & { readonly figures: CostFigures }>;

/** A report that Redis may have: it is repeated under its number until Redis has answered. */
interface Report {
  readonly day: string;
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
  readonly #inForce: () => Pick<InForce, 'environment' | 'store'>;
  readonly #log: Logger;
  readonly #process = randomUUID();
  readonly #timer: NodeJS.Timeout;
  readonly #days = new Map<string, Changes>();
  #lastNumber = 0;
  #unanswered: Report | undefined;
  #writing: Promise<void> | undefined;

  constructor(inForce: () => Pick<InForce, 'environment' | 'store'>, log: Logger) {
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

  add(redemption: Redemption): void {
    const { fate, day, programmeId, currency, benefits } = redemption;
    const changes = this.#changesOf(day);
    if (changes) addRow(changes, redemption, ALL_BASKETS, { units: 0, saved: 0 });
    if (benefits.length === 0) return;
    const whole = { units: 0, saved: 0 };
    for (const { benefitId, units, saved } of benefits) {
      this.costs.add(fate, { programmeId, benefitId, currency }, { units, saved });
      whole.units += units;
      whole.saved += saved;
      if (changes) addRow(changes, redemption, benefitId, { units, saved });
    }
    if (changes) addRow(changes, redemption, BASKETS_WITH_BENEFITS, whole);
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
      const { day, number, changes } = report;
      await addCostRows(store, day, { process: this.#process, number }, [...changes.values()]);
      this.#unanswered = undefined;
    }
  }

  #nextReport(): Report | undefined {
    if (this.#unanswered) return this.#unanswered;
    for (const [day, changes] of this.#days) {
      this.#days.delete(day);
      this.#lastNumber += 1;
      this.#unanswered = { day, number: this.#lastNumber, changes };
      return this.#unanswered;
    }
    return undefined;
  }
}

function addRow(
  rows: Changes,
  { fate, venueId, tier, share, programmeId, currency, turnover }: Redemption,
  benefitId: string,
  { units, saved }: { readonly units: number; readonly saved: number },
): void {
  const key = JSON.stringify([venueId, tier, share, programmeId, currency, benefitId]);
  let row = rows.get(key);
  if (!row) {
    row = { venueId, tier, share, programmeId, currency, benefitId, figures: noFigures() };
    rows.set(key, row);
  }
  const { figures } = row;
  if (fate === 'undone') {
    figures.undoneBaskets += 1;
    figures.undoneUnits += units;
    figures.undoneSaved += saved;
    figures.undoneTurnover += turnover;
  } else {
    figures.baskets += 1;
    figures.units += units;
    figures.saved += saved;
    figures.turnover += turnover;
  }
}
