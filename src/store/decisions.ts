import { type DescribeBasket, resolvedEvent } from './calculation-events.ts';
import { eventsKey } from './events.ts';
import { moveSale } from './merged.ts';
import { keptMs, outcomeText } from './sale.ts';
import { resolveConflictScript } from './scripts/sales.ts';
import type { Store } from './store.ts';
import { type AnsweredCalculation, clearDue, type Decision } from './stored-calculation.ts';

/**
 * Decisions of persons between two outcomes that were reported of a calculation. A decision is booked in the calculation's slot in
 * one step, with its event. Counters of all members, the costs and the list of decisions follow, and a repetition completes them.
 */

/** What a person says: `who` is the name of its token. */
export type DecisionWords = Pick<Decision, 'outcome' | 'reason'> & { readonly who: string };

export type DecisionOutcome =
  | { readonly outcome: 'resolved' }
  | { readonly outcome: 'known'; readonly decided: Decision['outcome'] }
  /** No two outcomes of it were reported. */
  | { readonly outcome: 'none' }
  /** Goods of the first outcome came back. */
  | { readonly outcome: 'returned' }
  /** Read it again: counters of all members have to hear of the first outcome, or it has changed, or moved to another member. */
  | { readonly outcome: 'again' };

/** Decides a conflict, if nobody has, with the event of the decision. Throws `StoreUnavailable`. */
export async function decide(
  store: Store,
  record: AnsweredCalculation,
  { outcome, who, reason }: DecisionWords,
  describe: DescribeBasket,
): Promise<DecisionOutcome> {
  const { connection, keys, periods } = store;
  const { member, calculationId, second } = record;
  const reply = await resolveConflictScript(
    connection,
    {
      ...keys.ofMember(member),
      ...keys.ofCalculation(member, calculationId),
      events: eventsKey(store, calculationId),
      others: keys.othersOf(member, calculationId, 'as the record'),
    },
    {
      outcome,
      who,
      reason,
      retentionMs: periods.retentionMs,
      keptMs: second ? keptMs(second, periods) : 0,
      event: await eventOf(store, record, outcome, describe),
      secondRead: second && outcomeText(second),
    },
  );
  switch (reply.outcome) {
    case 'common_due':
    case 'changed':
      return { outcome: 'again' };
    case 'moved':
      await moveSale(store, member, reply, calculationId);
      return { outcome: 'again' };
    default:
      return reply;
  }
}

/** The event that a decision makes of a calculation; '' where there is nothing to decide. */
async function eventOf(
  store: Store,
  record: AnsweredCalculation,
  outcome: Decision['outcome'],
  describe: DescribeBasket,
): Promise<string> {
  const { calculationId, sale: first, second, decision } = record;
  if (!first || !second || decision) return '';
  const sale = { calculationId, ...(outcome === 'second' ? second : first) };
  return resolvedEvent(store, record, sale, { outcome, first }, await describe(record));
}

/** Sales can be searched for so long (`GET /admin/sales`). */
const LISTED_MS = 90 * 86_400_000;

/**
 * Notes that all of a decision is done. If its event stands in the place of that of the sale, the search of sales learns so. True for the one
 * caller that has noted it. Throws `StoreUnavailable`.
 */
export async function finishDecision(
  store: Store,
  decided: AnsweredCalculation,
  { outcome, atMs }: Decision,
): Promise<boolean> {
  const { connection, keys } = store;
  if (outcome === 'second' || decided.isUndone) {
    const list = keys.decisions();
    await connection.run(list, (client) => client.zadd(list, atMs, decided.calculationId));
    await connection.run(list, (client) => client.zremrangebyscore(list, '-inf', atMs - LISTED_MS));
    await connection.run(list, (client) => client.pexpire(list, LISTED_MS));
  }
  return clearDue(store, decided, 'decisionDue', 'undone');
}

/** When persons decided against the outcomes of calculations, in the last 90 days, by Redis' clock, ms since 1970. Throws `StoreUnavailable`. */
export async function readDecisions({ connection, keys }: Store): Promise<ReadonlyMap<string, number>> {
  const words = await connection.run(keys.decisions(), (client, key) => client.zrange(key, '0', '-1', 'WITHSCORES'));
  const decisions = new Map<string, number>();
  for (let at = 0; at + 1 < words.length; at += 2) decisions.set(words[at]!, Number(words[at + 1]));
  return decisions;
}
