import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** Rules that restrict benefits of any kind, each with the explanation of a benefit that it keeps away. */

const basket = buildBasket([buildLine({ lineId: 'a' })]);
const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const twenty: BenefitDefinition = { benefitId: 'twenty', kind: 'line_percent', percent: 20 };

function why(benefitId: string, benefits: readonly BenefitDefinition[], circumstances: Circumstances = {}) {
  const { trace } = priceFully(basket, benefits, { ...circumstances, trace: true });
  return trace!.benefits.find((benefit) => benefit.benefitId === benefitId);
}

describe('a benefit that is switched off', () => {
  const off = { ...twenty, enabled: false };

  it('is not there, and explanations say so', () => {
    expect(priceFully(basket, [ten, off])).toMatchObject({ totals: { total: 900 } });
    expect(why('twenty', [ten, off])).toEqual({ benefitId: 'twenty', applied: false, saved: 0, reason: 'disabled' });
    expect(why('ten', [ten, off])).toMatchObject({ applied: true });
  });

  it('is named in its place, also for a member who is not active', () => {
    const paused = priceFully(basket, [off, ten, { ...ten, benefitId: 'z' }], {
      member: { status: 'paused' },
      trace: true,
    });
    expect(paused.trace!.benefits.map(({ benefitId, reason }) => [benefitId, reason])).toEqual([
      ['ten', 'member_inactive'],
      ['twenty', 'disabled'],
      ['z', 'member_inactive'],
    ]);
  });

  it('leaves no reason but that there is none', () => {
    expect(priceFully(basket, [off])).toMatchObject({ status: 'unchanged', reason: 'no_applicable_benefits' });
  });
});

describe('a list of windows', () => {
  const happy = { hours: '14:00-16:00' };
  const fridays = { weekdays: ['fri'] } as const;
  const gold = { tiers: ['gold'] };
  /** The basket is of a Saturday at noon. */
  const reasonOf = (when: BenefitDefinition['when'], circumstances: Circumstances = {}) => {
    const traced = why('twenty', [{ ...twenty, when: when! }], circumstances)!;
    return traced.applied ? 'applied' : [traced.reason, traced.change];
  };

  it('opens the benefit in any of them', () => {
    expect(reasonOf([happy, { hours: '11:00-13:00' }])).toBe('applied');
    expect(reasonOf([happy, gold], { member: { tier: 'gold' } })).toBe('applied');
    expect(reasonOf([{ ...happy, ...gold }, { channels: ['pos'] }])).toBe('applied');
  });

  it('is closed by the reason of the window that is nearest to being open, and says when each opens', () => {
    expect(reasonOf([gold, { tiers: ['silver', 'gold'] }])).toEqual(['other_tier', 'tier gold or silver']);
    expect(reasonOf([gold, { channels: ['mpos'] }])).toEqual(['other_channel', 'on mpos']);
    expect(reasonOf([gold, happy, fridays])).toEqual(['not_now', 'from 14:00 or Fridays']);
    expect(reasonOf([happy, { to: '2026-01-31' }])).toEqual(['not_now', 'from 14:00']);
  });

  it('loses only the windows that go by the clock when the clock is off', () => {
    const off = { isClockOff: true };
    expect(reasonOf([fridays, { channels: ['pos'] }], off)).toBe('applied');
    expect(reasonOf([fridays, gold], off)).toEqual(['clock_off', 'by a till whose clock is right']);
  });
});
