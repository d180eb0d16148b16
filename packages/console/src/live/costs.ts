import type { Environment } from '../../../../src/programme/environment.ts';
import {
  ALL_BASKETS,
  BASKETS_WITH_BENEFITS,
  type CostFigures,
  type CostRow,
  readCostRows,
} from '../../../../src/store/cost-rows.ts';
import type { Store } from '../../../../src/store/store.ts';
import { todayOf } from '../days.ts';

/** Whole numbers; `saved` is in minor units. */
interface Sums {
  /** Baskets in which the benefit applied. */
  readonly baskets: number;
  readonly units: number;
  readonly saved: number;
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
  const rows = await readCostRows(store, day);
  const own = rows.filter(({ benefitId }) => benefitId !== ALL_BASKETS && benefitId !== BASKETS_WITH_BENEFITS);
  const costs = Map.groupBy(own, ({ programmeId, benefitId, currency }) => `${programmeId} ${benefitId} ${currency}`);
  return [...costs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, added]) => sumUp(added));
}

function sumUp(rows: readonly CostRow[]): DayCost {
  const { programmeId, benefitId, currency } = rows[0]!;
  const sum = (figure: keyof CostFigures) => rows.reduce((total, { figures }) => total + figures[figure], 0);
  return {
    programmeId,
    benefitId,
    currency,
    sold: { baskets: sum('baskets'), units: sum('units'), saved: sum('saved') },
    undone: { baskets: sum('undoneBaskets'), units: sum('undoneUnits'), saved: sum('undoneSaved') },
  };
}
