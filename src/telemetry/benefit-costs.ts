/**
 * What benefits gave in sold baskets, counted in this process: a row for each benefit of a programme in a currency. Rows are
 * bounded, because each is three series of Prometheus: beyond `MAX_ROWS` benefits are counted together, by currency.
 */

/** Enough for five programmes of twenty benefits in two currencies. */
const MAX_ROWS = 200;
/** No benefit can have this name: an ID has no brackets. */
const OTHERS = '(others)';

/** A benefit as it is counted: its own name, or that of all others. Whole numbers; `saved` is in minor units. */
export interface CostRow {
  readonly programmeId: string;
  readonly benefitId: string;
  readonly currency: string;
  /** Baskets in which the benefit applied. */
  baskets: number;
  units: number;
  saved: number;
}

export class BenefitCosts {
  readonly #rows = new Map<string, CostRow>();
  readonly #mostRows: number;
  /** Rows that benefits have to themselves. */
  #ownRows = 0;

  constructor(mostRows = MAX_ROWS) {
    this.#mostRows = mostRows;
  }

  get rows(): readonly CostRow[] {
    return [...this.#rows.values()];
  }

  /** Starts the row of a benefit of the configuration at zero, because an increase misses a counter's first appearance. */
  expect(programmeId: string, benefitId: string, currency: string): void {
    this.#rowOf(programmeId, benefitId, currency);
  }

  /** Counts a sold basket of a benefit. */
  add({ programmeId, benefitId, currency, units, saved }: Omit<CostRow, 'baskets'>): void {
    const row = this.#rowOf(programmeId, benefitId, currency);
    row.baskets += 1;
    row.units += units;
    row.saved += saved;
  }

  #rowOf(programmeId: string, benefitId: string, currency: string): CostRow {
    const own = this.#rows.get(`${programmeId} ${benefitId} ${currency}`);
    if (own) return own;
    if (this.#ownRows < this.#mostRows) {
      this.#ownRows += 1;
      return this.#start(programmeId, benefitId, currency);
    }
    return this.#rows.get(`${OTHERS} ${OTHERS} ${currency}`) ?? this.#start(OTHERS, OTHERS, currency);
  }

  #start(programmeId: string, benefitId: string, currency: string): CostRow {
    const row = { programmeId, benefitId, currency, baskets: 0, units: 0, saved: 0 };
    this.#rows.set(`${programmeId} ${benefitId} ${currency}`, row);
    return row;
  }
}
