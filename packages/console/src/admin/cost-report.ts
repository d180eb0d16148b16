import { type Static, Type } from '@loyalty/contract/schema-type';
import { entriesOf } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Environment } from '../../../../src/programme/environment.ts';
import {
  ALL_BASKETS,
  addFigures,
  BASKETS_WITH_BENEFITS,
  type CostFigures,
  type CostNames,
  type CostRow,
  noFigures,
  readCostRows,
} from '../../../../src/store/cost-rows.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { CostQuestion, Dimension } from './cost-question.ts';
import { count, described, flag, list, money, object, optional, text } from './schema-words.ts';

/**
 * Costs over a range of days: sums of the rows that are kept, and the range before. By the day of the calculation also rows of zero
 * for what nobody used; by the day of booking there are none, because a reload would change a month that is closed.
 */

const day = Type.String({ format: 'date' });
const sums = { soldBaskets: count, units: count, saved: money, turnover: money };
const Sums = object(sums);
const range = object({ from: day, to: day });

export const Costs = object({
  from: day,
  to: day,
  before: optional(
    described(range, 'The days of `before` in rows, as many as asked for. Missing where not all of them are kept.'),
  ),
  rows: list(
    object({
      day: optional(day),
      venueId: optional(text),
      programmeId: optional(text),
      benefitId: optional(described(text, 'Empty for the refunds and conflicts of baskets without a benefit.')),
      fundedBy: optional(described(text, 'Who pays for the benefit; empty where nobody is named.')),
      tier: optional(described(text, 'Empty for members without one.')),
      share: optional(described(text, 'The share of members that they are in; empty for the others.')),
      currency: text,
      ...sums,
      allBaskets: described(count, 'Sold baskets with or without a benefit.'),
      allTurnover: described(money, 'What was paid in those, in minor units.'),
      allUndoneTurnover: described(money, 'What returns and decisions took back of all of those.'),
      undoneBaskets: described(count, 'Of the sold baskets, those of which a return or a decision left nothing.'),
      undoneSaved: money,
      undoneTurnover: described(money, 'What guests got back of the baskets in which the benefit was lost.'),
      undoneUnits: described(count, 'The discounted units that were lost.'),
      refunded: described(
        money,
        'What returns refunded, in minor units: of all baskets; of those of the benefit or its funder where these are told apart.',
      ),
      conflicts: described(count, 'Sales of which a second outcome was reported, of the same baskets.'),
      before: optional(described(Sums, 'The same in the range before, where rows are not told apart by day.')),
    }),
  ),
  hasAllZeros: described(
    flag,
    'False: there would be too many rows of zero, and some are left out. By the day of booking there are none.',
  ),
  isMerged: described(flag, 'True: a day had more than 10,000 rows; some name no venue, tier or share.'),
});
export type CostReport = Static<typeof Costs>;

/** More rows are not answered; more rows of zero are left out. */
const MOST_ROWS = 50_000;

type ReportRow = CostReport['rows'][number];
/** The names that were asked for. */
type Names = Pick<
  ReportRow,
  'day' | 'venueId' | 'programmeId' | 'benefitId' | 'fundedBy' | 'tier' | 'share' | 'currency'
>;
type Figures = Readonly<Partial<CostFigures>>;

/** Returns nothing when there would be too many rows. Throws `StoreUnavailable`. */
export async function reportCosts(
  store: Store,
  environment: Environment,
  { by, on, from, to, days, daysBefore }: CostQuestion,
  today: string,
): Promise<CostReport | undefined> {
  const byDay = by.includes('day');
  const [range, earlier] = [new Tally(by), new Tally(by)];
  let isMerged = false;
  for (const day of days) {
    for (const row of await readCostRows(store, day, on)) {
      isMerged ||= row.isMerged;
      range.add(row, day);
    }
    if (range.rows.size > MOST_ROWS) return undefined;
  }
  range.addWithoutBenefits();
  const hasAllZeros =
    on === 'booking' || addZeros(range, environment, byDay ? days.filter((day) => day <= today) : ['']);
  const [first, last] = byDay ? [] : [daysBefore[0], daysBefore.at(-1)];
  const before = first === undefined ? {} : { before: { from: first, to: last! } };
  if (first !== undefined) {
    for (const day of daysBefore) for (const row of await readCostRows(store, day, on)) earlier.add(row, day);
    for (const { names } of earlier.rows.values()) range.rows.add(names, {});
  }
  const rows = [...range.rows.values()].map(({ names, figures }): ReportRow => {
    const { currency, ...others } = names;
    const { baskets: soldBaskets, units, saved, turnover, ...more } = figures;
    const all = range.all.at(withoutBenefit(names));
    return {
      ...others,
      soldBaskets,
      units,
      saved,
      turnover,
      currency,
      allBaskets: all.baskets,
      allTurnover: all.turnover,
      allUndoneTurnover: all.undoneTurnover,
      ...more,
      ...(first !== undefined && { before: sumsOf(earlier.rows.at(names)) }),
    };
  });
  return { from, to, ...before, rows, hasAllZeros, isMerged };
}

function sumsOf({ baskets: soldBaskets, units, saved, turnover }: CostFigures) {
  return { soldBaskets, units, saved, turnover };
}

function withoutBenefit({ programmeId: _, benefitId: __, fundedBy: ___, ...names }: Names): Names {
  return names;
}

/** Sums of figures by names. */
class SumsByNames {
  readonly #sums = new Map<string, { readonly names: Names; readonly figures: CostFigures }>();

  get size(): number {
    return this.#sums.size;
  }

  /** In the order of their names. */
  values() {
    return [...this.#sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }

  at(names: Names): CostFigures {
    return this.#sums.get(JSON.stringify(Object.values(names)))?.figures ?? noFigures();
  }

  add(names: Names, figures: Figures): void {
    const key = JSON.stringify(Object.values(names));
    const sum = this.#sums.get(key) ?? { names, figures: noFigures() };
    this.#sums.set(key, sum);
    addFigures(sum.figures, figures);
  }
}

/** The kept rows of some days, added up by what was asked for. */
class Tally {
  readonly rows = new SumsByNames();
  /** Sold baskets altogether, by the names without the benefit. */
  readonly all = new SumsByNames();
  /** All baskets and those with benefits, by the names of the rows of baskets without one, where rows are of benefits or funders. */
  readonly #allBaskets = new SumsByNames();
  readonly #withBenefits = new SumsByNames();
  readonly by: readonly Dimension[];

  constructor(by: readonly Dimension[]) {
    this.by = by;
  }

  get isOfBenefits(): boolean {
    return this.by.includes('benefit') || this.by.includes('fundedBy');
  }

  /** Adds a kept row. */
  add(kept: CostRow, day: string): void {
    if (kept.benefitId === ALL_BASKETS) this.#addAllBaskets(kept, day);
    else if (kept.benefitId === BASKETS_WITH_BENEFITS) this.#addBasketsWithBenefits(kept, day);
    else this.#addBenefit(kept, day);
  }

  /** All refunds and conflicts are told by rows of all baskets, unless rows are of benefits or funders. */
  #addAllBaskets({ figures, ...kept }: CostRow, day: string): void {
    const { refunded, conflicts } = figures;
    const names = this.namesOf({ ...kept, benefitId: '' }, '', day);
    this.all.add(withoutBenefit(names), figures);
    if (this.isOfBenefits) this.#allBaskets.add(names, figures);
    else this.rows.add(names, { refunded, conflicts });
  }

  /** A basket in which at least one benefit applied counts once, or once for each of its funders. */
  #addBasketsWithBenefits({ figures, ...kept }: CostRow, day: string): void {
    const names = this.namesOf({ ...kept, benefitId: '' }, '', day);
    if (!this.isOfBenefits) {
      // Those of all baskets have these.
      this.rows.add(names, { ...figures, refunded: 0, conflicts: 0 });
      return;
    }
    // A day with too many rows may have no row of all baskets under the same names.
    this.#allBaskets.add(names, {});
    this.#withBenefits.add(names, figures);
    if (this.by.includes('benefit')) return;
    // What baskets of several funders have from their benefits is told by the rows of these.
    const { baskets, turnover, undoneBaskets, undoneTurnover, refunded, conflicts } = figures;
    const ofBaskets = { baskets, turnover, undoneBaskets, undoneTurnover, refunded, conflicts };
    for (const fundedBy of kept.funders) this.rows.add(this.namesOf(kept, fundedBy, day), ofBaskets);
  }

  /** A benefit counts with its baskets where benefits are told apart, and with its units and savings where its funder is. */
  #addBenefit({ figures, ...kept }: CostRow, day: string): void {
    if (!this.isOfBenefits) return;
    const { units, saved, undoneUnits, undoneSaved } = figures;
    const own = this.by.includes('benefit') ? figures : { units, saved, undoneUnits, undoneSaved };
    this.rows.add(this.namesOf(kept, kept.funders[0] ?? '', day), own);
  }

  /** Adds what baskets without a benefit have of all refunds and conflicts, where rows are of benefits or funders and that is any. */
  addWithoutBenefits(): void {
    for (const { names, figures } of this.#allBaskets.values()) {
      const withBenefits = this.#withBenefits.at(names);
      const refunded = figures.refunded - withBenefits.refunded;
      const conflicts = figures.conflicts - withBenefits.conflicts;
      if (refunded !== 0 || conflicts !== 0) this.rows.add(names, { refunded, conflicts });
    }
  }

  namesOf(kept: Omit<CostNames, 'funders'>, fundedBy: string, day: string): Names {
    const { venueId, programmeId, benefitId, tier, share, currency } = kept;
    const names = { day: { day }, venue: { venueId }, benefit: { programmeId, benefitId }, fundedBy: { fundedBy } };
    const all = { ...names, tier: { tier }, share: { share } };
    return Object.assign({}, ...this.by.map((name) => all[name]), { currency });
  }
}

/** Adds a row of zero for each venue, benefit, currency and tier of the configuration. Returns false where they are too many. */
function addZeros(tally: Tally, { wording }: Environment, days: readonly string[]): boolean {
  for (const { venueId, programmeId, currencies } of wording.venues) {
    const programme = wording.programmes.find((other) => other.programmeId === programmeId);
    const benefits = (programme?.benefits ?? []) as readonly BenefitDefinition[];
    const tiers = tally.by.includes('tier') ? ['', ...tiersOf(benefits)] : [''];
    const own: readonly Pick<BenefitDefinition, 'benefitId' | 'fundedBy'>[] = tally.isOfBenefits
      ? benefits
      : [{ benefitId: '' }];
    for (const day of days)
      for (const { benefitId, fundedBy = '' } of own)
        for (const currency of currencies)
          for (const tier of tiers) {
            if (tally.rows.size > MOST_ROWS) return false;
            const names = { venueId, programmeId, benefitId, currency, tier, share: '' };
            tally.rows.add(tally.namesOf(names, fundedBy, day), {});
          }
  }
  return true;
}

function tiersOf(benefits: readonly BenefitDefinition[]): string[] {
  return [...new Set(benefits.flatMap(({ when }) => entriesOf(when).flatMap(({ tiers = [] }) => tiers)))];
}
