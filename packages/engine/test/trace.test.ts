import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** Why a benefit did not apply, and what would make it. */

const twenty: BenefitDefinition = { benefitId: 'b', kind: 'line_percent', percent: 20 };
const cake = { productGroupIds: ['cake'] };
const aLine = buildLine({ lineId: 'a', productGroupId: 'cake', unitPrice: 3_900 });

function why(
  more: Partial<BenefitDefinition>,
  {
    lines = [aLine],
    basket = {},
    ...circumstances
  }: { lines?: BasketLine[]; basket?: Partial<BasketRequest> } & Circumstances = {},
  others: BenefitDefinition[] = [],
) {
  const benefit = { ...twenty, ...more } as BenefitDefinition;
  const decision = priceFully(buildBasket(lines, basket), [benefit, ...others], { ...circumstances, trace: true });
  const { reason, change, instead } = decision.trace!.benefits.find(({ benefitId }) => benefitId === 'b')!;
  return [reason, ...(change === undefined ? [] : [change]), ...(instead === undefined ? [] : [instead.join()])];
}

describe('the trace', () => {
  it('is absent unless asked for', () => {
    expect(priceFully(buildBasket([aLine]), [twenty])).not.toHaveProperty('trace');
  });

  it('names who, where and when', () => {
    expect(why({ audience: 'granted' })).toEqual(['not_granted']);
    expect(why({ when: { tiers: ['gold', 'silver'] } })).toEqual(['other_tier', 'tier gold or silver']);
    expect(why({ when: { venueIds: ['bergen'] } })).toEqual(['other_venue', 'at bergen']);
    expect(why({ when: { channels: ['mpos'] } })).toEqual(['other_channel', 'on mpos']);
    expect(why({ maximumDiscount: 100 }, { basket: { currency: 'SEK' } })).toEqual(['other_currency', 'in NOK']);
    expect(why({}, { member: { status: 'paused' } })).toEqual(['member_inactive']);
  });

  it('names what no other day would change before what another day would', () => {
    const inSek = { basket: { currency: 'SEK' } };
    const later = { hours: '17:00-18:00' };
    expect(why({ maximumDiscount: 100, when: later }, inSek)).toEqual(['other_currency', 'in NOK']);
    expect(why({ maximumDiscount: 100, when: { venueIds: ['bergen'] } }, inSek)).toEqual(['other_venue', 'at bergen']);
    const entries = [later, { channels: ['app'] }, { tiers: ['gold'] }];
    expect(why({ when: entries })).toEqual(['not_now', 'from 17:00']);
    expect(why({ when: entries.toReversed() })).toEqual(['not_now', 'from 17:00']);
    expect(why({ when: later }, { isClockOff: true })).toEqual(['clock_off', 'by a till whose clock is right']);
    // A clock that is wrong does not say what is over.
    const over = { to: '2026-10-15', venueIds: ['bergen'] };
    expect(why({ when: over }, { isClockOff: true })).toEqual(['other_venue', 'at bergen']);
    expect(why({ when: over })).toEqual(['not_now']);
  });

  it('counts for a minimum what is bought, and what may be given at a percentage', () => {
    const tea = { productGroupIds: ['tea'] };
    const set = {
      kind: 'buy_x_get_y',
      buy: { quantity: 1, appliesTo: cake },
      get: { quantity: 1, appliesTo: tea },
      minimumSpend: 10_000,
      minimumQuantity: 9,
    } as const;
    const teaLine = buildLine({ lineId: 't', productGroupId: 'tea', unitPrice: 2_000 });
    const missing = (...lines: BasketLine[]) => why(set, { lines })[1];
    expect(missing(aLine, teaLine)).toBe('41.00 more');
    expect(missing({ ...aLine, noPercentageDiscount: true }, teaLine)).toBe('41.00 more');
    expect(missing(aLine, { ...teaLine, noPercentageDiscount: true })).toBe('61.00 more');
    expect(missing({ ...aLine, noDiscount: true }, teaLine)).toBe('80.00 more');
    expect(why({ ...set, minimumSpend: 0 }, { lines: [aLine, teaLine] })[1]).toBe('7 more of cake or tea');
  });

  it('says what is missing to a minimum', () => {
    expect(why({ minimumSpend: 5_000 })).toEqual(['below_minimum_spend', '11.00 more']);
    expect(why({ minimumSpend: 5_000 }, { basket: { currency: 'JPY' } })).toEqual(['other_currency', 'in NOK']);
    expect(why({ minimumQuantity: 2, appliesTo: cake })).toEqual(['below_minimum_quantity', '1 more of cake']);
    const bundle = { kind: 'bundle_price', bundlePrice: 100, items: [{ appliesTo: cake, quantity: 3 }] } as const;
    expect(why(bundle)).toEqual(['too_few_units', '2 more of cake']);
    const get = { appliesTo: cake, quantity: 1 };
    expect(why({ kind: 'buy_x_get_y', buy: get, get } as Partial<BenefitDefinition>)).toEqual([
      'too_few_units',
      '1 more of cake',
    ]);
  });

  it('names what both halves of a set lack', () => {
    const set = (buy: number, buys: string[], get: number, gets: string[]) => ({
      kind: 'buy_x_get_y' as const,
      buy: { quantity: buy, appliesTo: { productGroupIds: buys } },
      get: { quantity: get, appliesTo: { productGroupIds: gets }, complete: true },
    });
    const coffee = buildLine({ lineId: 'c', productGroupId: 'coffee' });
    const missing = (more: object, lines: BasketLine[]) => why(more as Partial<BenefitDefinition>, { lines })[1];
    expect(missing(set(2, ['coffee'], 1, ['bun']), [coffee])).toBe('1 more of coffee, 1 more of bun');
    expect(missing(set(2, ['coffee'], 1, ['cake']), [aLine])).toBe('2 more of coffee');
    expect(missing(set(2, ['coffee', 'cake'], 2, ['cake']), [aLine])).toBe('1 more of coffee or cake, 2 more of cake');
    expect(missing(set(2, ['cake'], 3, ['coffee', 'cake']), [aLine])).toBe('1 more of cake, 3 more of coffee or cake');
    expect(missing(set(1, ['coffee'], 2, ['bun']), [coffee])).toBe('2 more of bun');
    const coffees = buildLine({ lineId: 'c', quantity: 3, productGroupId: 'coffee' });
    expect(missing(set(1, ['coffee'], 2, ['bun']), [coffees])).toBe('2 more of bun');
    expect(missing(set(2, ['cake'], 1, ['cake', 'coffee']), [aLine])).toBe('2 more of cake');
    expect(missing(set(2, ['cake'], 2, ['cake']), [aLine])).toBe('3 more of cake');
    expect(missing(set(4, ['coffee', 'cake'], 3, ['cake', 'bun']), [coffee, aLine])).toBe(
      '3 more of coffee or cake, 2 more of cake or bun',
    );
  });

  it('names limits, missing lines and protected lines', () => {
    const limit = { quantity: 1, period: 'week', counts: 'baskets' } as const;
    expect(why({ limit }, { left: { b: 0 } })).toEqual(['limit_used_up', 'next week']);
    expect(why({ appliesTo: { productIds: ['tea'] } })).toEqual(['no_matching_line', '1 more of tea']);
    expect(why({}, { lines: [{ ...aLine, noPercentageDiscount: true }] })).toEqual(['lines_protected']);
    const discounted = buildLine({ lineId: 'a', existingLineDiscountAmount: 900 });
    expect(why({}, { lines: [discounted], policies: { existingLineDiscounts: 'keep' } })).toEqual([
      'existing_discount_kept',
    ]);
    expect(why({}, { lines: [discounted] })).toEqual(['nothing_to_save']);
  });
});
