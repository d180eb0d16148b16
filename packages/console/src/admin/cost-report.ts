import { windowsOf } from '@loyalty/engine/compile/window';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Environment } from '../../../../src/programme/environment.ts';
import {
  ALL_BASKETS,
  BASKETS_WITH_BENEFITS,
  type CostFigures,
  type CostRow,
  readCostRows,
} from '../../../../src/store/cost-rows.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { CostQuestion, Dimension } from './cost-question.ts';
import type { CostReport, Sums } from './cost-schema.ts';

/**
 * Costs over a range of days: sums of the rows that are kept, and the range before. By the day of the calculation also rows of zero
 * for what nobody used; by the day of booking there are none, because a reload would change a month that is closed.
 */

/** More rows are not answered; more rows of zero are left out. */
const MOST_ROWS = 50_000;

type ReportRow = CostReport['rows'][number];
/** The names that were asked for. */
type Names = Pick<
  ReportRow,
  'day' | 'venueId' | 'programmeId' | 'benefitId' | 'fundedBy' | 'tier' | 'share' | 'currency'
>;
type KeptNames = Omit<CostRow, 'figures' | 'isMerged' | 'funders'> & { readonly fundedBy: string };
/** What a kept row adds to a row of the report. */
interface Addition {
  readonly names: Names;
  readonly figures: Partial<CostFigures>;
  /** Of baskets without a benefit, which have a row only if something is left of their figures. */
  readonly isBare?: true;
}

/** Returns nothing when there would be too many rows. Throws `StoreUnavailable`. */
export async function reportCosts(
  store: Store,
  environment: Environment,
  question: CostQuestion,
  today: string,
): Promise<CostReport | undefined> {
  const { by, on, days, daysBefore } = question;
  const byDay = by.includes('day');
  const table = new Table(by);
  let isMerged = false;
  for (const day of days) {
    for (const row of await readCostRows(store, day, on)) {
      isMerged ||= row.isMerged;
      table.add(row, day);
    }
    if (table.size > MOST_ROWS) return undefined;
  }
  const zeros = byDay ? days.filter((day) => day <= today) : [''];
  const hasAllZeros = on === 'booking' || table.addZeros(environment, zeros);
  if (!byDay) for (const day of daysBefore) for (const row of await readCostRows(store, day, on)) table.addBefore(row);
  const { from, to } = question;
  const [first, last] = [daysBefore[0], daysBefore.at(-1)];
  const before = byDay || first === undefined ? {} : { before: { from: first, to: last! } };
  return { from, to, ...before, rows: table.finish('before' in before), hasAllZeros, isMerged };
}

class Table {
  readonly #by: ReadonlySet<Dimension>;
  readonly #rows = new Map<string, ReportRow>();
  /** Sold baskets altogether, by the names without the benefit. */
  readonly #whole = new Map<string, { baskets: number; turnover: number; undoneTurnover: number }>();
  /** Refunds and conflicts of baskets without a benefit. */
  readonly #bare = new Map<string, { readonly names: Names; refunded: number; conflicts: number }>();

  constructor(by: readonly Dimension[]) {
    this.#by = new Set(by);
  }

  get size(): number {
    return this.#rows.size;
  }

  add(kept: CostRow, day: string): void {
    if (kept.benefitId === ALL_BASKETS) {
      const key = this.#wholeKey(this.#namesOf({ ...kept, fundedBy: '' }, day));
      const whole = this.#whole.get(key) ?? { baskets: 0, turnover: 0, undoneTurnover: 0 };
      whole.baskets += kept.figures.baskets;
      whole.turnover += kept.figures.turnover;
      whole.undoneTurnover += kept.figures.undoneTurnover;
      this.#whole.set(key, whole);
    }
    for (const { names, figures, isBare } of this.#additionsOf(kept, day)) {
      if (isBare) this.#addBare(names, figures);
      else addTo(this.#rowOf(names), figures);
    }
  }

  addBefore(kept: CostRow): void {
    for (const { names, figures, isBare } of this.#additionsOf(kept, '')) {
      if (isBare) continue;
      const row = this.#rowOf(names);
      row.before ??= noSums();
      addSums(row.before, figures);
    }
  }

  /** Adds a row of zero for each venue, benefit, currency and tier of the configuration. Returns false where they are too many. */
  addZeros({ wording }: Environment, days: readonly string[]): boolean {
    const isOfBenefits = this.#isOfBenefits;
    for (const { venueId, programmeId, currencies } of wording.venues) {
      const programme = wording.programmes.find((other) => other.programmeId === programmeId);
      const benefits = (programme?.benefits ?? []) as readonly BenefitDefinition[];
      const tiers = this.#by.has('tier') ? ['', ...tiersOf(benefits)] : [''];
      const own = isOfBenefits ? benefits : [{ benefitId: '' }];
      for (const day of days)
        for (const { benefitId, fundedBy = '' } of own as readonly Pick<BenefitDefinition, 'benefitId' | 'fundedBy'>[])
          for (const currency of currencies)
            for (const tier of tiers) {
              if (this.#rows.size > MOST_ROWS) return false;
              this.#rowOf(this.#namesOf({ venueId, programmeId, benefitId, fundedBy, currency, tier, share: '' }, day));
            }
    }
    return true;
  }

  finish(hasBefore: boolean): ReportRow[] {
    for (const { names, refunded, conflicts } of this.#bare.values()) {
      if (refunded !== 0 || conflicts !== 0) addTo(this.#rowOf(names), { refunded, conflicts });
    }
    for (const row of this.#rows.values()) {
      const whole = this.#whole.get(this.#wholeKey(row));
      row.allBaskets = whole?.baskets ?? 0;
      row.allTurnover = whole?.turnover ?? 0;
      row.allUndoneTurnover = whole?.undoneTurnover ?? 0;
      if (hasBefore) row.before ??= noSums();
    }
    return [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  }

  get #isOfBenefits(): boolean {
    return this.#by.has('benefit') || this.#by.has('fundedBy');
  }

  /**
   * What a kept row adds: a benefit where benefits are told apart, otherwise baskets in which at least one applied, each once for
   * all or for each of its funders. Refunds and conflicts are of all baskets, or of these where rows are of benefits or funders.
   */
  #additionsOf(kept: CostRow, day: string): readonly Addition[] {
    const { benefitId, funders, figures } = kept;
    const of = (fundedBy: string, named = benefitId) => this.#namesOf({ ...kept, benefitId: named, fundedBy }, day);
    const { refunded, conflicts } = figures;
    if (benefitId === ALL_BASKETS) {
      // Baskets without a benefit have a row too where benefits are not told apart.
      return [{ names: of('', ''), figures: { refunded, conflicts }, ...(this.#isOfBenefits && { isBare: true }) }];
    }
    if (benefitId === BASKETS_WITH_BENEFITS) {
      if (!this.#isOfBenefits) return [{ names: of(''), figures: { ...figures, refunded: 0, conflicts: 0 } }];
      const rest: Addition = {
        names: of('', ''),
        figures: { refunded: -refunded, conflicts: -conflicts },
        isBare: true,
      };
      if (this.#by.has('benefit')) return [rest];
      const ofBaskets = { ...figures, ...NO_UNITS };
      return [rest, ...funders.map((fundedBy) => ({ names: of(fundedBy), figures: ofBaskets }))];
    }
    const [fundedBy = ''] = funders;
    if (this.#by.has('benefit')) return [{ names: of(fundedBy), figures }];
    const { units, saved, undoneUnits, undoneSaved } = figures;
    return this.#by.has('fundedBy')
      ? [{ names: of(fundedBy), figures: { units, saved, undoneUnits, undoneSaved } }]
      : [];
  }

  #addBare(names: Names, { refunded = 0, conflicts = 0 }: Partial<CostFigures>): void {
    const key = JSON.stringify(Object.values(names));
    const bare = this.#bare.get(key) ?? { names, refunded: 0, conflicts: 0 };
    bare.refunded += refunded;
    bare.conflicts += conflicts;
    this.#bare.set(key, bare);
  }

  #namesOf(kept: KeptNames, day: string): Names {
    const by = this.#by;
    return {
      ...(by.has('day') && { day }),
      ...(by.has('venue') && { venueId: kept.venueId }),
      ...(by.has('benefit') && { programmeId: kept.programmeId, benefitId: kept.benefitId }),
      ...(by.has('fundedBy') && { fundedBy: kept.fundedBy }),
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
      const none = {
        allBaskets: 0,
        allTurnover: 0,
        allUndoneTurnover: 0,
        undoneBaskets: 0,
        undoneSaved: 0,
        undoneTurnover: 0,
      };
      const all = { undoneUnits: 0, refunded: 0, conflicts: 0 };
      row = { ...others, ...noSums(), currency, ...none, ...all };
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

/** What baskets of several funders have from their benefits. */
const NO_UNITS = { units: 0, saved: 0, undoneUnits: 0, undoneSaved: 0 };

function noSums(): Sums {
  return { soldBaskets: 0, units: 0, saved: 0, turnover: 0 };
}

function addTo(row: ReportRow, figures: Partial<CostFigures>): void {
  addSums(row, figures);
  const { undoneBaskets = 0, undoneUnits = 0, undoneSaved = 0, undoneTurnover = 0 } = figures;
  row.undoneBaskets += undoneBaskets;
  row.undoneUnits += undoneUnits;
  row.undoneSaved += undoneSaved;
  row.undoneTurnover += undoneTurnover;
  row.refunded += figures.refunded ?? 0;
  row.conflicts += figures.conflicts ?? 0;
}

function addSums(sums: Sums, { baskets = 0, units = 0, saved = 0, turnover = 0 }: Partial<CostFigures>): void {
  sums.soldBaskets += baskets;
  sums.units += units;
  sums.saved += saved;
  sums.turnover += turnover;
}
