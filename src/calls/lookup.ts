import type { BasketRequest } from '@loyalty/contract/basket-request';
import { fingerprintOf } from '@loyalty/contract/fingerprint';
import { limitedUses } from '@loyalty/engine/offers/limits';
import type { Venue } from '@loyalty/engine/types';
import { findAnswerBytes, findSupersession, type Supersession } from '../store/calculations.ts';
import { type CommonCounters, readCommon } from '../store/common-limits.ts';
import { type IndexEntry, readIndexEntry } from '../store/index-entry.ts';
import { type MemberToken, memberToken } from '../store/keys.ts';
import { type MemberSnapshot, readMember } from '../store/members.ts';
import { closeCounters, MOST_HOPS, moveCalculation } from '../store/merged.ts';
import type { Store } from '../store/store.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import type { ReadCall } from './read-call.ts';
import { readStoredContent } from './stored/stored-answer.ts';

/** What Redis says of a valid basket before its price. */
export interface LookedUp {
  /** Names the member in keys. */
  readonly memberKey: MemberToken;
  /** SHA-256 of the body. */
  readonly fingerprint: string;
  /** The index entry of its calculation ID; undefined where nobody has seen that. */
  readonly entry: IndexEntry | undefined;
  readonly snapshot: MemberSnapshot;
  /** The machine's monotonic clock when the snapshot arrived. Redis' clock read `snapshot.nowMs` at this instant or before it. */
  readonly readAtMs: number;
  /** The counters of limits over all members, at the time that the basket names. */
  readonly common: CommonCounters;
  readonly supersedes: Supersession | undefined;
  /** Lines whose existing discount is what the superseded calculation gave: perhaps ours, perhaps the staff's. */
  readonly ownLines: number;
}

/**
 * Reads what a basket needs, in one round trip that writes nothing. Only a member that was merged into another one takes more: it is
 * read as that one, after what its merge has not moved yet of this calculation was moved. Throws `StoreUnavailable`.
 */
export function lookUp(store: Store, read: ReadCall): Promise<LookedUp> {
  return lookUpAs(store, read, read.basket.loyaltyId, 0);
}

/** `hops`: members that have led on to this one. */
async function lookUpAs(store: Store, read: ReadCall, loyaltyId: string, hops: number): Promise<LookedUp> {
  if (hops > MOST_HOPS) throw new Error('members were merged in a circle');
  const { body, basket, venue } = read;
  const { calculationId, supersedesCalculationId: supersededId } = basket;
  const { programmeId, benefits } = venue.programme;
  const memberKey = memberToken(programmeId, loyaltyId);
  const withUses = benefits.some(({ limits, audience }) => limits.length > 0 || audience === 'granted');
  const wanted = supersededId === undefined ? [calculationId] : [calculationId, supersededId];
  const [entry, snapshot, common, superseded, ownLines] = await Promise.all([
    readIndexEntry(store, calculationId),
    readMember(store, { token: memberKey, programmeId, loyaltyId }, withUses, wanted),
    readCommonOf(store, venue, basket),
    supersededId === undefined ? undefined : readIndexEntry(store, supersededId),
    countOwnLines(store, memberKey, read),
  ]);
  const { mergedInto } = snapshot;
  if (mergedInto !== undefined) {
    const successor = memberToken(programmeId, mergedInto);
    // The merge may just have begun. Where it was taken back, the call is the member's own again.
    if (!(await closeCounters(store, memberKey, successor, mergedInto)))
      return lookUpAs(store, read, loyaltyId, hops + 1);
    // An answer of before the merge goes along, and is given again.
    await moveCalculation(store, memberKey, successor, calculationId);
    return lookUpAs(store, read, mergedInto, hops + 1);
  }
  return {
    memberKey,
    fingerprint: fingerprintOf(body),
    entry,
    snapshot,
    common,
    ownLines,
    readAtMs: monotonicMs(),
    supersedes: supersededId === undefined ? undefined : findSupersession(supersededId, superseded),
  };
}

/** Reads the counters of limits over all members that a basket may need; a programme without any asks nothing of Redis. */
export async function readCommonOf(
  store: Store,
  venue: Venue,
  { requestedAt, calculationId, supersedesCalculationId }: BasketTimes,
): Promise<CommonCounters> {
  const { programmeId, hasCommonLimits } = venue.programme;
  if (!hasCommonLimits) return NO_COUNTERS;
  const wanted = supersedesCalculationId === undefined ? [calculationId] : [calculationId, supersedesCalculationId];
  return readCommon(store, { programmeId, venueId: venue.venueId }, limitedUses(venue, requestedAt), wanted);
}

type BasketTimes = Pick<BasketRequest, 'requestedAt' | 'calculationId' | 'supersedesCalculationId'>;

const NO_COUNTERS: CommonCounters = new Map();

/**
 * Counts the lines of a superseding basket whose existing discount is an amount that its predecessor gave: a till that builds
 * its changed basket from the answered lines sends our discounts back as the staff's. They are only counted, because a staff
 * discount may be equal. The stored answer has no line IDs, so amounts are compared, each once. A basket that supersedes
 * nothing, or has no existing line discount, costs nothing here; a failure counts none.
 */
async function countOwnLines(store: Store, member: MemberToken, { basket }: ReadCall): Promise<number> {
  const { supersedesCalculationId } = basket;
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
