import { readBasketRequest } from '../basket/basket-request.ts';
import type { BasketRequest } from '../contract/basket-request.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import type { Venue } from '../pricing/types.ts';
import type { Environment } from '../programme/environment.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { findSupersession, type Supersession } from '../store/calculations.ts';
import { noteDue } from '../store/expiry.ts';
import { claimIndexEntry, readIndexEntry, type Tombstone } from '../store/index-entry.ts';
import { type MemberToken, memberToken } from '../store/keys.ts';
import { type MemberSnapshot, readMember } from '../store/members.ts';
import { dropClaim, openCalculation } from '../store/opening.ts';
import type { Store } from '../store/store.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import type { CallFacts, Door, NotFirst, Task } from './messages.ts';
import { findRefusal } from './situation.ts';

/** The steps of a basket call before its price: its body, and what Redis knows of its member and its ID. */

/** A basket call on its way through the steps. */
export interface Calculation {
  readonly basket: BasketRequest;
  readonly venue: Venue;
  readonly token: MemberToken;
  readonly fingerprint: string;
  readonly snapshot: MemberSnapshot;
  /** Our monotonic clock when the snapshot arrived. Redis' clock read `snapshot.nowMs` at this instant or before it. */
  readonly readAtMs: number;
  readonly tombstone: Tombstone | undefined;
  readonly supersedes: Supersession | undefined;
}

/** A basket without a fault, and what follows from it alone. */
export interface ReadCall {
  readonly body: Uint8Array;
  readonly basket: BasketRequest;
  readonly venue: Venue;
}

/** Reads a call's body and checks all that can be checked without Redis. */
export function readCall(
  environment: Environment,
  task: Task,
  facts: CallFacts,
): ReadCall | { readonly refusal: Refusal } {
  const body = new Uint8Array(task.body);
  const read = readBasketRequest(body, task.calculationId);
  if (!read.ok) return read;
  const basket = read.value;
  const venue = environment.findVenue(basket.context.venueId, basket.context.baxId);
  if (venue) facts.venueId = venue.venueId;
  const refusal = findRefusal(basket, venue, read.addsUp);
  if (refusal || !venue) return { refusal: refusal ?? refuse('venue_not_configured') };
  return { body, basket, venue };
}

/** The keys and marks of a calculation in the store. */
function identify({ body, basket, venue }: ReadCall) {
  const { programmeId, benefits } = venue.programme;
  const { loyaltyId } = basket;
  return {
    member: { token: memberToken(programmeId, loyaltyId), programmeId, loyaltyId },
    fingerprint: fingerprintOf(body),
    withUses: benefits.some(({ limit }) => limit !== undefined),
  };
}

/** The first round trip of a calculation that nobody has seen. */
export async function openFirst(store: Store, task: Task, door: Door, read: ReadCall): Promise<Calculation | NotFirst> {
  const { basket, venue } = read;
  const { calculationId, supersedesCalculationId } = basket;
  const { member, fingerprint, withUses } = identify(read);
  const remainingMs = task.deadlineMs - monotonicMs();
  const [opening, superseded] = await Promise.all([
    openCalculation(store, door.rateLimit, { calculationId, member, fingerprint, withUses, remainingMs }),
    supersedesCalculationId === undefined ? undefined : readIndexEntry(store, supersedesCalculationId),
  ]);
  switch (opening.outcome) {
    case 'opened':
      if (door.isOver()) {
        await dropClaim(store, calculationId, opening.claim);
        throw new StoreUnavailable('nobody waits for the call');
      }
      return {
        ...{ basket, venue, token: member.token, fingerprint, snapshot: opening.snapshot, tombstone: undefined },
        readAtMs: monotonicMs(),
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

/** One round trip: reads the member, claims the calculation ID, and looks up the member of a superseded calculation. */
export async function loadCalculation(store: Store, task: Task, read: ReadCall): Promise<Calculation | 'conflict'> {
  const { basket, venue } = read;
  const { calculationId, supersedesCalculationId } = basket;
  const { member, fingerprint, withUses } = identify(read);
  const { token } = member;
  const [snapshot, claim, superseded] = await Promise.all([
    readMember(store, member, withUses),
    claimIndexEntry(store, calculationId, token, fingerprint, () => task.deadlineMs - monotonicMs()),
    supersedesCalculationId === undefined ? undefined : readIndexEntry(store, supersedesCalculationId),
    noteDue(store, calculationId),
  ]);
  if (claim.outcome === 'conflict') return 'conflict';
  const { tombstone } = claim;
  return {
    basket,
    venue,
    token,
    fingerprint,
    snapshot,
    readAtMs: monotonicMs(),
    tombstone,
    supersedes:
      supersedesCalculationId === undefined ? undefined : findSupersession(supersedesCalculationId, superseded),
  };
}
