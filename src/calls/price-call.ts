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

/**
 * Prices a basket in place within a budget of work, else in a thread. While a reload replaces the threads they may have another
 * configuration, and the basket is priced in place all the same: an answer is of one configuration.
 */
export async function priceCall(
  { environment, inlineBytes, threads }: CallContext,
  { body, deadlineMs, stopwatch }: CallRequest,
  { basket, head, venue }: ReadCall,
  circumstances: Circumstances,
): Promise<PricedCall> {
  const priceHere = (budget?: number) => priceAndEncode(environment, basket, venue, circumstances, budget);
  try {
    if (body.length <= inlineBytes) return priceHere(EVENT_LOOP_STEPS);
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
  }
  stopwatch.enter('worker');
  const { venueId, baxId } = head;
  const task = { body, configuration: environment.version, venueId, baxId, circumstances };
  return (await threads.price(task, deadlineMs)) ?? priceHere();
}
