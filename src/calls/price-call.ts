import { PoolUnavailable } from '@loyalty/contract/unavailable';
import { OverBudget } from '@loyalty/engine/work';
import type { CallContext, CallRequest } from './call.ts';
import type { Circumstances } from './circumstances.ts';
import { type PricedCall, priceAndEncode } from './pricing.ts';
import type { ReadCall } from './read-call.ts';

/** Where a basket is priced: in place, or in a thread. */

/**
 * A basket that takes more steps than this to price goes from the event loop to a thread. Ten times what a usual basket of
 * 20 lines takes, and about half a millisecond: as much again is lost by handing it over.
 */
const EVENT_LOOP_STEPS = 400;
/** About 40 ms, twice what pricing may take by default: a programme may allow seconds, and every deadline waits for the event loop. */
const RELOAD_STEPS = 24_000;

/**
 * Prices a basket in place within a budget of work, else in a thread. While a reload replaces the threads they may have another
 * configuration, and the basket is priced in place all the same, because an answer is of one configuration; one that is far too much
 * work for that is refused, and comes again under the new one. Throws `PoolUnavailable`.
 */
export async function priceCall(
  { environment, inlineBytes, threads }: CallContext,
  { body, deadlineMs, stopwatch }: CallRequest,
  { basket, venue }: ReadCall,
  circumstances: Circumstances,
): Promise<PricedCall> {
  const priceHere = (budget: number) =>
    withinBudget(() => priceAndEncode(environment, basket, venue, circumstances, budget));
  const inPlace = body.length <= inlineBytes ? priceHere(EVENT_LOOP_STEPS) : undefined;
  if (inPlace) return inPlace;
  stopwatch.enter('worker');
  const { venueId, baxId } = basket.context;
  const task = { body, configuration: environment.version, venueId, baxId, circumstances };
  const priced = (await threads.price(task, deadlineMs)) ?? priceHere(RELOAD_STEPS);
  if (!priced) throw new PoolUnavailable('The threads have another configuration.');
  return priced;
}

/** Undefined where the work is over its budget. */
function withinBudget<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof OverBudget) return undefined;
    throw error;
  }
}
