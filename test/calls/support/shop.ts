import { limitedUses } from '@loyalty/engine/offers/limits';
import type { Member } from '@loyalty/engine/types';
import { priceAnswer } from '../../../src/calls/answer.ts';
import type { PricingContext } from '../../../src/calls/call.ts';
import { encodeKeptBasket } from '../../../src/calls/stored/kept-basket.ts';
import { storedForm } from '../../../src/calls/stored/stored-answer.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import { readCommonDue } from '../../../src/store/common-endings.ts';
import type { KeptCalculation } from '../../../src/store/kept-calculation.ts';
import type { MemberToken } from '../../../src/store/keys.ts';
import type { SoldRecord } from '../../../src/store/sold.ts';
import type { Store } from '../../../src/store/store.ts';
import { useText } from '../../../src/store/uses.ts';
import { basketOf } from '../../support/baskets.ts';
import { configurationOf, TWENTY } from '../../support/configuration.ts';

/** A shop with a benefit for everybody and one with a limit, and what is kept of a basket that it has sold. */

const EVERYBODY = { ...TWENTY, audience: 'everyone' } as const;
/** 50 % off two items in a lifetime. */
const PAIR = {
  ...{ ...EVERYBODY, benefitId: 'pair', percent: 50, text: 'Half price' },
  limit: { quantity: 2, period: 'lifetime', counts: 'items' },
} as const;

const shop = configurationOf({
  programme: { benefits: [EVERYBODY, PAIR], ...{ returns: 'repriced' } },
  requestedAt: { pastHours: 1, aheadMinutes: 5 },
  members: [],
});
/** A club of another policy stands before its own. */
const [club] = shop.programmes;
export const configuration = {
  ...shop,
  programmes: [{ ...club!, programmeId: 'tea-club', benefits: [], returns: 'as_paid' }, club!],
};

export const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
export const OSLO = environment.findVenue('oslo-central', '500123')!;
export const CONTEXT: PricingContext = { environment, store: {} as Store, repairDir: '' };
export const MEMBER: Member = {
  ...{ programmeId: 'coffee-club', loyaltyId: 'm', status: 'active', tier: 'gold', grants: [] },
};

export const NOON_MS = Date.UTC(2026, 10, 21, 11);
/** Two cups at 100.00, of which the pair takes half, and a bun at 50.00, of which 20 % go. */
export const BASKET = basketOf(
  [
    { lineId: 'cups', productId: '4711', quantity: 2 },
    { lineId: 'bun', productId: '815', productGroupId: 'bakery', unitPrice: 5_000 },
  ],
  { requestedAt: '2026-11-21T12:00:00+01:00' },
);
export const PAID = { cups: 10_000, bun: 4_000 };

export const saleOf = (status: string) => ({ status, transactionId: undefined, failureReason: undefined });

/** What is kept of the basket once it is sold by its answer. */
export function sell(member: Member | undefined = MEMBER, used: ReadonlyMap<string, number> = new Map()) {
  const basket = BASKET;
  const kept = encodeKeptBasket(basket, { configuration: environment.version, member, used }, undefined, true);
  const uses = limitedUses(OSLO, BASKET.requestedAt, MEMBER);
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit - (used.get(usageKey) ?? 0)]));
  const { rendered } = priceAnswer({ basket, member: member ?? MEMBER, venue: OSLO, available });
  const { total = 0, given, status } = rendered;
  const calculation: KeptCalculation = {
    ...{
      calculationId: BASKET.calculationId,
      member: 'token' as MemberToken,
      venueId: 'oslo-central',
      answered: status,
    },
    ...{ reason: '', tier: 'gold', share: '', answeredAtMs: NOON_MS, sale: undefined, soldAtMs: undefined },
    ...{ isLate: false, overRedeemed: 0, total, uses: { own: '', common: '' }, basket: kept },
    given: { programmeId: 'coffee-club', currency: 'NOK', benefits: given },
    answer: storedForm(rendered.digest, rendered.body),
  };
  const record: SoldRecord = {
    ...{ calculationId: BASKET.calculationId, member: 'token' as MemberToken, state: 'sold', sale: saleOf('applied') },
    ...{ wasSoldBefore: false, venueId: 'oslo-central', answered: status, total, deadlineMs: undefined },
    ...{ supersededBy: undefined, soldAtMs: undefined, isLate: false, overRedeemed: 0, agedMs: 0, conflicts: 0 },
    ...{ second: undefined, decision: undefined, reason: '', isUncounted: false, isDecisionDue: false },
    ...{ answeredAtMs: NOON_MS, uses: rendered.uses.map(useText).join(' '), common: [], basket: kept },
    commonDue: readCommonDue('', ''),
    calculation,
    answer: calculation.answer,
    gave: {
      ...{ programmeId: 'coffee-club', currency: 'NOK', benefits: given, venueId: 'oslo-central', atMs: NOON_MS },
      ...{ turnover: total, tier: 'gold', share: '' },
    },
  };
  return { record, rendered, kept };
}
