import { sum } from '@loyalty/contract/money/sum';
import { dateIn } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../programme/environment.ts';
import type { Funders } from '../store/calculation-events.ts';
import type { CountedSale } from '../store/completion.ts';
import {
  ALL_BASKETS,
  BASKETS_WITH_BENEFITS,
  type CostDays,
  type CostFigures,
  type CostNames,
  NO_FUNDERS,
  noFigures,
} from '../store/cost-rows.ts';
import type { AnsweredCalculation } from '../store/stored-calculation.ts';

/**
 * What becomes of a calculation in the costs: it is sold, a decision takes a sale back, or a second outcome is reported beside
 * the first. Each is told once.
 */
export interface CostEntry extends CostDays {
  readonly fate: 'sold' | 'undone' | 'conflict';
  readonly programmeId: string;
  readonly venueId: string;
  readonly currency: string;
  /** What the guest paid, in minor units. */
  readonly turnover: number;
  /** Of the member; empty where there is none. */
  readonly tier: string;
  readonly share: string;
  /** `saved` is in minor units. */
  readonly benefits: readonly RedeemedBenefit[];
  /** Present of what counts only where this says so (completion.ts). */
  readonly isOurs?: CountedSale['isOurs'];
}

interface RedeemedBenefit {
  readonly benefitId: string;
  readonly units: number;
  readonly saved: number;
  /** Empty where the configuration names nobody. */
  readonly fundedBy: string;
}

type CountedRow = CostNames & { readonly figures: CostFigures };

/** What is to be counted of a calculation, booked at an instant of Redis' clock (ms); nothing where it is not known what it gave. */
export function costEntryOf(
  { venues }: Pick<Environment, 'venues'>,
  fate: CostEntry['fate'],
  of: AnsweredCalculation | undefined,
  bookedAtMs: number,
  funders: Funders,
): { readonly costEntry?: CostEntry } {
  if (!of?.given) return {};
  const { venueId, answeredAtMs, tier = '', share = '', total: turnover = 0 } = of;
  const { programmeId, currency, benefits } = of.given;
  // A reload may have taken the venue away since the basket was priced.
  const timeZone = venues.find((venue) => venue.venueId === venueId)?.timeZone ?? 'UTC';
  const days = { calculated: dateIn(timeZone, answeredAtMs), booked: dateIn(timeZone, bookedAtMs) };
  const paid = benefits.map((benefit) => ({ ...benefit, fundedBy: funders.get(benefit.benefitId) ?? '' }));
  return {
    costEntry: { fate, ...days, programmeId, venueId, currency, turnover, tier, share, benefits: paid },
  };
}

/** The same of a sale that was given to us to count. */
export function entryOfSale(
  environment: Pick<Environment, 'venues'>,
  fate: CostEntry['fate'],
  { of, funders, bookedAtMs, isOurs }: CountedSale,
): CostEntry | undefined {
  const { costEntry } = costEntryOf(environment, fate, of, bookedAtMs, funders);
  return costEntry && isOurs ? { ...costEntry, isOurs } : costEntry;
}

/** The funders of a basket, each once. */
export function fundersOf(benefits: readonly Pick<RedeemedBenefit, 'fundedBy'>[]): readonly string[] {
  return benefits.length === 0 ? NO_FUNDERS : [...new Set(benefits.map(({ fundedBy }) => fundedBy))].sort();
}

/** The rows to which it adds: that of all baskets, that of baskets with a benefit, and one for each benefit. */
export function rowsOf({ fate, turnover, benefits, ...names }: Omit<CostEntry, keyof CostDays>): CountedRow[] {
  const { venueId, tier, share, programmeId, currency } = names;
  const rowOf = (benefitId: string, funders: readonly string[], units: number, saved: number): CountedRow => ({
    venueId,
    tier,
    share,
    programmeId,
    currency,
    benefitId,
    funders,
    figures: { ...noFigures(), ...figuresOf(fate, { units, saved, turnover }) },
  });
  const rows = [rowOf(ALL_BASKETS, NO_FUNDERS, 0, 0)];
  if (benefits.length === 0) return rows;
  const whole = [sum(benefits.map(({ units }) => units)), sum(benefits.map(({ saved }) => saved))] as const;
  rows.push(rowOf(BASKETS_WITH_BENEFITS, fundersOf(benefits), ...whole));
  for (const { benefitId, fundedBy, units, saved } of benefits) rows.push(rowOf(benefitId, [fundedBy], units, saved));
  return rows;
}

function figuresOf(
  fate: CostEntry['fate'],
  { units, saved, turnover }: Pick<CostFigures, 'units' | 'saved' | 'turnover'>,
): Partial<CostFigures> {
  switch (fate) {
    case 'sold':
      return { baskets: 1, units, saved, turnover };
    case 'undone':
      return { undoneBaskets: 1, undoneUnits: units, undoneSaved: saved, undoneTurnover: turnover };
    case 'conflict':
      return { conflicts: 1 };
  }
}
