import { type Refusal, refuse } from '@loyalty/contract/errors';
import { fingerprintOf } from '@loyalty/contract/fingerprint';
import { COMMIT_MARGIN_MS, MAX_SHORTAGE_ROUNDS } from '@loyalty/contract/limits';
import { DeadlinePassed } from '../redis/failure.ts';
import { type CommitOutcome, commitCalculation, findStoredAnswer } from '../store/calculations.ts';
import { type IndexEntry, readIndexEntry } from '../store/index-entry.ts';
import type { Store } from '../store/store.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import type { RenderedAnswer } from './answer.ts';
import type { CallContext, CallRequest, Outcome } from './call.ts';
import type { AnswerFacts, CircumstanceFacts } from './call-facts.ts';
import { type Circumstances, findCircumstances } from './circumstances.ts';
import { CommonHolds } from './common-holds.ts';
import { costFactsOf } from './cost-facts.ts';
import { type LookedUp, lookUp } from './lookup.ts';
import { priceCall } from './price-call.ts';
import type { PricedCall } from './pricing.ts';
import { type ReadCall, readCall } from './read-call.ts';
import { reportFault } from './repair.ts';
import { replay } from './replay.ts';
import { rateLimited, refusalOf, tooLate } from './result.ts';
import { readStoredContent } from './stored/stored-answer.ts';

const MS_PER_SECOND = 1000;

/**
 * The basket call, from its body to its outcome (interface, section 4):
 *
 *     read the body: JSON, schema, venue, currency, identities   an error waits for its place in the order of checks
 *     take a token, and read: one round trip                     ─▶ 429; headers 400; replay, 409; the error
 *     price: in place, or in a thread
 *     commit: one script, which writes the answer                ─▶ replay, 409, 503
 *
 * Pricing is pure, so racing duplicates may all come here; the first commit wins and the others answer with its bytes. A shortage
 * is priced again with what is left, and what has changed between the read and the commit is read again; neither has committed
 * anything, and what is held of limits over all members by then is settled by the commit that follows (common-holds.ts). Throws
 * `StoreUnavailable` and `PoolUnavailable`.
 */
export async function calculateBasket(context: CallContext, call: CallRequest): Promise<Outcome> {
  const { store } = context;
  const { calculationId, headRefusal, stopwatch } = call;
  const read = readCall(context.environment, call.body, calculationId);
  if (read.venue) call.note({ venueId: read.venue.venueId });
  if (headRefusal) return refuseInOrder(context, call, headRefusal);
  if (read.kind === 'refused') {
    return refuseInOrder(context, call, read.refusal, () => readIndexEntry(store, calculationId));
  }

  stopwatch.enter('member');
  const admitted = await context.tokens.takeAndRead(call.kind, () => lookUp(store, read));
  if (!admitted.isAllowed) return rateLimited(admitted);
  const commonHolds = new CommonHolds(store, read);
  const attempt = async (lookedUp: LookedUp) =>
    (await findStored(context, call, lookedUp)) ?? (await priceAndCommit(context, call, read, lookedUp, commonHolds));
  let outcome = await attempt(admitted.state);
  // It ends at the deadline at the latest, after which nothing is priced.
  while (outcome === 'changed') {
    stopwatch.enter('member');
    outcome = await attempt(await lookUp(store, read));
  }
  return outcome;
}

/** Refuses a call with an error at its place in the order of checks: behind the token, and an error of the body behind a stored answer. */
async function refuseInOrder(
  context: CallContext,
  call: CallRequest,
  refusal: Refusal,
  readEntry: () => Promise<IndexEntry | undefined> = async () => undefined,
): Promise<Outcome> {
  call.stopwatch.enter('lookup');
  const admitted = await context.tokens.takeAndRead(call.kind, readEntry);
  if (!admitted.isAllowed) return rateLimited(admitted);
  return (await findStored(context, call, { entry: admitted.state })) ?? refusalOf(refusal);
}

/** The stored answer of the call, or 409 for another body; undefined where nothing is stored. */
async function findStored(
  context: CallContext,
  { calculationId, body, deadlineMs, stopwatch }: CallRequest,
  { entry, fingerprint }: Pick<LookedUp, 'entry'> & Partial<LookedUp>,
): Promise<Outcome | undefined> {
  if (entry?.member === undefined) return undefined;
  stopwatch.enter('replay');
  const remainingMs = () => deadlineMs - monotonicMs();
  const print = () => fingerprint ?? fingerprintOf(body);
  const found = await findStoredAnswer(context.store, calculationId, entry.member, print, remainingMs);
  if (found.outcome === 'conflict') return refusalOf(refuse('idempotency_conflict'));
  return found.outcome === 'none' ? undefined : replay(context, found.stored, body, found);
}

async function priceAndCommit(
  context: CallContext,
  call: CallRequest,
  read: ReadCall,
  lookedUp: LookedUp,
  commonHolds: CommonHolds,
): Promise<Outcome | 'changed'> {
  const { environment, store, recording, repairDir } = context;
  const { stopwatch, deadlineMs, body } = call;
  const circumstances = await findCircumstances(context, read, lookedUp);
  call.note(factsOfCircumstances(lookedUp, circumstances));
  const available = new Map(circumstances.available);
  for (let round = 0; ; round += 1) {
    if (call.isOver()) throw new DeadlinePassed('nobody waits for the call');
    // It is too late to commit, so nothing is priced.
    if (monotonicMs() > deadlineMs - COMMIT_MARGIN_MS) throw new DeadlinePassed();
    stopwatch.enter('price');
    const pricedBy = { ...circumstances, available };
    const priced = await priceCall(context, call, read, pricedBy);
    const { rendered } = priced;
    if (rendered.fault) {
      return refusalOf(refuse('internal_error'), reportFault(rendered.fault, read.basket, repairDir));
    }
    if (call.isOver()) throw new DeadlinePassed('nobody waits for the call');
    stopwatch.enter('commit');
    const committed = await commit(store, call, commonHolds, { read, lookedUp, circumstances, priced });
    switch (committed.outcome) {
      case 'committed': {
        const recorded = recording?.ofBasket(environment.version, read, pricedBy, rendered);
        const facts = factsOfAnswer(rendered, lookedUp, committed, recorded?.kind === 'failed');
        const lines = recorded?.kind === 'lines' && { recordingLines: recorded.lines };
        return { kind: 'answer', body: rendered.body, isReplayed: false, facts, ...lines };
      }
      case 'replay': {
        const { stored } = committed;
        const status = readStoredContent(stored)?.status;
        return replay(context, stored, body, { venueId: read.venue.venueId, status });
      }
      case 'conflict':
        return refusalOf(refuse('idempotency_conflict'));
      case 'too_late':
        return tooLate();
      case 'changed':
        return 'changed';
      case 'shortage':
        // Another till was faster: nothing was committed, and the basket is priced again with the units that are left. What the
        // call holds of limits over all members stays held until its commit.
        call.note({ shortages: round + 1 });
        for (const [usageKey, left] of committed.left) {
          const isScarce = rendered.uses.some((use) => use.usageKey === usageKey && use.units > left);
          available.set(usageKey, isScarce && round >= MAX_SHORTAGE_ROUNDS ? 0 : left);
        }
    }
  }
}

/** A priced basket, and from what it was priced. */
interface Pricing {
  readonly read: ReadCall;
  readonly lookedUp: LookedUp;
  readonly circumstances: Circumstances;
  readonly priced: PricedCall;
}

async function commit(
  store: Store,
  { deadlineMs }: CallRequest,
  commonHolds: CommonHolds,
  { read, lookedUp, circumstances, priced }: Pricing,
): Promise<CommitOutcome> {
  const { basket, venue } = read;
  const { memberKey, fingerprint, snapshot, readAtMs, entry, supersedes } = lookedUp;
  const { rendered, kept, stored } = priced;
  const remainingMs = deadlineMs - COMMIT_MARGIN_MS - readAtMs;
  const held = await commonHolds.hold(lookedUp, rendered.uses, deadlineMs - monotonicMs());
  if (held.outcome === 'shortage') return held;
  const committed = await commitCalculation(store, {
    calculationId: basket.calculationId,
    member: memberKey,
    fingerprint,
    stored,
    kept,
    entry,
    supersedes,
    venueId: venue.venueId,
    status: rendered.status,
    total: rendered.total,
    reason: rendered.reason,
    uses: rendered.uses.filter(({ of }) => of === undefined),
    common: { uses: held.uses, lent: held.lent },
    given: { programmeId: venue.programme.programmeId, currency: basket.currency, benefits: rendered.given },
    ...costFactsOf(venue.programme, circumstances.member),
    deadlineMs: snapshot.nowMs + remainingMs,
    remainingMs: () => deadlineMs - monotonicMs(),
  });
  if (committed.outcome === 'committed') commonHolds.confirm(committed.holdsCommon ? held.uses : []);
  return committed;
}

function factsOfCircumstances({ ownLines }: LookedUp, circumstances: Circumstances): CircumstanceFacts {
  const { clockOffsetMs, isClockOff, movedMs } = circumstances;
  return {
    ownDiscountsReturned: ownLines || undefined,
    clockOffsetSeconds: clockOffsetMs / MS_PER_SECOND,
    clockOff: isClockOff || undefined,
    clockMovedSeconds: movedMs === 0 ? undefined : movedMs / MS_PER_SECOND,
  };
}

function factsOfAnswer(
  { status, reason, gap, total = 0, ownDiscounts }: RenderedAnswer,
  { ownLines }: LookedUp,
  { holdsMade, holdsReleased }: Extract<CommitOutcome, { outcome: 'committed' }>,
  isUnrecorded: boolean,
): AnswerFacts {
  return {
    status,
    reason,
    gap: gap || undefined,
    gapOfTotal: gap / Math.max(1, total),
    ownDiscountsReturned: ownLines + ownDiscounts || undefined,
    holdsMade: holdsMade || undefined,
    holdsReleased: holdsReleased || undefined,
    unrecorded: isUnrecorded || undefined,
  };
}
