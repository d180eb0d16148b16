import { shareOf } from '@loyalty/contract/money/portion';
import type { GivenBenefit } from '../types.ts';
import { type Portion, type Quantities, shareOfPortion, staysOf } from './portions.ts';
import type { SoldBasket } from './sold-basket.ts';

/** What a benefit saves the guest, in minor units. */
export interface Saving {
  readonly benefitId: string;
  readonly saved: number;
}

/** `as_paid`: each unit is worth what was paid for it. Returns the refund of each portion. */
export function refundAsPaid(portions: readonly Portion[]): number[] {
  return portions.map((portion) => shareOfPortion(portion.sold.paid, portion));
}

/** What of each benefit lies on units that have not come back, with all of its units. Benefits of which nothing stays are missing. */
export function keptAsPaid({ lines, given }: SoldBasket, returned: Quantities): GivenBenefit[] {
  return given.flatMap(({ benefitId, units }) => {
    let saved = 0;
    let stays = false;
    for (const line of lines) {
      const share = line.saved.get(benefitId);
      if (share === undefined) continue;
      saved += share - shareOf(share, returned.get(line.lineId) ?? 0, line.quantity);
      stays ||= staysOf(line, returned) > 0;
    }
    return stays ? [{ benefitId, units, saved }] : [];
  });
}
