import { windowsOf } from '@loyalty/engine/compile/window';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Environment } from '../../../../src/programme/environment.ts';
import { ALL_BASKETS, BASKETS_WITH_BENEFITS, type CostRow, readCostRows } from '../../../../src/store/cost-rows.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { CostQuestion, Dimension } from './cost-question.ts';
import type { CostReport, Sums } from './cost-schema.ts';

/** Costs over a range of days: sums of the rows that are kept, rows of zero for what nobody used, and the range before. */

/** More rows are not answered; more rows of zero are left out. */
const MOST_ROWS = 50_000;

type ReportRow = CostReport['rows'][number];
/** The names that were asked for. */
type Names = Pick<ReportRow, 'day' | 'venueId' | 'programmeId' | 'benefitId' | 'tier' | 'share' | 'currency'>;

/** Returns nothing when there would be too many rows. Throws `StoreUnavailable`. */
export async function reportCosts(
  store: Store,
  environment: Environment,
  question: CostQuestion,
  today: string,
): Promise<CostReport | undefined> {
  const { by, days, daysBefore } = question;
  const byDay = by.includes('day');
  const table = new Table(by);
  let isMerged = false;
  for (const day of days) {
    for (const row of await readCostRows(store, day)) {
      isMerged ||= row.isMerged;
      table.add(row, day);
    }
    if (table.size > MOST_ROWS) return undefined;
  }
  const hasAllZeros = table.addZeros(environment, byDay ? days.filter((day) => day <= today) : ['']);
  if (!byDay) for (const day of daysBefore) for (const row of await readCostRows(store, day)) table.addBefore(row);
  const { from, to } = question;
  const [first, last] = [daysBefore[0], daysBefore.at(-1)];
  const before = byDay || first === undefined ? {} : { before: { from: first, to: last! } };
  return { from, to, ...before, rows: table.finish('before' in before), hasAllZeros, isMerged };
}

class Table {
  readonly #by: ReadonlySet<Dimension>;
  readonly #rows = new Map<string, ReportRow>();
  /** Sold baskets altogether, by the names without the benefit. */
  readonly #whole = new Map<string, { baskets: number; turnover: number }>();

  constructor(by: readonly Dimension[]) {
    this.#by = new Set(by);
  }

  get size(): number {
    return this.#rows.size;
  }

  add(kept: CostRow, day: string): void {
    const { figures } = kept;
    const names = this.#namesOf(kept, day);
    if (kept.benefitId === ALL_BASKETS) {
      const key = this.#wholeKey(names);
      const { baskets, turnover } = this.#whole.get(key) ?? { baskets: 0, turnover: 0 };
      this.#whole.set(key, { baskets: baskets + figures.baskets, turnover: turnover + figures.turnover });
      // Baskets without a benefit have a row too where benefits are not told apart.
      if (!this.#by.has('benefit')) this.#rowOf(names);
      return;
    }
    if (!this.#counts(kept)) return;
    const row = this.#rowOf(names);
    addTo(row, kept);
    row.undoneBaskets += figures.undoneBaskets;
    row.undoneSaved += figures.undoneSaved;
    row.undoneTurnover += figures.undoneTurnover;
  }

  addBefore(kept: CostRow): void {
    if (!this.#counts(kept)) return;
    const row = this.#rowOf(this.#namesOf(kept, ''));
    row.before ??= noSums();
    addTo(row.before, kept);
  }

  /** Adds a row of zero for each venue, benefit, currency and tier of the configuration. Returns false where they are too many. */
  addZeros({ wording }: Environment, days: readonly string[]): boolean {
    for (const { venueId, programmeId, currencies } of wording.venues) {
      const programme = wording.programmes.find((other) => other.programmeId === programmeId);
      const benefits = (programme?.benefits ?? []) as readonly BenefitDefinition[];
      const tiers = this.#by.has('tier') ? ['', ...tiersOf(benefits)] : [''];
      const benefitIds = this.#by.has('benefit') ? benefits.map(({ benefitId }) => benefitId) : [''];
      for (const day of days)
        for (const benefitId of benefitIds)
          for (const currency of currencies)
            for (const tier of tiers) {
              if (this.#rows.size > MOST_ROWS) return false;
              this.#rowOf(this.#namesOf({ venueId, programmeId, benefitId, currency, tier, share: '' }, day));
            }
    }
    return true;
  }

  finish(hasBefore: boolean): ReportRow[] {
    for (const row of this.#rows.values()) {
      const whole = this.#whole.get(this.#wholeKey(row));
      row.allBaskets = whole?.baskets ?? 0;
      row.allTurnover = whole?.turnover ?? 0;
      if (hasBefore) row.before ??= noSums();
    }
    return [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  }

  /** Benefits where they are told apart, otherwise baskets in which at least one applied, each once. */
  #counts({ benefitId }: CostRow): boolean {
    if (this.#by.has('benefit')) return benefitId !== ALL_BASKETS && benefitId !== BASKETS_WITH_BENEFITS;
    return benefitId === BASKETS_WITH_BENEFITS;
  }

  #namesOf(kept: Omit<CostRow, 'figures' | 'isMerged'>, day: string): Names {
    const by = this.#by;
    return {
      ...(by.has('day') && { day }),
      ...(by.has('venue') && { venueId: kept.venueId }),
      ...(by.has('benefit') && { programmeId: kept.programmeId, benefitId: kept.benefitId }),
      ...(by.has('tier') && { tier: kept.tier }),
      ...(by.has('share') && { share: kept.share }),
      currency: kept.currency,
    };
  }

  #rowOf(names: Names): ReportRow {
    const key = JSON.stringify(Object.values(names));
    let row = this.#rows.get(key);
    if (!row) {
      const { currency, ...others } = names;
      const none = { allBaskets: 0, allTurnover: 0, undoneBaskets: 0, undoneSaved: 0, undoneTurnover: 0 };
      row = { ...others, ...noSums(), currency, ...none };
      this.#rows.set(key, row);
    }
    return row;
  }

  #wholeKey({ day, venueId, tier, share, currency }: Names): string {
    return JSON.stringify([day, venueId, tier, share, currency]);
  }
}

function tiersOf(benefits: readonly BenefitDefinition[]): string[] {
  return [...new Set(benefits.flatMap(({ when }) => windowsOf(when).flatMap(({ tiers = [] }) => tiers)))];
}

function noSums(): Sums {
  return { soldBaskets: 0, units: 0, saved: 0, turnover: 0 };
}

function addTo(sums: Sums, { figures }: CostRow): void {
  sums.soldBaskets += figures.baskets;
  sums.units += figures.units;
  sums.saved += figures.saved;
  sums.turnover += figures.turnover;
}
