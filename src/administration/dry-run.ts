import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { BasketResponse } from '@loyalty/contract/basket-response';
import { type Refusal, refuse } from '@loyalty/contract/errors';
import { limitedUses } from '@loyalty/engine/offers/limits';
import type { LimitedUse, Member, Trace, Venue } from '@loyalty/engine/types';
import { priceAnswer, renderMemberNotFound } from '../calls/answer.ts';
import type { PricingContext } from '../calls/call.ts';
import { findAvailable, findMember, judgeClock, timeOfMember } from '../calls/circumstances.ts';
import { type AskedBasket, judgeAgainstVenue, readAsked } from '../calls/read-call.ts';
import { reportFault } from '../calls/repair.ts';
import type { Environment } from '../programme/environment.ts';
import { type CommonCounters, type CountersByKey, readCommon } from '../store/common-limits.ts';
import { readAllCounters } from '../store/holds.ts';
import { type MemberToken, memberToken } from '../store/keys.ts';
import { type MemberSnapshot, readMember } from '../store/members.ts';
import { MOST_HOPS } from '../store/merged.ts';
import type { Store } from '../store/store.ts';

const MS_PER_SECOND = 1000;

/** The reasons for an answer. Money in minor units of the basket's currency. */
export interface Explanation extends Trace {
  /** Version of the configuration that priced the basket. */
  readonly configuration: string;
  readonly programmeId: string;
  /** The instant that decides windows and periods, RFC 3339. */
  readonly at: string;
  /** The basket's time compared with Redis' clock; undefined when `at` was given, which is never compared. */
  readonly clock: ExplainedClock | undefined;
  /** Undefined when the programme does not know the loyalty ID. */
  readonly member: Pick<Member, 'status' | 'tier' | 'grants'> | undefined;
  /** Every limited benefit with the units that are left for this calculation. */
  readonly limits: readonly (LimitedUse & { readonly left: number })[];
  /** `totals.total` of the request and of the answer; the changes sum to the difference. */
  readonly totalBefore: number;
  readonly totalAfter: number;
}

/** The offset of the basket's time, and the configured window. Without a window every time is accepted. */
export interface ExplainedClock {
  /** Above 0 when the basket is ahead of Redis' clock. */
  readonly offsetSeconds: number;
  readonly isOff: boolean;
  readonly pastHours?: number;
  readonly aheadMinutes?: number;
  /** How far the clock of a test member was ahead; absent for everybody else. */
  readonly movedSeconds?: number;
}

export type Explained = (
  | { readonly kind: 'explained'; readonly response: BasketResponse; readonly explanation: Explanation }
  | { readonly kind: 'refusal'; readonly refusal: Refusal; readonly fault?: string }
) & {
  /** The member that was read, for the audit log; undefined when the basket was refused before. */
  readonly member?: MemberToken;
};

/** A basket to explain. `atGiven`: its time was replaced by the person who asks, and is never compared with the clock. */
export interface ExplainedBasket extends AskedBasket {
  readonly atGiven: boolean;
}

/**
 * Reads the body of a basket call. `at` (RFC 3339) replaces the basket's `requestedAt` to ask for the price at that
 * instant.
 */
export function readExplainedBasket(body: Uint8Array, at: string | undefined): ExplainedBasket | Refusal {
  const read = readAsked(body, undefined);
  if (read.kind === 'refused') return read.refusal;
  const { asked } = read;
  return at === undefined
    ? { ...asked, atGiven: false }
    : { ...asked, basket: { ...asked.basket, requestedAt: at }, atGiven: true };
}

/** What an explanation needs of Redis. Both throw `StoreUnavailable`. */
export interface ExplainedFacts {
  /** The member as the programme knows it. */
  readonly readMember: (programmeId: string) => Promise<MemberSnapshot>;
  /** The counters of limits over all members. */
  readonly readCommon: (programmeId: string, uses: readonly LimitedUse[]) => Promise<CommonCounters>;
}

/** The facts of a basket: what its calculation holds, and the one that it supersedes, does not stand in its way. */
export function factsOf(store: Store, { basket }: AskedBasket): ExplainedFacts {
  const { loyaltyId, calculationId, supersedesCalculationId } = basket;
  const { venueId } = basket.context;
  const wanted = supersedesCalculationId === undefined ? [calculationId] : [calculationId, supersedesCalculationId];
  return {
    readMember: (programmeId) => readSnapshot(store, programmeId, loyaltyId, wanted),
    readCommon: (programmeId, uses) => readCommon(store, { programmeId, venueId }, uses, wanted),
  };
}

/**
 * Prices a basket as a call now would be priced, and explains the answer. It reads the member and its limits, and writes
 * nothing. Throws `StoreUnavailable`.
 */
export async function explainBasket(context: PricingContext, asked: ExplainedBasket): Promise<Explained> {
  const judged = judgeAgainstVenue(context.environment, asked);
  if (judged.kind === 'refused') return { kind: 'refusal', refusal: judged.refusal };
  const { venue } = judged;
  const explained = await explainAt(context, asked, venue, factsOf(context.store, asked));
  return { ...explained, member: memberToken(venue.programme.programmeId, asked.basket.loyaltyId) };
}

/** Prices a basket that the venue accepts. The member is read first, because its clock decides of which period the counters are. */
export async function explainAt(
  context: Pick<PricingContext, 'environment' | 'repairDir'>,
  asked: ExplainedBasket,
  venue: Venue,
  { readMember, readCommon }: ExplainedFacts,
): Promise<Explained> {
  const { programmeId } = venue.programme;
  const { requestedAt: sentAt } = asked.basket;
  const snapshot = await readMember(programmeId);
  const requestedAt = asked.atGiven ? sentAt : timeOfMember(sentAt, snapshot);
  const common = await readCommon(programmeId, limitedUses(venue, requestedAt));
  return explainPrice(context, asked, venue, snapshot, common);
}

/** Reads a member with its limits; `wanted` are calculations whose own holds are asked for. Throws `StoreUnavailable`. */
export async function readSnapshot(
  store: Store,
  programmeId: string,
  loyaltyId: string,
  wanted: readonly string[] = [],
  hops = 0,
): Promise<MemberSnapshot> {
  if (hops > MOST_HOPS) throw new Error('members were merged in a circle');
  const token = memberToken(programmeId, loyaltyId);
  const snapshot = await readMember(store, { token, programmeId, loyaltyId }, true, wanted);
  if (snapshot.mergedInto !== undefined) return readSnapshot(store, programmeId, snapshot.mergedInto, wanted, hops + 1);
  return readAllCounters(store, token, snapshot);
}

function explainClock(environment: Environment, basket: BasketRequest, snapshot: MemberSnapshot): ExplainedClock {
  const { offsetMs, isOff } = judgeClock(environment, basket, snapshot);
  const { requestedAt: window } = environment.wording;
  const { movedMs } = snapshot;
  const moved = movedMs !== 0 && { movedSeconds: movedMs / MS_PER_SECOND };
  return { offsetSeconds: offsetMs / MS_PER_SECOND, isOff, ...window, ...moved };
}

/** Prices a basket that the venue accepts, and explains the answer. */
export function explainPrice(
  { environment, repairDir }: Pick<PricingContext, 'environment' | 'repairDir'>,
  given: ExplainedBasket,
  venue: Venue,
  snapshot: MemberSnapshot,
  common: CountersByKey,
): Explained {
  const { basket: sent, atGiven } = given;
  const clock = atGiven ? undefined : explainClock(environment, sent, snapshot);
  const basket = atGiven ? sent : { ...sent, requestedAt: timeOfMember(sent.requestedAt, snapshot) };
  const member = findMember(environment, venue, basket.loyaltyId, snapshot);
  const uses = limitedUses(venue, basket.requestedAt, member);
  const available = findAvailable(basket, uses, snapshot, common);
  const isClockOff = clock?.isOff ?? false;
  const { trace, rendered } = member
    ? priceAnswer({ basket, member, venue, available, isClockOff, trace: true })
    : renderMemberNotFound(basket);
  if (rendered.fault !== undefined) {
    return {
      kind: 'refusal',
      refusal: refuse('internal_error'),
      fault: reportFault(rendered.fault, basket, repairDir),
    };
  }
  const totalBefore = basket.totals.total;
  const explanation: Explanation = {
    configuration: environment.version,
    programmeId: venue.programme.programmeId,
    at: basket.requestedAt,
    clock,
    member: member && wordsOf(member),
    limits: uses.map((use) => ({ ...use, left: available.get(use.usageKey) ?? 0 })),
    totalBefore,
    totalAfter: rendered.total ?? totalBefore,
    ...(trace ?? NOTHING_TRACED),
  };
  const response = JSON.parse(Buffer.from(rendered.body).toString()) as BasketResponse;
  return { kind: 'explained', response, explanation };
}

const NOTHING_TRACED: Trace = { steps: 0, gap: 0, changes: [], bought: [], benefits: [] };

function wordsOf({ status, tier, grants }: Member): Explanation['member'] {
  return { status, ...(tier !== undefined && { tier }), grants };
}
