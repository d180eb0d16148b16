import type { BasketRequest } from '@loyalty/contract/basket-request';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { formatDate, localTime } from '@loyalty/engine/compile/calendar';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { shareGroupsOf } from '@loyalty/engine/offers/shares';
import { decideBasket } from '@loyalty/engine/price';
import type { Member, PricedMember, Venue } from '@loyalty/engine/types';
import { isClockOff } from '../../../../src/programme/clock-window.ts';
import type { Environment } from '../../../../src/programme/environment.ts';
import type { BasketLine } from './basket-line.ts';

/** The result of a basket under one programme. Money in minor units. */
export interface Priced {
  readonly total: number;
  /** The savings by each benefit, including free products. */
  readonly saved: Readonly<Record<string, number>>;
  /** The units that each gives, as the event of a sale tells them. */
  readonly units: Readonly<Record<string, number>>;
}

/** One basket under both programmes. */
export interface Rehearsed {
  readonly basket: BasketRequest;
  readonly venueId: string;
  /** In the venue's time zone, `2026-11-21`. */
  readonly day: string;
  /** The groups of members that the shares of both programmes make, `spring 0-50`, and that this one is in. */
  readonly shares: readonly string[];
  readonly current: Priced;
  readonly draft: Priced;
  /** The recorded answer's total, if the line has one. */
  readonly answeredTotal: number | undefined;
  /** What is assumed because the line lacks the data: an active member without tier or grants, every limit unused. */
  readonly assumed: { readonly member: boolean; readonly availability: boolean };
}

export type Rehearsal =
  | { readonly rehearsed: Rehearsed }
  /** The reason why a programme cannot price the basket: `draft: venue_not_configured`. */
  | { readonly unpriced: string };

/** Members by `memberKey`. */
export type MemberDirectory = ReadonlyMap<string, Member>;

export function memberKey(programmeId: string, loyaltyId: string): string {
  return `${programmeId}\u0000${loyaltyId}`;
}

/**
 * Prices one basket under `current` and under `draft`. A record provides the member and the used units; for a plain
 * basket, the member is looked up in `members` and the time is accepted. Each basket is priced by itself, without
 * holds.
 */
export function rehearse(
  { basket, record }: BasketLine,
  current: Environment,
  draft: Environment,
  members: MemberDirectory,
): Rehearsal {
  const [venue, draftVenue] = [findVenue(current, basket), findVenue(draft, basket)];
  if (typeof venue === 'string') return { unpriced: `current: ${venue}` };
  if (typeof draftVenue === 'string') return { unpriced: `draft: ${draftVenue}` };
  const found = record ? record.member : members.get(memberKey(venue.programme.programmeId, basket.loyaltyId));
  const member = found === null ? undefined : { ...ANYBODY, ...found };
  const used = record?.used ?? {};
  const isOff = ({ clockWindow }: Environment) => isClockOff(record?.clockOffsetMs ?? 0, clockWindow);
  const { day } = localTime(basket.requestedAt, venue.timeZone);
  const programmes = [venue.programme, draftVenue.programme];
  const shares = programmes.flatMap((programme) => programme.shares);
  const hasLimits = programmes.some(({ limited }) => limited.length > 0);
  return {
    rehearsed: {
      basket,
      venueId: venue.venueId,
      day: formatDate(day),
      shares: member ? shareGroupsOf(shares, ownerOf(basket, draftVenue, member)) : [],
      current: price(basket, venue, member, used, isOff(current)),
      draft: price(basket, draftVenue, member, used, isOff(draft)),
      answeredTotal: record?.answer.total,
      assumed: { member: found === undefined, availability: !record && hasLimits },
    },
  };
}

const ANYBODY = { status: 'active', grants: [] } as const;

function findVenue(environment: Environment, { context, currency }: BasketRequest): Venue | string {
  const venue = environment.findVenue(context.venueId, context.baxId);
  if (!venue) return 'venue_not_configured';
  return venue.currencies.includes(currency) ? venue : 'unknown_currency';
}

function ownerOf({ loyaltyId }: BasketRequest, { programme }: Venue, member: PricedMember): Member {
  return { ...member, programmeId: programme.programmeId, loyaltyId };
}

/** A programme that does not know the member leaves the basket unchanged. */
function price(
  basket: BasketRequest,
  venue: Venue,
  member: PricedMember | undefined,
  used: Readonly<Record<string, number>>,
  isOff: boolean,
): Priced {
  const unchanged = { total: basket.totals.total, saved: {}, units: {} };
  if (!member) return unchanged;
  const whole = ownerOf(basket, venue, member);
  const uses = limitedUses(venue, basket.requestedAt, whole);
  const available = new Map(
    uses.map(({ usageKey, limit }) => [usageKey, Math.max(0, limit - (used[usageKey] ?? 0))] as const),
  );
  const { content, given } = decideBasket({ basket, member: whole, venue, available, isClockOff: isOff });
  if (content.status === 'unchanged') return unchanged;
  const answer = renderAnswer(basket, content);
  const benefits = given();
  return {
    total: 'totals' in answer ? answer.totals.total : basket.totals.total,
    saved: Object.fromEntries(benefits.map(({ benefitId, saved }) => [benefitId, saved])),
    units: Object.fromEntries(benefits.map(({ benefitId, units }) => [benefitId, units])),
  };
}
