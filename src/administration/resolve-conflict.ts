import type { PricingContext } from '../calls/call.ts';
import { costEntryOf, rowsOf } from '../calls/cost-entry.ts';
import { eventFactsOf } from '../calls/event-facts.ts';
import { readFunders } from '../calls/funders.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { resolvedEvent } from '../store/calculation-events.ts';
import { completeElsewhere, leadTo } from '../store/completion.ts';
import { addCostsOnce } from '../store/cost-rows.ts';
import { type DecisionWords, decide, finishDecision } from '../store/decisions.ts';
import { appendDue } from '../store/events.ts';
import { findAnswered } from '../store/find-calculation.ts';
import { type AnsweredCalculation, type Decision, isSoldAsAnswered } from '../store/stored-calculation.ts';

/**
 * A person decides between two outcomes of a calculation: the first one, which has stood since it was reported, or the second one,
 * whose event was refused with 409. The decision is booked when it is made: limits and grants, costs and the sale are from then on
 * as the chosen outcome has them.
 */

export type ResolveOutcome =
  | {
      readonly kind: 'decided';
      readonly record: AnsweredCalculation;
      readonly isRepeated: boolean;
      /** Of all calls that made or repeated the decision this one has completed it, and no other one. */
      readonly isCompleter: boolean;
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly message: string; readonly record: AnsweredCalculation };

/** Each round that finds something in the way has removed it. */
const MAX_ROUNDS = 5;

/** Decides a conflict. Repeated with the same outcome it changes nothing, and completes what a crash left. Throws `StoreUnavailable`. */
export async function resolveConflict(
  context: PricingContext,
  calculationId: string,
  words: DecisionWords,
): Promise<ResolveOutcome> {
  const { store } = context;
  const { outcome } = words;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const record = await findAnswered(store, calculationId);
    if (!record) return { kind: 'not_found' };
    await completeElsewhere(store, record);
    const done = await decide(store, record, words, eventFactsOf(context));
    if (done.outcome === 'again') continue;
    if (done.outcome === 'none') return { kind: 'refused', message: NO_CONFLICT, record };
    if (done.outcome === 'returned') return { kind: 'refused', message: RETURNED, record };
    if (done.outcome === 'known' && done.decided !== outcome) {
      return { kind: 'refused', message: `It was decided before, for the ${done.decided} outcome.`, record };
    }
    const decided = await findAnswered(store, calculationId);
    if (!decided?.decision) continue;
    const isCompleter = await completeDecision(context, decided);
    return { kind: 'decided', record: decided, isRepeated: done.outcome === 'known', isCompleter };
  }
  throw new StoreUnavailable('the calculation is being moved or erased: repeat it');
}

const NO_CONFLICT = 'There is nothing to decide: no second outcome of this calculation was reported.';
const RETURNED = 'Goods of this sale came back, so it was made as the first outcome says.';

type Context = Pick<PricingContext, 'environment' | 'store'>;

/** Does what is left of a decision. True for the one caller that has completed it. Throws `StoreUnavailable`. */
export async function completeDecision(context: Context, record: AnsweredCalculation): Promise<boolean> {
  const { store } = context;
  const { calculationId, sale, due, decision } = record;
  if (!decision || !due.decisionDue) return false;
  const over = await completeElsewhere(store, record);
  if (sale) await leadTo(store, { calculationId, ...sale });
  if (due.decisionDue === 'event')
    await tellDecision(context, { ...record, overRedeemed: record.overRedeemed + over }, decision);
  await countDecision(context, record, decision);
  return finishDecision(store, record, decision);
}

/** Appends the event of a decision that was booked without it: on a cluster, or with units over all members. */
async function tellDecision(context: Context, record: AnsweredCalculation, decision: Decision): Promise<void> {
  const { store } = context;
  const { calculationId, sale, isLate: late, overRedeemed } = record;
  if (!sale) return;
  const told = { late, overRedeemed };
  const basket = await eventFactsOf(context)(record);
  const event = await resolvedEvent(store, record, { calculationId, ...sale }, decision, basket, told);
  const isTold = await appendDue(store, record, 'decisionDue', event, decision.atMs);
  if (!isTold) throw new StoreUnavailable('a merge of the member is under way: repeat it');
}

/** Books in the costs what the decision changes: on its own day, of the calculation's. */
async function countDecision(context: Context, record: AnsweredCalculation, decision: Decision) {
  const { environment, store } = context;
  const { calculationId, sale } = record;
  const isInCosts = !record.isUndone && isSoldAsAnswered(record, decision.first);
  const belongsInCosts = sale !== undefined && isSoldAsAnswered(record, sale);
  if (isInCosts === belongsInCosts) return;
  const fate = belongsInCosts ? 'sold' : 'undone';
  const funders = await readFunders(context, record);
  const { costEntry } = costEntryOf(environment, fate, record, decision.atMs, funders);
  if (!costEntry) return;
  await addCostsOnce(store, `resolved ${calculationId}`, costEntry, rowsOf(costEntry));
}
