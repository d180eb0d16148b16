import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { expect } from 'vitest';
import { faultsOfDecision } from '../../../../test/support/judge.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { limitedUses } from '../../src/offers/limits.ts';
import { priceBasket } from '../../src/price.ts';
import type { AppliedDecision, Decision, Member, Product } from '../../src/types.ts';
import { buildBasket } from './basket.ts';
import { buildMember, buildVenue } from './programme.ts';

export interface Circumstances {
  readonly policies?: Partial<ProgrammeDefinition>;
  readonly products?: Product[];
  readonly member?: Partial<Member>;
  /** What is left by benefitId, of a grant by `benefitId/grantId`; without an entry the whole limit is. */
  readonly left?: Readonly<Record<string, number>>;
  /** Of the venue. */
  readonly language?: string;
  readonly isClockOff?: boolean;
  readonly trace?: boolean;
  readonly maximumSteps?: number;
}

/** Prices a basket with these benefits, every limit untouched unless `left` says otherwise. */
export function priceFully(
  basket: BasketRequest,
  benefits: readonly BenefitDefinition[],
  { policies, products, member, left, language, ...rest }: Circumstances = {},
): Decision {
  const venue = buildVenue([...benefits], policies, products, language);
  const shown = buildMember(member);
  // A venue takes every currency that it is asked in; prices without a currency are in its first one.
  const currencies = [...new Set([...venue.currencies, basket.currency])];
  const uses = limitedUses({ ...venue, currencies }, basket.requestedAt, shown);
  const nameOf = (usageKey: string): string => usageKey.slice(0, usageKey.lastIndexOf(':'));
  const available = new Map(
    uses.map(({ usageKey, limit }) => [
      usageKey,
      left?.[nameOf(usageKey)] ?? left?.[nameOf(usageKey).replace('#items', '')] ?? limit,
    ]),
  );
  return priceBasket({ basket, member: shown, venue, available, ...rest });
}

/** The amount by which decisions are compared: the total less the price of the products given. */
export function netCostOf(basket: Pick<BasketRequest, 'totals'>, decision: Decision): number {
  if (decision.status !== 'applied') return basket.totals.total;
  const given = decision.lines.filter(({ addedByLoyalty }) => addedByLoyalty);
  return given.reduce((cost, { originalLinePrice }) => cost - originalLinePrice, decision.totals.total);
}

/** The decision as an applied one, after the judge has found nothing wrong with it. */
export function expectApplied(basket: BasketRequest, decision: Decision): AppliedDecision {
  expect(decision.status).toBe('applied');
  const applied = decision as AppliedDecision;
  expect(faultsOfDecision(basket, applied)).toEqual([]);
  return applied;
}

/** The applied decision on these lines. */
export function applyTo(lines: BasketLine[], benefits: readonly BenefitDefinition[], more?: Circumstances) {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, benefits, more));
}
