import { limitedUses } from '@loyalty/engine/offers/limits';
import type { Member } from '@loyalty/engine/types';
import { priceAnswer } from '../../../src/calls/answer.ts';
import type { PricingContext } from '../../../src/calls/call.ts';
import { encodeKeptBasket } from '../../../src/calls/stored/kept-basket.ts';
import { storedForm } from '../../../src/calls/stored/stored-answer.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import type { MemberToken } from '../../../src/store/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { type AnsweredCalculation, storedOf } from '../../../src/store/stored-calculation.ts';
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
  const { content, rendered } = priceAnswer({ basket, member: member ?? MEMBER, venue: OSLO, available });
  const { total = 0, given, status } = rendered;
  const token = 'token' as MemberToken;
  const record: AnsweredCalculation = {
    ...storedOf(token, BASKET.calculationId, {}),
    member: token,
    state: 'sold',
    venueId: 'oslo-central',
    status,
    answeredAtMs: NOON_MS,
    total,
    tier: 'gold',
    sale: saleOf('applied'),
    soldAtMs: NOON_MS,
    ownUses: rendered.uses,
    given: { programmeId: 'coffee-club', currency: 'NOK', benefits: given },
    basket: kept,
    answer: storedForm(content, rendered.body),
  };
  return { record, rendered, kept };
}
