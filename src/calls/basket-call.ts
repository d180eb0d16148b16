import { refuse } from '../contract/errors.ts';
import { COMMIT_MARGIN_MS, MAX_SHORTAGE_ROUNDS } from '../contract/limits.ts';
import { type BasketToPrice, grantSteps, limitedUses } from '../pricing/price.ts';
import type { LimitedUse } from '../pricing/types.ts';
import type { RecordingOptions } from '../recording/record.ts';
import { DeadlinePassed } from '../redis/failure.ts';
import { type Commit, type CommitOutcome, commitCalculation, findStoredAnswer } from '../store/calculations.ts';
import { requireData } from '../store/data-guard.ts';
import { readCounters } from '../store/holds.ts';
import { canOpen } from '../store/opening.ts';
import type { Store } from '../store/store.ts';
import { monotonicMs, type Stopwatch } from '../telemetry/stopwatch.ts';
import { priceAnswer, priceCheapAnswer, type RenderedAnswer, renderMemberNotFound } from './answer.ts';
import { CommonHolding } from './common-holding.ts';
import { type CostFacts, costFactsOf } from './cost-facts.ts';
import { type AnsweredElsewhere, type Calculation, type CallContext, load, open, readTask } from './loading.ts';
import type { CallFacts, Door, NotUsual, Outcome, Task, TooMuchWork } from './messages.ts';
import { recordLines } from './recorded-call.ts';
import { tooLate } from './result.ts';
import {
  atTime,
  type ClockJudgement,
  findAvailable,
  findMember,
  judgeClock,
  readCommonOf,
  timeOfMember,
} from './situation.ts';
import { encodeKeptBasket, keptMemberOf } from './stored/kept-basket.ts';
import { replayAnswer, storedForm } from './stored/stored-answer.ts';

const MS_PER_SECOND = 1000;

/** The environment, store and folders that every call of a thread uses. */
export interface WorkerContext extends CallContext {
  readonly repairDir: string;
  /** Present when answered baskets are recorded. */
  readonly recording?: RecordingOptions;
  /** The most steps of pricing that are taken here; absent where any number is (src/pricing/work.ts). */
  readonly patience?: number;
}

/**
 * The usual basket call, from its bytes to its answer. Nobody has seen its ID, its body is small and without a fault, and two
 * round trips do: one takes its token, claims its ID and reads its member, the other commits. It never refuses a body, because
 * 429, a replay and 409 come before that. Pricing is pure, so racing duplicates may all run it; the first commit wins and the
 * others answer with its bytes. Throws `StoreUnavailable`.
 */
export async function calculateUsual(
  context: WorkerContext,
  task: Task,
  door: Door,
  facts: CallFacts,
  stopwatch: Stopwatch,
): Promise<Outcome | TooMuchWork | NotUsual> {
  if (!canOpen(context.store)) return { kind: 'unopened' };
  const read = readTask(context.environment, task, facts);
  stopwatch.lap('parse');
  if ('refusal' in read) return { kind: 'unopened' };
  const opened = await open(context, task, door, read);
  stopwatch.lap('member');
  if ('kind' in opened) return opened;
  // Awaited here: a promise that is returned takes three turns of the queue of microtasks instead of one.
  const outcome = await priceAndCommit(context, task, { ...read, ...opened }, facts, stopwatch);
  return outcome;
}

/** Prices a basket whose token was taken and whose ID was looked up. In a thread it may continue with what was opened before. */
export async function calculateBasket(
  context: WorkerContext,
  task: Task,
  facts: CallFacts,
  stopwatch: Stopwatch,
): Promise<Outcome | TooMuchWork> {
  const read = readTask(context.environment, task, facts);
  stopwatch.lap('parse');
  if ('refusal' in read) return { kind: 'refusal', refusal: read.refusal };
  // A reload may have come between; the other programme may know the loyalty ID under another key.
  const isOpened = task.opened?.configuration === context.environment.version;
  const opened = isOpened ? task.opened : await load(context, task, read);
  stopwatch.lap('member');
  if ('answeredBy' in opened) return answerAsThere(context.store, task, opened, facts);
  return priceAndCommit(context, task, { ...read, ...opened }, facts, stopwatch);
}

/**
 * Prices and commits. A shortage means that another till was faster: the commit wrote nothing, and the basket is priced
 * again with the units that are left. After `MAX_SHORTAGE_ROUNDS` it is priced without the scarce benefits.
 */
async function priceAndCommit(
  context: WorkerContext,
  task: Task,
  calculation: Calculation,
  facts: CallFacts,
  stopwatch: Stopwatch,
): Promise<Outcome | TooMuchWork> {
  const { body, head, venue, snapshot } = calculation;
  noteOwnDiscounts(facts, calculation.ownLines);
  const { movedMs } = snapshot;
  const member = findMember(context.environment, venue, head.loyaltyId, snapshot);
  if (!member) await requireData(context.store, calculation.token);
  const requestedAt = timeOfMember(head.requestedAt, snapshot);
  const basket = movedMs === 0 ? calculation.basket : atTime(calculation.basket, requestedAt);
  // Checked before anything is computed of the grants: what is left of very many is work for a thread.
  if (member && grantSteps(member) > (context.patience ?? Number.POSITIVE_INFINITY))
    return tooMuchWork(calculation, stopwatch);
  const uses = limitedUses(venue, requestedAt, member);
  const whole = snapshot.isPartial ? await readUsed(context.store, calculation, uses) : snapshot;
  // The counters of a moved clock's period are others than those that were read with the member.
  const common =
    movedMs === 0 ? calculation.common : await readCommonOf(context.store, venue, { ...head, requestedAt });
  const available = findAvailable(head, uses, whole, common);
  const holding = new CommonHolding(context.store, calculation);
  const clock = judgeClock(context.environment, head, snapshot);
  noteClock(facts, clock, movedMs);
  const isClockOff = clock.isOff;
  const costFacts = costFactsOf(venue.programme, member);
  const keptMember = member && keptMemberOf(venue.programme, member);
  for (let round = 0; ; round += 1) {
    // It is too late to commit, so nothing is priced.
    if (monotonicMs() > task.deadlineMs - COMMIT_MARGIN_MS) throw new DeadlinePassed();
    const rendered = member
      ? price(context, { basket, venue, member, available, isClockOff })
      : renderMemberNotFound(basket);
    stopwatch.lap('price');
    if (!rendered) return tooMuchWork(calculation, stopwatch);
    if (rendered.fault !== undefined) {
      return { kind: 'refusal', refusal: refuse('internal_error'), fault: rendered.fault };
    }
    const { version: configuration, hasEventLines } = context.environment;
    const pricedBy = { configuration, member: keptMember, used: countUsed(uses, available), movedMs };
    const kept = encodeKeptBasket(calculation.basket, pricedBy, venue.programme, hasEventLines);
    const committed = await commit(context.store, task, calculation, rendered, { kept, ...costFacts }, holding);
    stopwatch.lap('commit');
    if (committed.outcome !== 'shortage') {
      const outcome = conclude(committed, rendered, body, facts);
      const { recording } = context;
      if (!recording || committed.outcome !== 'committed') return outcome;
      const circumstances = { configuration, member, uses, available, clockOffsetMs: clock.offsetMs };
      const lines = recordLines(recording, { ...calculation, basket }, circumstances, rendered, facts);
      return lines === '' || outcome.kind === 'refusal' ? outcome : { ...outcome, record: lines };
    }
    facts.shortages = round + 1;
    for (const [usageKey, left] of committed.left) available.set(usageKey, round < MAX_SHORTAGE_ROUNDS ? left : 0);
  }
}

function tooMuchWork(calculation: Calculation, { phases }: Stopwatch): TooMuchWork {
  const { body: _, head: _head, basket: _basket, venue: _venue, ...opened } = calculation;
  return { kind: 'too much work', opened, spent: phases };
}

/** The answer, or nothing when pricing takes more steps than are borne here. */
function price({ patience, repairDir }: WorkerContext, input: BasketToPrice): RenderedAnswer | undefined {
  const priced = patience === undefined ? priceAnswer(input, repairDir) : priceCheapAnswer(input, repairDir, patience);
  return priced?.rendered;
}

/** The counters of a member that has very many. */
function readUsed(store: Store, { token, snapshot }: Calculation, uses: readonly LimitedUse[]) {
  const usageKeys = uses.map(({ usageKey }) => usageKey);
  return readCounters(store, token, snapshot, usageKeys);
}

/** Units of every limit that others had when the basket was priced. */
function countUsed(uses: readonly LimitedUse[], available: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(uses.map(({ usageKey, limit }) => [usageKey, limit - (available.get(usageKey) ?? 0)]));
}

function noteClock(facts: CallFacts, { offsetMs, isOff }: ClockJudgement, movedMs: number): void {
  facts.clockOffsetSeconds = offsetMs / MS_PER_SECOND;
  if (movedMs !== 0) facts.clockMovedSeconds = movedMs / MS_PER_SECOND;
  if (isOff) facts.clockOff = true;
}

async function commit(
  store: Store,
  task: Task,
  calculation: Calculation,
  rendered: RenderedAnswer,
  pricedWith: Pick<Commit, 'kept'> & CostFacts,
  holding: CommonHolding,
): Promise<CommitOutcome> {
  const { head, venue, token, fingerprint, snapshot, readAtMs, tombstone, supersedes } = calculation;
  const remainingMs = task.deadlineMs - COMMIT_MARGIN_MS - readAtMs;
  const held = await holding.hold(rendered.uses, task.deadlineMs - monotonicMs());
  if (held.outcome === 'shortage') return held;
  const committed = await commitCalculation(store, {
    calculationId: head.calculationId,
    member: token,
    fingerprint,
    stored: storedForm(rendered.digest, rendered.body),
    venueId: head.venueId,
    status: rendered.status,
    total: rendered.total,
    reason: rendered.reason,
    uses: rendered.uses.filter(({ of }) => of === undefined),
    common: { uses: held.uses, lent: held.lent },
    given: { programmeId: venue.programme.programmeId, currency: head.currency, benefits: rendered.given },
    supersedes,
    tombstone,
    ...pricedWith,
    deadlineMs: snapshot.nowMs + remainingMs,
    remainingMs: () => task.deadlineMs - monotonicMs(),
  });
  if (committed.outcome === 'committed') holding.confirm(committed.holdsCommon ? held.uses : []);
  return committed;
}

/** Ends a call with what became of its commit, and notes what it did. */
export function conclude(
  committed: Exclude<CommitOutcome, { outcome: 'shortage' }>,
  rendered: RenderedAnswer,
  body: Uint8Array,
  facts: CallFacts,
): Outcome {
  switch (committed.outcome) {
    case 'committed':
      facts.status = rendered.status;
      if (rendered.reason !== undefined) facts.reason = rendered.reason;
      noteChoice(facts, rendered);
      noteOwnDiscounts(facts, rendered.ownDiscounts);
      if (committed.holdsMade > 0) facts.holdsMade = committed.holdsMade;
      if (committed.holdsReleased > 0) facts.holdsReleased = committed.holdsReleased;
      return { kind: 'answer', body: rendered.body, isReplayed: false };
    case 'replay':
      return replay(committed.stored, body, facts);
    case 'conflict':
      return { kind: 'refusal', refusal: refuse('idempotency_conflict') };
    case 'too_late':
      return tooLate();
  }
}

/** What a bounded choice may miss is much if it is more than this part of the total. */
const MUCH = 1 / 100;

/** Notes of a fresh answer that a better combination of benefits may exist, and how much it could save. */
function noteChoice(facts: CallFacts, { mayMiss, total = 0 }: RenderedAnswer): void {
  if (mayMiss <= 0) return;
  facts.choice = 'bounded';
  if (Number.isFinite(mayMiss)) facts.mayMiss = Math.ceil(mayMiss);
  if (mayMiss > total * MUCH) facts.mayMissMuch = true;
}

/**
 * Answers a calculation that another member has answered. Two processes may know a venue under two programmes while a
 * configuration is rolled out, and price duplicates for two members: the first commit wins there too, and the others give
 * its answer. Only another body is a conflict.
 */
async function answerAsThere(
  store: Store,
  { calculationId, body, deadlineMs }: Task,
  { answeredBy, fingerprint }: AnsweredElsewhere,
  facts: CallFacts,
): Promise<Outcome> {
  const remainingMs = () => deadlineMs - monotonicMs();
  const found = await findStoredAnswer(store, calculationId, answeredBy, () => fingerprint, remainingMs);
  // The answer was there a moment ago, and has expired since: a retry is priced anew.
  if (found.outcome === 'none') throw new DeadlinePassed();
  if (found.outcome === 'conflict') return { kind: 'refusal', refusal: refuse('idempotency_conflict') };
  return replay(found.stored, body, facts);
}

/** Notes discounts of our own that came back, beside those that were found before pricing. */
function noteOwnDiscounts(facts: CallFacts, count: number): void {
  if (count > 0) facts.ownDiscountsReturned = (facts.ownDiscountsReturned ?? 0) + count;
}

function replay(stored: Buffer, body: Uint8Array, facts: CallFacts): Outcome {
  const replayed = replayAnswer(stored, body);
  if ('answer' in replayed) return { kind: 'answer', body: replayed.answer, isReplayed: true };
  facts.unreplayable = true;
  return { kind: 'refusal', refusal: refuse('internal_error'), fault: replayed.fault };
}
