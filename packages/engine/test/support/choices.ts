import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { type Judged, judgeTakes } from '../../src/choose/judge.ts';
import { poseProblem } from '../../src/choose/problem.ts';
import { findSets } from '../../src/choose/sets.ts';
import { localTime } from '../../src/compile/calendar.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { readLines } from '../../src/lines/lines.ts';
import { joinUnits } from '../../src/offers/modified-line.ts';
import { type BuyGetOffer, findOffers, type LineOffer, type UnitOffer } from '../../src/offers/offers.ts';
import { limitedUses } from '../../src/price.ts';
import type { LineTakes, Take } from '../../src/settle/split.ts';
import { Work } from '../../src/work.ts';
import { buildBasket, buildLine } from './basket.ts';
import { buildMember, buildVenue } from './programme.ts';

/** Units that benefits take of a line, by benefitId. */
type Units = Readonly<Record<string, number>>;

/** What benefits take of a line; `rest` names the one that takes all other units. */
interface Taken {
  readonly taken?: Units;
  readonly bought?: Units;
  readonly combinable?: Units;
  readonly rest?: string;
}

/** What benefits take of each line, by lineId. */
export type Choice = Readonly<Record<string, Taken>>;

/** The problem that a basket poses, with its offers, its lines as benefits see them, and the sets on them. */
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
  return { problem, offers, lines, sets: findSets(lines, problem.lists, policy, work) };
}

/** Puts choices for a basket to the judge that decides what is permitted. Without `indices` all lines are judged. */
export function choosesOn(
  basket: BasketRequest,
  benefits: readonly BenefitDefinition[],
  policies: Partial<ProgrammeDefinition> = {},
): (choice: Choice, indices?: readonly number[]) => Judged {
  const { problem, offers, lines, sets } = posedBy(basket, benefits, policies);
  const offerOf = <Own extends UnitOffer>(benefitId: string) =>
    offers.find(({ benefit }) => benefit.benefitId === benefitId) as unknown as Own;

  return (choice, indices = lines.map(({ index }) => index)) => {
    const takes = basket.lines.map(({ lineId }, line): LineTakes => {
      const { taken = {}, bought = {}, combinable, rest } = choice[lineId] ?? {};
      const unitsOf = <Own extends UnitOffer>(units: Units): Take<Own>[] =>
        Object.entries(units).map(([benefitId, count]) => ({ line, units: count, offer: offerOf<Own>(benefitId) }));
      return {
        taken: unitsOf(taken),
        bought: unitsOf<BuyGetOffer>(bought),
        rest: rest === undefined ? undefined : offerOf<LineOffer>(rest),
        ...(combinable && { combinable: unitsOf<BuyGetOffer>(combinable) }),
      };
    });
    return judgeTakes(problem, sets, indices, takes);
  };
}

/**
 * What a choice leaves of each part: its line and units, what its benefit takes off, what is left to pay, and how the effect shows
 * unless as an amount. Of a choice that is not permitted, the rule that forbids it.
 */
export function settled(
  lines: BasketLine[],
  benefits: readonly BenefitDefinition[],
  choice: Choice,
  policies?: Partial<ProgrammeDefinition>,
): string[] | string {
  const judged = choosesOn(buildBasket(lines), benefits, policies)(choice);
  if (!judged.isPermitted) return judged.rule;
  return judged.parts.map(({ line: { line: own }, units, effect, expression, rest }) =>
    [own.lineId, units, effect, rest, ...Object.keys(expression)].join(' '),
  );
}

/** A line whose product is called like it. */
export const line = (lineId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}): BasketLine =>
  buildLine({ lineId, productId: lineId, quantity, unitPrice, ...more });

/** What the staff took off a line, and off the order. */
export const staff = (existingLineDiscountAmount: number) => ({ existingLineDiscountAmount });
export const allocated = (...amounts: number[]) => ({
  orderDiscountAllocation: amounts.map((amount, at) => ({
    ...{ orderDiscountId: `staff-${at}`, orderDiscountAllocationAmount: amount },
  })),
});
