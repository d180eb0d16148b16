import type { Environment } from '../../programme/environment.ts';
import { ALL_BASKETS, BASKETS_WITH_BENEFITS, readCostRows } from '../../store/cost-rows.ts';
import type { Store } from '../../store/store.ts';
import { todayOf } from '../venue-days.ts';

/** Whole numbers; `saved` is in minor units. */
interface Sums {
  /** Baskets in which the benefit applied. */
  baskets: number;
  units: number;
  saved: number;
}

/** One benefit in one currency on one day. */
export interface DayCost {
  readonly programmeId: string;
  readonly benefitId: string;
  readonly currency: string;
  readonly sold: Sums;
  /** Of those, what a later event took back. */
  readonly undone: Sums;
}

/** What benefits cost on a day of the venues' calendars, `2026-11-21`. */
export interface CostDay {
  readonly day: string;
  readonly benefits: readonly DayCost[];
}

/** The days with figures, newest first. */
export interface Costs {
  /** The day at the venues, which need not be the reader's; the later one where it is two. */
  readonly today: string;
  readonly days: readonly CostDay[];
}

const DAY_MS = 86_400_000;
/** Every day that is today somewhere, and at least one before. */
const DAYS = 3;

/** What benefits cost today and yesterday, of all processes and machines. Throws `StoreUnavailable`. */
export async function readLiveCosts(store: Store, environment: Environment): Promise<Costs> {
  // Somewhere it is a day later than at UTC.
  const newestMs = Date.now() + DAY_MS;
  const days = Array.from({ length: DAYS }, (_, ago) => new Date(newestMs - ago * DAY_MS).toISOString().slice(0, 10));
  const read = await Promise.all(days.map(async (day) => ({ day, benefits: await readBenefits(store, day) })));
  return { today: todayOf(environment), days: read.filter(({ benefits }) => benefits.length > 0) };
}

/** The rows of a day, added up over venues, tiers and shares. */
async function readBenefits(store: Store, day: string): Promise<DayCost[]> {
  const costs = new Map<string, DayCost>();
  for (const { programmeId, benefitId, currency, figures } of await readCostRows(store, day)) {
    if (benefitId === ALL_BASKETS || benefitId === BASKETS_WITH_BENEFITS) continue;
    const key = `${programmeId} ${benefitId} ${currency}`;
    const { sold, undone } = costs.get(key) ?? { sold: noSums(), undone: noSums() };
    costs.set(key, {
      ...{ programmeId, benefitId, currency },
      sold: plus(sold, figures.baskets, figures.units, figures.saved),
      undone: plus(undone, figures.undoneBaskets, figures.undoneUnits, figures.undoneSaved),
    });
  }
  return [...costs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, cost]) => cost);
}

function plus(sums: Sums, baskets: number, units: number, saved: number): Sums {
  return { baskets: sums.baskets + baskets, units: sums.units + units, saved: sums.saved + saved };
}

function noSums(): Sums {
  return { baskets: 0, units: 0, saved: 0 };
}
