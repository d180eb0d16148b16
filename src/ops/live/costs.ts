import type { Environment } from '../../programme/environment.ts';
import { COST_DAYS, type DayCost, readCosts } from '../../store/costs.ts';
import type { Store } from '../../store/store.ts';
import { todayOf } from '../venue-days.ts';

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

/** What benefits cost today and in the days before, of all processes and machines. Throws `StoreUnavailable`. */
export async function readLiveCosts(store: Store, environment: Environment): Promise<Costs> {
  return { today: todayOf(environment), days: await readDays(store) };
}

/** Somewhere it is a day later than at UTC. */
async function readDays(store: Store): Promise<CostDay[]> {
  const newestMs = Date.now() + DAY_MS;
  const days = Array.from({ length: COST_DAYS + 1 }, (_, ago) =>
    new Date(newestMs - ago * DAY_MS).toISOString().slice(0, 10),
  );
  const read = await Promise.all(days.map(async (day) => ({ day, benefits: await readCosts(store, day) })));
  return read.filter(({ benefits }) => benefits.length > 0);
}
