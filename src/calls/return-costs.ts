import { hash } from 'node:crypto';
import { shareOf } from '../money/portion.ts';
import type { Environment } from '../programme/environment.ts';
import type { ReturnQuote } from '../returns/quote.ts';
import type { SoldBasket } from '../returns/sold-basket.ts';
import { ALL_BASKETS, addCostRows, BASKETS_WITH_BENEFITS, noFigures } from '../store/cost-rows.ts';
import type { BookedReturn } from '../store/returns.ts';
import type { SoldRecord } from '../store/sold.ts';
import type { Store } from '../store/store.ts';
import type { Redemption } from './messages.ts';
import { redemptionOf } from './sale-effects.ts';

/** What a return takes back of a benefit. */
interface Loss {
  readonly benefitId: string;
  readonly baskets: number;
  readonly units: number;
  readonly saved: number;
}

/** Enough that no two returns of a day share it. */
const NAME_CHARACTERS = 16;

/**
 * Takes what a return loses of each benefit out of the costs of the day of its sale. Each return is a reporter of its own with one
 * report, so that a repetition adds nothing. Throws `StoreUnavailable`.
 */
export async function countReturn(
  store: Store,
  environment: Environment,
  record: SoldRecord,
  sold: SoldBasket,
  booked: BookedReturn,
): Promise<void> {
  const costs = costsOfReturn(environment, record, sold, booked);
  if (costs) await addCostRows(store, costs.day, { process: costs.process, number: 1 }, costs.rows);
}

/** What a return takes out of the costs, and the name under which it reports; undefined where no benefits are known of its sale. */
export function costsOfReturn(
  environment: Environment,
  { calculationId, gave }: SoldRecord,
  { given }: SoldBasket,
  { returnId, answer }: BookedReturn,
) {
  const { redemption } = redemptionOf(environment, 'undone', gave);
  if (!redemption) return undefined;
  const { kept, lost, refund } = answer as BookedReturn['answer'] & Pick<ReturnQuote, 'kept' | 'lost' | 'refund'>;
  const losses = lost.map(({ benefitId, saved }): Loss => {
    const stays = kept.find((other) => other.benefitId === benefitId);
    const all = given.find((other) => other.benefitId === benefitId);
    const unitsOf = (part: number): number => (all ? shareOf(all.units, Math.min(part, all.saved), all.saved) : 0);
    const units = unitsOf((stays?.saved ?? 0) + saved) - (stays ? unitsOf(stays.saved) : 0);
    return { benefitId, baskets: stays ? 0 : 1, units, saved };
  });
  const process = hash('sha256', `${calculationId} ${returnId}`, 'base64url').slice(0, NAME_CHARACTERS);
  return { day: redemption.day, process, rows: rowsOf(redemption, losses, refund, kept.length === 0) };
}

/** The rows of the benefits, and those of the basket as a whole. It counts as taken back when no benefit of it stays. */
function rowsOf(
  { venueId, tier, share, programmeId, currency }: Redemption,
  losses: readonly Loss[],
  refund: number,
  isWhole: boolean,
) {
  const rowOf = (benefitId: string, baskets: number, units: number, saved: number) => {
    const undone = { undoneBaskets: baskets, undoneUnits: units, undoneSaved: saved, undoneTurnover: refund };
    return { venueId, tier, share, programmeId, currency, benefitId, figures: { ...noFigures(), ...undone } };
  };
  const sumOf = (figure: 'units' | 'saved') => losses.reduce((sum, loss) => sum + loss[figure], 0);
  const whole = rowOf(BASKETS_WITH_BENEFITS, isWhole ? 1 : 0, sumOf('units'), sumOf('saved'));
  return [
    rowOf(ALL_BASKETS, 0, 0, 0),
    ...losses.map(({ benefitId, baskets, units, saved }) => rowOf(benefitId, baskets, units, saved)),
    ...(losses.length > 0 ? [whole] : []),
  ];
}
