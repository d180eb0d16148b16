import { fingerprintOf } from '../contract/fingerprint.ts';
import type { Environment } from '../programme/environment.ts';
import { DeadlinePassed } from '../redis/failure.ts';
import { findAnswerBytes, findSupersession } from '../store/calculations.ts';
import { noteDue } from '../store/expiry.ts';
import { claimIndexEntry, readIndexEntry } from '../store/index-entry.ts';
import { type MemberToken, memberToken } from '../store/keys.ts';
import { readMember } from '../store/members.ts';
import { closeCounters, moveCalculation } from '../store/merged.ts';
import { dropClaim, openCalculation } from '../store/opening.ts';
import type { Store } from '../store/store.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import type { CallFacts, Door, NotUsual, Opened, Task } from './messages.ts';
import { type ReadCall, type RefusedCall, readCall } from './read-call.ts';
import { readCommonOf } from './situation.ts';
import { readStoredContent } from './stored/stored-answer.ts';

/** The steps of a basket call before its price: its body, and what Redis knows of its member and its ID. */

/** A basket call on its way through the steps: its body, and what Redis said of it. */
export type Calculation = ReadCall & Opened;

/** Reads a call's body, checks all that can be checked without Redis, and notes what the log and the metrics say of it. */
export function readTask(environment: Environment, task: Task, facts: CallFacts): ReadCall | RefusedCall {
  const read = readCall(environment, task.body, task.calculationId);
  if (read.venue) facts.venueId = read.venue.venueId;
  return read;
}

/** The environment and the store that a call uses. */
export interface CallContext {
  readonly environment: Environment;
  readonly store: Store;
}

/** The keys and marks of a calculation in the store. */
function identify({ body, head, venue }: ReadCall, loyaltyId = head.loyaltyId) {
  const { programmeId, benefits } = venue.programme;
  const { calculationId, supersedesCalculationId } = head;
  return {
    wanted: supersedesCalculationId === undefined ? [calculationId] : [calculationId, supersedesCalculationId],
    member: { token: memberToken(programmeId, loyaltyId), programmeId, loyaltyId },
    fingerprint: fingerprintOf(body),
    withUses: benefits.some(({ limits, audience }) => limits.length > 0 || audience === 'granted'),
  };
}

/** The first round trip of a calculation that nobody has seen: takes its token, claims its ID and reads its member. */
export async function open(context: CallContext, task: Task, door: Door, read: ReadCall): Promise<Opened | NotUsual> {
  const { store } = context;
  const { calculationId, supersedesCalculationId } = read.head;
  const { member, fingerprint, withUses, wanted } = identify(read);
  const remainingMs = task.deadlineMs - monotonicMs();
  const opened = openCalculation(store, door.rateLimit, {
    ...{ calculationId, member, fingerprint, withUses, wanted, remainingMs },
    isSuperseding: supersedesCalculationId !== undefined,
  });
  const common = readCommonOf(store, read.venue, read.head);
  const [opening, counters, superseded, ownLines] =
    supersedesCalculationId === undefined
      ? [...(await Promise.all([opened, common])), undefined, 0]
      : await Promise.all([
          opened,
          common,
          readIndexEntry(store, supersedesCalculationId),
          countOwnLines(store, member.token, read),
        ]);
  switch (opening.outcome) {
    case 'opened':
      if (opening.snapshot.mergedInto !== undefined) {
        // The claim is taken back, and the call goes the long way.
        await dropClaim(store, calculationId, opening.claim);
        return { kind: 'known', entry: opening.claim, redisNowMs: opening.snapshot.nowMs };
      }
      if (door.isOver()) {
        await dropClaim(store, calculationId, opening.claim);
        throw new DeadlinePassed('nobody waits for the call');
      }
      return {
        configuration: context.environment.version,
        ...{ token: member.token, fingerprint, snapshot: opening.snapshot, tombstone: undefined },
        common: counters,
        readAtMs: monotonicMs(),
        ownLines,
        supersedes:
          supersedesCalculationId === undefined ? undefined : findSupersession(supersedesCalculationId, superseded),
      };
    case 'known':
      return { kind: 'known', entry: opening.entry, redisNowMs: opening.redisNowMs };
    case 'refused':
      return { kind: 'refused by the bucket', retryAfterSeconds: opening.retryAfterSeconds };
    case 'too_late':
      return { kind: 'unopened' };
  }
}

/** The calculation has an answer in the slot of another member, to the same body or to another one. */
export interface AnsweredElsewhere {
  readonly answeredBy: MemberToken;
  readonly fingerprint: string;
}

/** One round trip: reads the member, claims the calculation ID, and looks up the member of a superseded calculation. */
export async function load(
  context: CallContext,
  task: Task,
  read: ReadCall,
  loyaltyId = read.head.loyaltyId,
): Promise<Opened | AnsweredElsewhere> {
  const { store } = context;
  const { calculationId, supersedesCalculationId } = read.head;
  const { member, fingerprint, withUses, wanted } = identify(read, loyaltyId);
  const { token } = member;
  const [snapshot, common, claim, superseded, ownLines] = await Promise.all([
    readMember(store, member, withUses, wanted),
    readCommonOf(store, read.venue, read.head),
    claimIndexEntry(store, calculationId, token, fingerprint, () => task.deadlineMs - monotonicMs()),
    supersedesCalculationId === undefined ? undefined : readIndexEntry(store, supersedesCalculationId),
    countOwnLines(store, token, read),
    noteDue(store, calculationId, supersedesCalculationId !== undefined),
  ]);
  if (claim.outcome === 'answered') return { answeredBy: claim.by, fingerprint };
  const { mergedInto } = snapshot;
  if (mergedInto !== undefined) {
    const heir = memberToken(member.programmeId, mergedInto);
    // The merge may just have begun. Where it was taken back, the call is the member's own again.
    if (!(await closeCounters(store, token, heir, mergedInto))) return load(context, task, read, loyaltyId);
    // The claim goes along; so does an answer of before the merge, which is given again.
    await moveCalculation(store, token, heir, calculationId);
    return load(context, task, read, mergedInto);
  }
  const { tombstone } = claim;
  return {
    configuration: context.environment.version,
    token,
    fingerprint,
    snapshot,
    common,
    readAtMs: monotonicMs(),
    ownLines,
    tombstone,
    supersedes:
      supersedesCalculationId === undefined ? undefined : findSupersession(supersedesCalculationId, superseded),
  };
}

/**
 * Counts the lines of a superseding basket whose existing discount is an amount that its predecessor gave: a till that builds
 * its changed basket from the answered lines sends our discounts back as the staff's. They are only counted, because a staff
 * discount may be equal. The stored answer has no line IDs, so amounts are compared, each once. A basket that supersedes
 * nothing, or has no existing line discount, costs nothing here; a failure counts none.
 */
async function countOwnLines(store: Store, member: MemberToken, { head, basket }: ReadCall): Promise<number> {
  const { supersedesCalculationId } = head;
  if (supersedesCalculationId === undefined) return 0;
  const existing = basket.lines.map((line) => line.existingLineDiscountAmount).filter((amount) => amount > 0);
  if (existing.length === 0) return 0;
  const stored = await findAnswerBytes(store, supersedesCalculationId, member).catch(() => undefined);
  return stored ? countGivenBefore(existing, stored) : 0;
}

/** Counts the amounts that a stored answer gave on its lines, each once. */
export function countGivenBefore(existing: readonly number[], stored: Buffer): number {
  const content = readStoredContent(stored);
  if (content?.status !== 'applied') return 0;
  const given = content.parts.flatMap(({ effect }) => effect?.amount ?? []);
  return existing.filter((amount) => {
    const at = given.indexOf(amount);
    if (at >= 0) given.splice(at, 1);
    return at >= 0;
  }).length;
}
