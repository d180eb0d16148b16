import { dateIn } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../programme/environment.ts';
import { isSampled, renderEnd } from '../recording/record.ts';
import type { Gave } from '../store/gave.ts';
import type { SettleOutcome } from '../store/sales.ts';
import type { PricingContext, Redemption } from './call.ts';

/** What a settled sale adds to figures and recording, once however often its event comes. */
interface SaleEffects {
  readonly redemption?: Redemption;
  readonly record?: string;
}

export function effectsOf(
  { environment, recording }: PricingContext,
  { calculationId, status }: { readonly calculationId: string; readonly status: string },
  { isCounted, gave }: Extract<SettleOutcome, { readonly isCounted: boolean }>,
): SaleEffects {
  if (!isCounted) return {};
  const redeemed = redemptionOf(environment, 'sold', gave);
  if (!recording || !isSampled(recording, calculationId)) return redeemed;
  return { ...redeemed, record: renderEnd({ calculationId, kind: 'sale', status }) };
}

/** What a sale brought and gave by its benefits, to be counted. */
export function redemptionOf(
  { venues }: Environment,
  fate: Redemption['fate'],
  gave: Gave | undefined,
): { readonly redemption?: Redemption } {
  if (!gave) return {};
  const { atMs, ...sums } = gave;
  // A reload may have taken the venue away since the basket was priced.
  const timeZone = venues.find((venue) => venue.venueId === gave.venueId)?.timeZone ?? 'UTC';
  return { redemption: { fate, day: dateIn(timeZone, atMs), ...sums } };
}
