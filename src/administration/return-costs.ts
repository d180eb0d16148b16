import { shareOf } from '@loyalty/contract/money/portion';
import { sum } from '@loyalty/contract/money/sum';
import type { Saving } from '@loyalty/engine/returns/as-paid';
import { lostBetween, type ReturnedBefore } from '@loyalty/engine/returns/quote';
import type { GivenBenefit } from '@loyalty/engine/types';
import type { PricingContext } from '../calls/call.ts';
import { costEntryOf, fundersOf } from '../calls/cost-entry.ts';
import { readFunders } from '../calls/funders.ts';
import type { Environment } from '../programme/environment.ts';
import type { BookedReturn } from '../store/booked-return.ts';
import type { Funders } from '../store/calculation-events.ts';
import {
  ALL_BASKETS,
  addCostsOnce,
  addFigures,
  BASKETS_WITH_BENEFITS,
  type CostFigures,
  type CostNames,
  NO_FUNDERS,
  noFigures,
} from '../store/cost-rows.ts';
import { type AnsweredCalculation, isSoldAsAnswered } from '../store/stored-calculation.ts';
import type { RestoredSale } from './sold-basket.ts';

/** How much less a benefit gives after a return, or how much more. */
interface Difference {
  readonly baskets: number;
  readonly units: number;
  readonly saved: number;
}

type DifferenceOf = Difference & Pick<Saving, 'benefitId'>;

/** A return with the instant at which it was booked. */
type CountedReturn = BookedReturn & { readonly atMs: number };

/**
 * Takes what a return loses of each benefit out of the costs of the day of its sale, booked on the day of the return. A repetition adds
 * nothing. Throws `StoreUnavailable`.
 */
export async function countReturn(
  context: PricingContext,
  record: AnsweredCalculation,
  restored: Pick<RestoredSale, 'sold'>,
  before: ReturnedBefore,
  booked: CountedReturn,
): Promise<void> {
  const { environment, store } = context;
  const funders = await readFunders(context, record);
  const costs = costsOfReturn(environment, record, restored, before, booked, funders);
  if (costs) await addCostsOnce(store, `${record.calculationId} ${booked.returnId}`, costs.days, costs.rows);
}

/**
 * What a return changes of the costs; undefined where no benefits are known of its sale.
 * A benefit that gives more to what stays than it gave before counts as sold, because that is lost again when what stays comes
 * back. `before` are the returns before this one. The funders are those of the configuration that priced the sale.
 */
export function costsOfReturn(
  environment: Environment,
  record: AnsweredCalculation,
  { sold: { given, lines } }: Pick<RestoredSale, 'sold'>,
  before: ReturnedBefore,
  { atMs, answer: { kept, refund } }: CountedReturn,
  funders: Funders,
) {
  const { sale } = record;
  const { costEntry } = costEntryOf(environment, 'undone', record, atMs, funders);
  if (!costEntry) return undefined;
  const losses = differences(given, before.kept, kept);
  const gains = differences(given, kept, before.kept);
  const left = sum(lines.map(({ paid }) => paid)) - before.refunded - refund;
  const whole = {
    ...(losses.length > 0 && undone(addUp(losses, kept.length === 0), refund)),
    ...(gains.length > 0 && sold(addUp(gains, before.kept.length === 0), left)),
  };
  const { calculated, booked, venueId, tier, share, programmeId, currency } = costEntry;
  const names = { venueId, tier, share, programmeId, currency };
  const rows = new Map<string, CostNames & { figures: CostFigures }>();
  const add = (benefitId: string, funders: readonly string[], figures: Partial<CostFigures>): void => {
    const row = rows.get(benefitId) ?? { ...names, benefitId, funders, figures: noFigures() };
    addFigures(row.figures, figures);
    rows.set(benefitId, row);
  };
  const paid = given.map(({ benefitId }) => ({ benefitId, fundedBy: funders.get(benefitId) ?? '' }));
  const addTo = (benefitId: string, figures: Partial<CostFigures>): void =>
    add(benefitId, [funders.get(benefitId) ?? ''], figures);
  // What was paid for a basket that the till kept as it was is in no turnover, and so nothing of it is undone.
  const undoneTurnover = sale && isSoldAsAnswered(record, sale) ? refund : 0;
  add(ALL_BASKETS, NO_FUNDERS, { undoneTurnover, refunded: refund });
  // The refund stands with each benefit of the sale, as what was paid does.
  for (const { benefitId } of paid) addTo(benefitId, { refunded: refund });
  for (const loss of losses) addTo(loss.benefitId, undone(loss, refund));
  for (const gain of gains) addTo(gain.benefitId, sold(gain, left));
  if (paid.length + gains.length > 0) add(BASKETS_WITH_BENEFITS, fundersOf(paid), { ...whole, refunded: refund });
  return { days: { calculated, booked }, rows: [...rows.values()] };
}

/** What is in the first list and not in the second one, benefit by benefit. */
function differences(
  given: readonly GivenBenefit[],
  from: readonly Saving[],
  to: readonly Saving[],
): readonly DifferenceOf[] {
  return lostBetween(from, to).map(({ benefitId, saved }) => {
    const stays = to.find((other) => other.benefitId === benefitId);
    const all = given.find((other) => other.benefitId === benefitId);
    const unitsOf = (part: number): number => (all ? shareOf(all.units, Math.min(part, all.saved), all.saved) : 0);
    const units = unitsOf((stays?.saved ?? 0) + saved) - (stays ? unitsOf(stays.saved) : 0);
    return { benefitId, baskets: stays ? 0 : 1, units, saved };
  });
}

/** The difference of the basket as a whole, which counts when all of its benefits differ. */
function addUp(own: readonly Difference[], isWhole: boolean): Difference {
  const sumOf = (figure: 'units' | 'saved') => sum(own.map((difference) => difference[figure]));
  return { baskets: isWhole ? 1 : 0, units: sumOf('units'), saved: sumOf('saved') };
}

function undone({ baskets, units, saved }: Difference, refund: number): Partial<CostFigures> {
  return { undoneBaskets: baskets, undoneUnits: units, undoneSaved: saved, undoneTurnover: refund };
}

/** `left` is what was paid for all that stays. */
function sold({ baskets, units, saved }: Difference, left: number): Partial<CostFigures> {
  return { baskets, units, saved, turnover: baskets > 0 ? left : 0 };
}
