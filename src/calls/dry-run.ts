import { readBasketRequest } from '../basket/basket-request.ts';
import type { BasketRequest } from '../contract/basket-request.ts';
import type { BasketResponse } from '../contract/basket-response.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import { limitedUses } from '../pricing/price.ts';
import type { Member, Trace, Venue } from '../pricing/types.ts';
import { type MemberToken, memberToken } from '../store/keys.ts';
import { type MemberSnapshot, readMember } from '../store/members.ts';
import { priceAnswer, renderMemberNotFound } from './answer.ts';
import type { WorkerContext } from './basket-call.ts';
import { findAvailable, findMember, findRefusal, judgeClock } from './situation.ts';

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
  readonly limits: readonly { benefitId: string; usageKey: string; limit: number; left: number }[];
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
}

export type Explained = (
  | { readonly kind: 'explained'; readonly response: BasketResponse; readonly explanation: Explanation }
  | { readonly kind: 'refusal'; readonly refusal: Refusal; readonly fault?: string }
) & {
  /** The member that was read, for the audit log; undefined when the basket was refused before. */
  readonly member?: MemberToken;
};

/**
 * Prices the body of a basket call as a call now would be priced, and explains the answer. It reads the member and its
 * limits, and writes nothing. `at` (RFC 3339) replaces the basket's `requestedAt` to ask for the price at that instant,
 * so it is never compared with the clock. Throws `StoreUnavailable`.
 */
export async function explainBasket(
  context: WorkerContext,
  body: Uint8Array,
  at: string | undefined,
): Promise<Explained> {
  const read = readBasketRequest(body, undefined);
  if (!read.ok) return { kind: 'refusal', refusal: read.refusal };
  const basket = at === undefined ? read.value : { ...read.value, requestedAt: at };
  const venue = context.environment.findVenue(basket.context.venueId, basket.context.baxId);
  const refusal = findRefusal(basket, venue, read.addsUp);
  if (refusal || !venue) return { kind: 'refusal', refusal: refusal ?? refuse('venue_not_configured') };
  const { programmeId } = venue.programme;
  const { loyaltyId } = basket;
  const token = memberToken(programmeId, loyaltyId);
  const snapshot = await readMember(context.store, { token, programmeId, loyaltyId }, true);
  const clock = at === undefined ? explainClock(context, basket, snapshot) : undefined;
  return { ...price(context, basket, venue, snapshot, clock), member: token };
}

function explainClock({ environment }: WorkerContext, basket: BasketRequest, snapshot: MemberSnapshot): ExplainedClock {
  const { offsetMs, isOff } = judgeClock(environment, basket, snapshot);
  const { requestedAt: window } = environment.wording;
  return { offsetSeconds: offsetMs / MS_PER_SECOND, isOff, ...window };
}

function price(
  context: WorkerContext,
  basket: BasketRequest,
  venue: Venue,
  snapshot: MemberSnapshot,
  clock: ExplainedClock | undefined,
): Explained {
  const member = findMember(context.environment, venue, basket.loyaltyId, snapshot);
  const uses = limitedUses(venue, basket.requestedAt);
  const available = findAvailable(basket, uses, snapshot);
  const isClockOff = clock?.isOff ?? false;
  const priced =
    member && priceAnswer({ basket, member, venue, available, isClockOff, trace: true }, context.repairDir);
  const rendered = priced?.rendered ?? renderMemberNotFound({ basket });
  if (rendered.fault !== undefined) {
    return { kind: 'refusal', refusal: refuse('internal_error'), fault: rendered.fault };
  }
  const explanation: Explanation = {
    configuration: context.environment.version,
    programmeId: venue.programme.programmeId,
    at: basket.requestedAt,
    clock,
    member: member && wordsOf(member),
    limits: uses.map((use) => ({ ...use, left: available.get(use.usageKey) ?? 0 })),
    totalBefore: basket.totals.total,
    totalAfter: rendered.total ?? basket.totals.total,
    ...(priced?.trace ?? NOTHING_TRACED),
  };
  const response = JSON.parse(Buffer.from(rendered.body).toString()) as BasketResponse;
  return { kind: 'explained', response, explanation };
}

const NOTHING_TRACED: Trace = { method: 'exact', steps: 0, mostMissed: 0, changes: [], benefits: [] };

function wordsOf({ status, tier, grants }: Member): Explanation['member'] {
  return { status, ...(tier !== undefined && { tier }), grants };
}
