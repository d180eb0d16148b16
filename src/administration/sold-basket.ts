import type { BasketRequest } from '@loyalty/contract/basket-request';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { decideBasket } from '@loyalty/engine/price';
import { type PriceAsThen, pricedAsDecided, pricedAsSent } from '@loyalty/engine/returns/priced';
import type { ReturnPolicy } from '@loyalty/engine/returns/quote';
import { type SoldBasket, soldAsAnswered, soldAsSent } from '@loyalty/engine/returns/sold-basket';
import type { LimitedUse, Venue } from '@loyalty/engine/types';
import type { PricingContext } from '../calls/call.ts';
import { findAvailable, findMember, judgeClock, timeOfMember } from '../calls/circumstances.ts';
import type { RestoredBasket } from '../calls/stored/kept-basket.ts';
import { readStoredContent } from '../calls/stored/stored-answer.ts';
import type { Environment } from '../programme/environment.ts';
import { countersAsUsed } from '../store/common-limits.ts';
import { type AnsweredCalculation, allUses, isSoldBefore } from '../store/stored-calculation.ts';
import { unitsOf } from '../store/uses.ts';
import { recall, snapshotOf } from './past-basket.ts';

/** A sold basket as it was sold, and the circumstances in which what stays of it is priced. */
export interface RestoredSale {
  readonly sold: SoldBasket;
  readonly policy: ReturnPolicy;
  /** As the configuration that priced it knows it. */
  readonly venue: Venue;
  /** The limits and grants that the benefits of the programme drew on. */
  readonly draws: readonly LimitedUse[];
  /**
   * The pricer of that time. What stays may use of limits and grants what the sale took, less `givenBack`, the units that
   * returns have given back since: whatever else was free then, the sale has not consumed.
   */
  pricer(givenBack: ReadonlyMap<string, number>): PriceAsThen;
}

/** Restores what was sold; a sentence where not enough of it is kept. Throws `StoreUnavailable`. */
export async function restoreSale(
  context: PricingContext,
  record: AnsweredCalculation,
): Promise<RestoredSale | string> {
  if (isSoldBefore(record)) return 'Its sale event came before its answer, so what was sold is not known.';
  const past = await recall(context, record);
  if (typeof past === 'string') return past;
  const { kept, environment, venue, basket } = past;
  const then = circumstancesOf(environment, venue, kept, record.answeredAtMs);
  const { weighed } = venue.programme.selectorIndex;
  const sold = findSold(record, basket, weighed, then.decide);
  if (typeof sold === 'string') return sold;
  const { programmeId } = venue.programme;
  const policy = environment.wording.programmes.find((entry) => entry.programmeId === programmeId)?.returns;
  // A sale without our benefits was paid as the till sent it, and so is what stays of it.
  const isPlain = record.sale?.status !== 'applied' || record.status !== 'applied';
  return {
    ...{ sold, policy: policy ?? 'as_paid', venue, draws: then.draws },
    pricer: (givenBack) => (isPlain ? pricedAsSent : then.pricer(takenStill(unitsOf(allUses(record)), givenBack))),
  };
}

type Decide = ReturnType<typeof circumstancesOf>['decide'];

/** What was sold: by the stored answer, or priced again when that had been forgotten before the sale event came. */
function findSold(
  record: AnsweredCalculation,
  basket: BasketRequest,
  weighed: Venue['programme']['selectorIndex']['weighed'],
  decide: Decide,
): SoldBasket | string {
  if (record.sale?.status !== 'applied' || record.status !== 'applied') return soldAsSent(basket, weighed);
  const stored = record.answer && readStoredContent(record.answer);
  const content = stored ?? decide(basket)?.content;
  if (content?.status !== 'applied') return 'Its answer is not kept, and it is priced otherwise today.';
  const sold = soldAsAnswered(basket, content, record.given?.benefits ?? [], weighed);
  const paid = sold.lines.reduce((sum, line) => sum + line.paid, 0);
  return record.total === undefined || paid === record.total ? sold : 'It is priced otherwise today.';
}

/** The programme, the member, the limits and the time of a sale. */
function circumstancesOf(environment: Environment, venue: Venue, kept: RestoredBasket, answeredAtMs: number) {
  const snapshot = snapshotOf(kept, venue, answeredAtMs);
  const isClockOff = judgeClock(environment, kept.basket, snapshot).isOff;
  const member = findMember(environment, venue, '', snapshot);
  const requestedAt = timeOfMember(kept.basket.requestedAt, snapshot);
  const draws = limitedUses(venue, requestedAt, member);
  const available = findAvailable(kept.basket, draws, snapshot, countersAsUsed(kept.used));
  const decide = (basket: BasketRequest, left: ReadonlyMap<string, number> = available) =>
    member && decideBasket({ basket: { ...basket, requestedAt }, member, venue, available: left, isClockOff });
  const pricer =
    (left: ReadonlyMap<string, number>): PriceAsThen =>
    (basket) => {
      const decided = decide(basket, left);
      return decided ? pricedAsDecided(basket, decided) : pricedAsSent(basket);
    };
  return { draws, decide, pricer };
}

function takenStill(taken: ReadonlyMap<string, number>, givenBack: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(
    [...taken].map(([usageKey, units]) => [usageKey, Math.max(0, units - (givenBack.get(usageKey) ?? 0))]),
  );
}
