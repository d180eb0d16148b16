import { hash } from 'node:crypto';
import type { PricingContext } from '../calls/call.ts';
import { eventFactsOf } from '../calls/event-facts.ts';
import { readFunders } from '../calls/funders.ts';
import { redemptionOf, rowsOf } from '../calls/redemption.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { resolvedEvent } from '../store/calculation-events.ts';
import { completeEnding } from '../store/common-endings.ts';
import { completeElsewhere, leadTo } from '../store/completion.ts';
import { addCostRows } from '../store/cost-rows.ts';
import { type DecisionWords, decide, finishDecision } from '../store/decisions.ts';
import { appendEvent } from '../store/events.ts';
import { findAnswered } from '../store/find-calculation.ts';
import { type AnsweredCalculation, type Decision, isSoldAsAnswered } from '../store/stored-calculation.ts';

/**
 * A person decides between two outcomes of a calculation: the first one, which has stood since it was reported, or the second one,
 * whose event was refused with 409. The decision is booked when it is made: limits and grants, costs and the sale are from then on
 * as the chosen outcome has them.
 */

export type ResolveOutcome =
  | { readonly kind: 'decided'; readonly record: AnsweredCalculation; readonly isRepeated: boolean }
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
    const done = await decide(store, record, words);
    if (done.outcome === 'again') continue;
    if (done.outcome === 'none') return { kind: 'refused', message: NO_CONFLICT, record };
    if (done.outcome === 'returned') return { kind: 'refused', message: RETURNED, record };
    if (done.outcome === 'known' && done.decided !== outcome) {
      return { kind: 'refused', message: `It was decided before, for the ${done.decided} outcome.`, record };
    }
    const decided = await findAnswered(store, calculationId);
    if (!decided?.decision) continue;
    if (decided.due.decision) await complete(context, decided, decided.decision);
    return { kind: 'decided', record: decided, isRepeated: done.outcome === 'known' };
  }
  throw new StoreUnavailable('the calculation is being moved or erased: repeat it');
}

const NO_CONFLICT = 'There is nothing to decide: no second outcome of this calculation was reported.';
const RETURNED = 'Goods of this sale came back, so it was made as the first outcome says.';

async function complete(context: PricingContext, record: AnsweredCalculation, decision: Decision): Promise<void> {
  const { store } = context;
  const { calculationId, sale, commonUses: uses, due } = record;
  const over = due.counters ? await completeEnding(store, record, { uses, ending: due.counters }) : 0;
  if (sale) await leadTo(store, { calculationId, ...sale });
  await tellDecision(context, { ...record, overRedeemed: record.overRedeemed + over }, decision);
  await countDecision(context, record, decision);
  await finishDecision(store, record, decision);
}

/** Appends the event of a decision, at least once. */
async function tellDecision(context: PricingContext, record: AnsweredCalculation, decision: Decision): Promise<void> {
  const { store } = context;
  const { calculationId, sale, isLate: late, overRedeemed } = record;
  if (!sale) return;
  const told = { late, overRedeemed };
  const describe = eventFactsOf(context);
  const event = await resolvedEvent(store, record, { calculationId, ...sale }, decision, describe, told);
  await appendEvent(store, calculationId, event, decision.atMs);
}

/** Books in the costs what the decision changes: on its own day, of the calculation's. */
async function countDecision(context: PricingContext, record: AnsweredCalculation, decision: Decision) {
  const { environment, store } = context;
  const { calculationId, sale } = record;
  const isInCosts = !record.due.isUncounted && isSoldAsAnswered(record, decision.first);
  const belongsInCosts = sale !== undefined && isSoldAsAnswered(record, sale);
  if (isInCosts === belongsInCosts) return;
  const fate = belongsInCosts ? 'sold' : 'undone';
  const funders = await readFunders(context, record);
  const { redemption } = redemptionOf(environment, fate, record, decision.atMs, funders);
  if (!redemption) return;
  const process = hash('sha256', `resolved ${calculationId}`, 'base64url').slice(0, NAME_CHARACTERS);
  await addCostRows(store, redemption, { process, number: 1 }, rowsOf(redemption));
}

/** Enough that no two reporters of a day share it. */
const NAME_CHARACTERS = 16;
