import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** Limits that count the money saved; the basket is of 2026-11-21, in NOK. */

const monthly = { quantity: 10_000, period: 'month', counts: 'money' } as const;
const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, limit: monthly };
const lines = [buildLine({ lineId: 'a', quantity: 3, unitPrice: 4_000 }), buildLine({ lineId: 'b', unitPrice: 9_000 })];

function price(benefits: readonly BenefitDefinition[], more: Circumstances = {}, currency = 'NOK') {
  const basket = buildBasket(lines, { currency });
  const decision = priceFully(basket, benefits, { ...more, trace: true });
  if (decision.status === 'applied') expectApplied(basket, decision);
  return decision;
}

/** The saving, the counters with what is taken of them, and the words for what is left. */
function look(benefits: readonly BenefitDefinition[], more: Circumstances = {}, currency = 'NOK') {
  const decision = price(benefits, more, currency);
  const traced = decision.trace!.benefits.map(
    ({ left, reason, change }) => left ?? [reason, change].filter(Boolean).join(),
  );
  if (decision.status !== 'applied') return [0, [], traced];
  const uses = decision.uses.map(({ usageKey, units, limit }) => `${usageKey}=${units}/${limit}`);
  return [21_000 - decision.totals.total, uses, traced];
}

describe('a limit that counts money', () => {
  it('is spent by what is saved', () => {
    const percent = { ...half, percent: 10 } as BenefitDefinition;
    expect(look([percent])).toEqual([2_100, ['half$NOK:2026-11=2100/10000'], ['79.00 left this month']]);
  });

  it('is a cap of the basket, with no counter, where its period is the basket', () => {
    expect(look([{ ...half, limit: { ...monthly, period: 'basket' } }])).toEqual([10_000, [], ['']]);
  });

  it.each([
    [{ kind: 'line_amount', amount: 5_000, per: 'line' }, 10_000],
    [{ kind: 'unit_price', unitPrice: 0 }, 10_000],
    [{ kind: 'order_percent', percent: 50 }, 10_000],
    [{ kind: 'order_amount', amount: 30_000 }, 10_000],
    [{ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } }, 8_000],
    [{ kind: 'bundle_price', items: [{ quantity: 4 }], bundlePrice: 0 }, 10_000],
  ])('cuts %j', (words, saved) => {
    const benefit = { benefitId: 'half', limit: monthly, ...words } as BenefitDefinition;
    expect(look([benefit]).slice(0, 2)).toEqual([saved, [`half$NOK:2026-11=${saved}/10000`]]);
    expect(look([benefit], { left: { half$NOK: 777 } })[0]).toBe(777);
  });

  it('is in the currency of the basket, with a counter for each', () => {
    const both = { ...half, limit: { ...monthly, quantity: { NOK: 10_000, SEK: 5_000 } } } as BenefitDefinition;
    expect(look([both], {}, 'SEK')).toEqual([5_000, ['half$SEK:2026-11=5000/5000'], ['0.00 left this month']]);
    expect(look([both], { left: { half$SEK: 0 } })[0]).toBe(10_000);
    const swedish = { ...half, limit: { ...monthly, quantity: { SEK: 5_000 } } } as BenefitDefinition;
    expect(look([swedish])).toEqual([0, [], ['other_currency,in SEK']]);
  });
});
