/** What a benefit asks of a basket before it is chosen: what that costs in steps, and the units that are worth giving. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { kindOf } from '../src/benefits/register.ts';
import { inCurrency } from '../src/compile/amounts.ts';
import { localTime } from '../src/compile/calendar.ts';
import type { BuyGetRule } from '../src/compile/rule.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { type ExistingLineDiscounts, readLines } from '../src/lines/lines.ts';
import { isMinimumMet, isWorthGiving, withMinimumsMet } from '../src/offers/minimums.ts';
import { findOffers } from '../src/offers/offers.ts';
import { limitedUses } from '../src/price.ts';
import { Work } from '../src/work.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const LINES = Array.from({ length: 320 }, (_, at) => line(`${at}`, 1, 1_000));

/** The steps to find the offer of a benefit, to ask whether its minimum is met, and to know how often it comes as well. */
function stepsOf(more: object) {
  const venue = buildVenue([{ benefitId: 'b', kind: 'order_amount', amount: 50, ...more } as BenefitDefinition]);
  const basket = buildBasket(LINES);
  const available = new Map(limitedUses(venue, basket.requestedAt).map(({ usageKey, limit }) => [usageKey, limit]));
  const situation = { basket, member: buildMember(), venue, time: localTime(basket.requestedAt, venue.timeZone) };
  const lines = readLines(LINES, 'replace_if_larger', undefined);
  const toFind = new Work(1_000_000);
  const offers = findOffers({ ...situation, isClockOff: false }, available, toFind);
  const [toAsk, toKnow] = [new Work(1_000_000), new Work(1_000_000)];
  isMinimumMet(offers[0]!, lines, toAsk);
  withMinimumsMet(offers, lines, toKnow);
  return { find: toFind.spent, ask: toAsk.spent, know: toKnow.spent };
}

describe('the steps of a basket', () => {
  it('have none for minimums where a benefit asks for none', () => {
    expect(stepsOf({})).toMatchObject({ ask: 0, know: 0 });
  });

  it('grow with the lines that a minimum looks at: all are looked at once more where those of the basket count', () => {
    const eligible = stepsOf({ minimumSpend: 1 }).ask;
    const basket = stepsOf({ minimumSpend: 1, minimumSpendOn: 'basket' }).ask;
    expect(eligible).toBeGreaterThan(1);
    expect(basket / eligible).toBeGreaterThan(1.8);
    expect(basket / eligible).toBeLessThan(2);
  });

  it('grow with the selectors of a menu', () => {
    const menu = (items: number) => {
      const menuItems = LINES.slice(0, items).map(({ productId }) => ({
        ...{ quantity: 1, appliesTo: { productIds: [productId] } },
      }));
      return stepsOf({ kind: 'bundle_price', bundlePrice: 1, items: menuItems, minimumSpend: 1 }).ask;
    };
    // Each selector has ten words of 32 lines.
    expect(menu(11) - menu(1)).toBeGreaterThan(0.3);
  });

  it('count the lines once more for a discount that comes for each full part of the spend', () => {
    const { ask, know } = stepsOf({ perSpend: 1_000 });
    expect(know).toBeCloseTo(2 * ask, 9);
  });

  it('are more for a benefit with a limit', () => {
    const limit = { quantity: 5, period: 'day', counts: 'baskets' };
    expect(stepsOf({ limit }).find - stepsOf({}).find).toBeGreaterThan(0.5);
  });
});

describe('a unit is worth giving', () => {
  const rule = (more: object) => {
    const set = { benefitId: 'b', kind: 'buy_x_get_y', buy: { quantity: 1 }, ...more } as BenefitDefinition;
    return kindOf(set).compile(inCurrency(set, undefined) as never) as BuyGetRule;
  };
  const half = { get: { quantity: 1, percent: 50 } };
  const cheapest = { ...half, pick: 'cheapest' };
  const [three, given] = [line('a', 3, 1_000), (amount: number) => line('a', 3, 1_000, staff(amount))];
  it.each<[string, object, BasketLine, ExistingLineDiscounts, boolean]>([
    ['if it becomes cheaper', half, three, 'replace_if_larger', true],
    [
      'not if it is too cheap for its percentage',
      { get: { quantity: 1, percent: 10 } },
      line('a', 3, 1),
      'stack',
      false,
    ],
    ['beside a larger discount of the staff, where the guest chooses', half, given(1_600), 'replace_if_larger', true],
    [
      'if all units of the line together save more than the staff gave',
      cheapest,
      given(1_499),
      'replace_if_larger',
      true,
    ],
    ['not if they save no more', cheapest, given(1_500), 'replace_if_larger', false],
    ['if the discount of the staff stays', cheapest, given(1_600), 'stack', true],
  ])('%s', (_case, more, sent, policy, isWorth) => {
    const [only] = readLines([sent], policy, undefined);
    expect(isWorthGiving(only!, rule(more), policy)).toBe(isWorth);
  });
});
