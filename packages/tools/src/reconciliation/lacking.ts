import type { SoldEvents } from './sold-events.ts';

/** The days whose sales a file should have. */
export interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The other way round: which sales of the service a file of transactions lacks. */
export class Lacking {
  readonly #sold: SoldEvents;
  readonly #seen = new Set<string>();

  constructor(sold: SoldEvents) {
    this.#sold = sold;
  }

  see(calculationId: string): void {
    if (this.#sold.has(calculationId)) this.#seen.add(calculationId);
  }

  /** True of a calculation whose sale the stream has. */
  isSold(calculationId: string): boolean {
    return this.#sold.has(calculationId);
  }

  /**
   * The days that are compared, and the sales of them that the file lacks. Without a period these are the days of which the file
   * has at least half of the sales: a sale that was told after midnight does not make the whole day before one of the file's.
   */
  find({ from, to }: Period) {
    const counts = new Map<string, { all: number; seen: number }>();
    for (const [calculationId, { day }] of this.#sold) {
      const count = counts.get(day) ?? { all: 0, seen: 0 };
      count.all += 1;
      count.seen += this.#seen.has(calculationId) ? 1 : 0;
      counts.set(day, count);
    }
    const isNamed = from !== undefined || to !== undefined;
    const isIn = (day: string): boolean => (from ?? day) <= day && day <= (to ?? day);
    const days = [...counts].filter(([day, { all, seen }]) => (isNamed ? isIn(day) : 2 * seen >= all));
    const names = new Set(days.map(([day]) => day));
    const sales = [...this.#sold].filter(([id, { day }]) => names.has(day) && !this.#seen.has(id));
    return { days: [...names].sort(), sales };
  }
}
