import { describe, expect, it } from 'vitest';
import type { BasketLine, BasketRequest } from '../../src/contract/basket-request.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
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

  it('says when a window opens', () => {
    expect(why({ when: { weekdays: ['fri'], hours: '14:00-16:00' } })).toEqual(['not_now', 'Fridays from 14:00']);
    expect(why({ when: { from: '2026-12-01' } })).toEqual(['not_now', 'from 2026-12-01']);
    expect(why({ when: { hours: '17:00-18:00' } })).toEqual(['not_now', 'from 17:00']);
    expect(why({ when: { to: '2026-01-31' } })).toEqual(['not_now']);
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

  it('names what a benefit gave way to', () => {
    const better: BenefitDefinition = { benefitId: 'c', kind: 'line_percent', percent: 30 };
    expect(why({}, {}, [better])).toEqual(['others_save_more', 'c']);
    expect(why({}, {}, [{ ...better, exclusive: true }])).toEqual(['not_combinable', 'c']);
  });

  it('attributes every change to line, benefit and rule', () => {
    const line = buildLine({ lineId: 'a', unitPrice: 1_000, existingLineDiscountAmount: 100 });
    const order: BenefitDefinition = { benefitId: 'c', kind: 'order_amount', amount: 50 };
    expect(priceFully(buildBasket([line]), [twenty, order], { trace: true }).trace!.changes).toEqual([
      { lineId: 'a', benefitId: 'b', rule: 'line_discount', amount: -200 },
      { lineId: 'a', benefitId: 'b', rule: 'existing_line_discount_removed', amount: 100 },
      { lineId: 'a', benefitId: 'c', rule: 'order_discount', amount: -50 },
    ]);
  });
});
