import type { BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { localTime } from '../src/compile/calendar.ts';
import { compileWindow, isOpen, type WhenDefinition } from '../src/compile/window.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { limitedUses } from '../src/offers/limits.ts';
import { whenItOpens } from '../src/trace/conditions.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';
import { buildVenue } from './support/programme.ts';

const twenty: BenefitDefinition = { benefitId: 'twenty', kind: 'line_percent', percent: 20 };

function isApplied(more: Partial<BenefitDefinition>, basket: Partial<BasketRequest> = {}, member = {}): boolean {
  const benefit = { ...twenty, ...more } as BenefitDefinition;
  return priceFully(buildBasket([buildLine({ lineId: 'a' })], basket), [benefit], { member }).status === 'applied';
}

describe('who and where', () => {
  it('asks for a grant, a tier, a channel, a venue', () => {
    expect(isApplied({ audience: 'granted' })).toBe(false);
    expect(isApplied({ audience: 'granted' }, {}, { grants: ['twenty'] })).toBe(true);
    expect(isApplied({ when: { tiers: ['gold'] } })).toBe(false);
    expect(isApplied({ when: { tiers: ['gold'] } }, {}, { tier: 'gold' })).toBe(true);
    expect(isApplied({ when: { channels: ['mpos'] } })).toBe(false);
    expect(isApplied({ when: { venueIds: ['elsewhere'] } })).toBe(false);
    expect(isApplied({ when: { channels: [], venueIds: [], tiers: [], weekdays: [] } })).toBe(true);
  });

  it('keeps amounts of money to the first currency of the venue', () => {
    expect(isApplied({}, { currency: 'SEK' })).toBe(true);
    expect(isApplied({ minimumSpend: 1 }, { currency: 'SEK' })).toBe(false);
    expect(isApplied({ maximumDiscount: 10_000 }, { currency: 'SEK' })).toBe(false);
  });

  it('counts units for a minimum quantity, weighed goods as one', () => {
    const lines = [buildLine({ lineId: 'a', quantity: 2 }), buildLine({ lineId: 'b', quantity: 0.7 })];
    const status = (minimumQuantity: number) =>
      priceFully(buildBasket(lines), [{ ...twenty, minimumQuantity }] as BenefitDefinition[]);
    expect(status(3).status).toBe('applied');
    expect(status(4)).toMatchObject({ reason: 'basket_too_small' });
  });
});

describe('windows', () => {
  const opens = (when: WhenDefinition, instant: string): boolean =>
    isOpen(compileWindow(when)!, localTime(instant, 'Europe/Oslo'));

  it('begin and end at a time of the venue', () => {
    const when: WhenDefinition = { from: '2026-11-27T06:00', to: '2026-11-28T01:30' };
    expect(opens(when, '2026-11-27T05:59:59+01:00')).toBe(false);
    expect(opens(when, '2026-11-27T05:00:00Z')).toBe(true);
    expect(opens(when, '2026-11-28T00:29:59Z')).toBe(true);
    expect(opens(when, '2026-11-28T01:30:00+01:00')).toBe(false);
    const nights: WhenDefinition = { weekdays: ['fri'], hours: '22:00-02:00', to: '2026-11-28T01:30' };
    expect(opens(nights, '2026-11-28T01:29:00+01:00')).toBe(true);
    expect(opens(nights, '2026-11-28T01:31:00+01:00')).toBe(false);
    const mixed: WhenDefinition = { from: '2026-11-27T06:00', to: '2026-11-27' };
    expect(opens(mixed, '2026-11-27T23:59:00+01:00')).toBe(true);
    expect(opens(mixed, '2026-11-28T00:00:00+01:00')).toBe(false);
  });

  it('say at which time they begin', () => {
    const opening = (when: WhenDefinition, instant: string) =>
      whenItOpens(compileWindow(when)!, localTime(instant, 'Europe/Oslo'));
    const black: WhenDefinition = { from: '2026-11-27T06:00', to: '2026-11-27T12:00' };
    expect(opening(black, '2026-11-27T05:59:00+01:00')).toBe('from 2026-11-27 06:00');
    expect(opening(black, '2026-11-27T12:00:00+01:00')).toBeUndefined();
    expect(opening({ ...black, hours: '08:00-09:00' }, '2026-11-27T05:59:00+01:00')).toBe(
      'from 08:00 after 2026-11-27 06:00',
    );
  });
});

describe('limits', () => {
  it('name the period in the venue time zone, not in the offset the caller wrote', () => {
    const periods = ['lifetime', 'year', 'month', 'week', 'day'] as const;
    const benefits = periods.map((period) => ({
      ...twenty,
      benefitId: period,
      limit: { quantity: 2, period, counts: 'baskets' as const },
    }));
    const keys = limitedUses(buildVenue(benefits), '2026-12-31T23:30:00Z').map(({ usageKey }) => usageKey);
    expect(keys).toEqual(['day:2027-01-01', 'lifetime:*', 'month:2027-01', 'week:2026-W53', 'year:2027']);
  });

  it('count a missing entry as nothing left', () => {
    const benefit = { ...twenty, limit: { quantity: 1, period: 'day', counts: 'baskets' } } as BenefitDefinition;
    const basket = buildBasket([buildLine({ lineId: 'a' })]);
    expect(priceFully(basket, [benefit], { left: { twenty: 0 } })).toMatchObject({ reason: 'no_applicable_benefits' });
  });
});

describe('a clock that is off', () => {
  const limit = { quantity: 1, period: 'day', counts: 'baskets' } as const;
  const isGiven = (more: Partial<BenefitDefinition>, isClockOff: boolean, member = {}): boolean => {
    const benefit = { ...twenty, ...more } as BenefitDefinition;
    const basket = buildBasket([buildLine({ lineId: 'a' })]);
    return priceFully(basket, [benefit], { isClockOff, member }).status === 'applied';
  };

  it.each<[what: string, more: Partial<BenefitDefinition>]>([
    ['once a day', { limit }],
    ['once in a lifetime', { limit: { ...limit, period: 'lifetime' } }],
    ['from a date on', { when: { from: '2020-01-01' } }],
    ['until a date', { when: { to: '2049-12-31' } }],
    ['on a weekday', { when: { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] } }],
    ['in a happy hour', { when: { hours: '00:00-24:00' } }],
  ])('closes what is given %s', (_, more) => {
    expect(isGiven(more, false)).toBe(true);
    expect(isGiven(more, true)).toBe(false);
  });

  it.each<[what: string, more: Partial<BenefitDefinition>, member?: object]>([
    ['to everybody, always', {}],
    ['to whom it was granted', { audience: 'granted' }, { grants: ['twenty'] }],
    ['to a tier', { when: { tiers: ['gold'] } }, { tier: 'gold' }],
    ['at a venue, on a channel', { when: { venueIds: ['venue'], channels: ['pos'], weekdays: [] } }],
    ['from a minimum on, up to a maximum', { minimumSpend: 1, maximumDiscount: 10 }],
  ])('leaves what is given %s', (_, more, member) => {
    expect(isGiven(more, true, member)).toBe(true);
  });

  it('takes one benefit of two, holds nothing, and says why', () => {
    const basket = buildBasket([buildLine({ lineId: 'a', unitPrice: 10_000 })]);
    const daily = { ...twenty, benefitId: 'daily', percent: 50, limit } as BenefitDefinition;
    const decision = priceFully(basket, [twenty, daily], { isClockOff: true, trace: true });
    expect(decision).toMatchObject({ status: 'applied', totals: { total: 8_000 }, uses: [] });
    expect(decision.trace?.benefits).toEqual([
      {
        benefitId: 'daily',
        applied: false,
        saved: 0,
        reason: 'clock_off',
        explanation: 'It depends on the time, and the time of this basket is too far from our clock.',
        change: 'by a till whose clock is right',
      },
      { benefitId: 'twenty', applied: true, saved: 2_000 },
    ]);
    const alone = priceFully(basket, [daily], { isClockOff: true });
    expect(alone).toMatchObject({ status: 'unchanged', reason: 'no_applicable_benefits' });
  });

  it('is no reason where another one lies nearer', () => {
    const basket = buildBasket([buildLine({ lineId: 'a' })]);
    const granted = { ...twenty, audience: 'granted', limit } as BenefitDefinition;
    const { trace } = priceFully(basket, [granted], { isClockOff: true, trace: true });
    expect(trace?.benefits[0]?.reason).toBe('not_granted');
  });
});
