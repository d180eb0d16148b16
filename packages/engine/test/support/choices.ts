import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { poseProblem } from '../../src/choose/problem.ts';
import { findSets } from '../../src/choose/sets.ts';
import { localTime } from '../../src/compile/calendar.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { readLines } from '../../src/lines/lines.ts';
import { limitedUses } from '../../src/offers/limits.ts';
import { joinUnits } from '../../src/offers/modified-line.ts';
import { findOffers } from '../../src/offers/offers.ts';
import { Work } from '../../src/work.ts';
import { buildLine } from './basket.ts';
import { buildMember, buildVenue } from './programme.ts';

/** The problem that a basket poses, with its offers and the sets on its lines. */
export function posedBy(
  basket: BasketRequest,
  benefits: readonly BenefitDefinition[],
  policies: Partial<ProgrammeDefinition> = {},
) {
  const venue = buildVenue([...benefits], policies);
  const { existingLineDiscounts: policy, selectorIndex } = venue.programme;
  const member = buildMember();
  const time = localTime(basket.requestedAt, venue.timeZone);
  const uses = limitedUses(venue, basket.requestedAt, member);
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
  const work = new Work(1_000_000);
  const ofBasket = readLines(basket.lines, policy, selectorIndex.weighed);
  const offers = findOffers({ basket, member, venue, time, isClockOff: false }, available, work);
  const lines = joinUnits(ofBasket, offers[0]?.matches.modified, policy);
  const asked = { withLoyaltyOrderDiscounts: false, netMinimums: 'heeded' } as const;
  const problem = poseProblem(offers, lines, ofBasket, policy, asked, work);
  return { problem, offers, sets: findSets(lines, problem.lists, policy, work) };
}

/** A line whose product is called like it. */
export const line = (lineId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}): BasketLine =>
  buildLine({ lineId, productId: lineId, quantity, unitPrice, ...more });

/** What the staff took off a line, and off the order. */
export const staff = (existingLineDiscountAmount: number) => ({ existingLineDiscountAmount });
export const allocated = (...amounts: number[]) => ({
  orderDiscountAllocation: amounts.map((amount, at) => ({
    orderDiscountId: `staff-${at}`,
    orderDiscountAllocationAmount: amount,
  })),
});
