import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import type { Member } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** Grants with a quantity and dates; the basket is of 2026-11-21. */

const tenth: BenefitDefinition = { benefitId: 'tenth', kind: 'line_percent', percent: 100, audience: 'granted' };
const lines = [buildLine({ lineId: 'a', unitPrice: 3_900 }), buildLine({ lineId: 'b', unitPrice: 4_900 })];

type Grants = Member['grants'];

function price(grants: Grants, more: Circumstances & { benefits?: readonly BenefitDefinition[] } = {}) {
  const { benefits = [tenth], ...circumstances } = more;
  return priceFully(buildBasket(lines), benefits, { ...circumstances, member: { grants }, trace: true });
}

/** The counters that the answer takes, with units and limit. */
function usesOf(grants: Grants, more: Parameters<typeof price>[1] = {}) {
  const decision = price(grants, more);
  return decision.status === 'applied'
    ? decision.uses.map(({ usageKey, units, limit }) => `${usageKey}=${units}/${limit}`)
    : decision.reason;
}

function why(grants: Grants, more: Circumstances = {}) {
  const { reason, change } = price(grants, more).trace!.benefits[0]!;
  return change === undefined ? [reason] : [reason, change];
}

const card = (grantId: string, more: object = {}) => ({ benefitId: 'tenth', grantId, quantity: 1, ...more });

describe('a grant with a quantity', () => {
  it('is spent once by a basket, however many units become cheaper', () => {
    expect(usesOf([card('card-7', { quantity: 3 })])).toEqual(['tenth/card-7:*=1/3']);
  });

  it('is one of several, each with a counter of its own', () => {
    const cards = [card('card-7'), card('card-8')];
    expect(usesOf(cards)).toEqual(['tenth/card-7:*=1/1']);
    expect(usesOf(cards, { left: { 'tenth/card-7': 0 } })).toEqual(['tenth/card-8:*=1/1']);
    const none = { left: { 'tenth/card-7': 0, 'tenth/card-8': 0 } };
    expect(usesOf(cards, none)).toBe('no_applicable_benefits');
    expect(why(cards, none)).toEqual(['grants_used_up', '2 of 2 cards used']);
    expect(why([card('card-7')], none)).toEqual(['grants_used_up', '1 of 1 card used']);
  });

  it('is spent in the order in which grants end, and not at all beside one without a quantity', () => {
    const cards = [card('later', { to: '2026-12-31' }), card('never'), card('soon', { to: '2026-11-30' })];
    expect(usesOf(cards)).toEqual(['tenth/soon:*=1/1']);
    expect(usesOf(cards, { left: { 'tenth/soon': 0 } })).toEqual(['tenth/later:*=1/1']);
    expect(usesOf([...cards, 'tenth'])).toEqual([]);
    expect(usesOf([...cards, { benefitId: 'tenth', grantId: 'month', to: '2026-11-30' }])).toEqual([]);
  });

  it('counts only beside those that are there', () => {
    const none = { left: { 'tenth/card-7': 0 } };
    const others = [card('coming', { from: '2026-11-22' }), card('over', { to: '2026-11-20' })];
    expect(why([...others, card('card-7')], none)).toEqual(['grants_used_up', '1 of 1 card used']);
    const trace = price([...others, card('card-7', { quantity: 3 })]).trace!;
    expect(trace.benefits[0]!.left).toBe('2 of 3 cards left');
  });

  it('is not spent where an unlimited benefit saves the same, and is where it saves more', () => {
    const always = { benefitId: 'always', kind: 'line_percent', percent: 100 } as const;
    expect(usesOf([card('card-7')], { benefits: [always, tenth] })).toEqual([]);
    expect(usesOf([card('card-7')], { benefits: [{ ...always, percent: 99 }, tenth] })).toEqual(['tenth/card-7:*=1/1']);
  });

  it('stands beside the limit of its benefit, and both are spent', () => {
    const limited = { ...tenth, limit: { quantity: 5, period: 'month', counts: 'items' } } as const;
    const both = { benefits: [limited] };
    expect(usesOf([card('card-7')], both)).toEqual(['tenth#items:2026-11=2/5', 'tenth/card-7:*=1/1']);
    expect(usesOf([card('card-7')], { ...both, left: { 'tenth#items': 1 } })).toEqual([
      'tenth#items:2026-11=1/5',
      'tenth/card-7:*=1/1',
    ]);
    expect(usesOf([card('card-7')], { ...both, left: { 'tenth#items': 0 } })).toBe('no_applicable_benefits');
  });
});

describe('the dates of a grant', () => {
  it.each([
    [{ from: '2026-11-21' }, []],
    [{ to: '2026-11-21' }, []],
    [{ from: '2026-11-22' }, ['not_granted', 'with a grant from 2026-11-22']],
    [{ to: '2026-11-20' }, ['not_granted']],
  ])('%j: %j', (dates, reason) => {
    const grants = [{ benefitId: 'tenth', grantId: 'card-7', ...dates }];
    expect(why(grants).filter(Boolean)).toEqual(reason);
    expect(why([...grants, 'tenth']).filter(Boolean)).toEqual([]);
  });

  it('open their benefit where one of several is there, and otherwise the next one is named', () => {
    const from = (date: string) => ({ benefitId: 'tenth', grantId: date, from: date });
    const over = { benefitId: 'tenth', grantId: 'over', to: '2026-11-20' };
    expect(why([over, from('2026-11-21'), from('2026-11-30')])).toEqual([undefined]);
    const next = ['not_granted', 'with a grant from 2026-11-22'];
    expect(why([over, from('2026-11-22'), from('2026-11-30')])).toEqual(next);
    expect(why([from('2026-11-30'), from('2026-11-22'), over])).toEqual(next);
  });

  it('are not judged by a till whose clock is off, and neither is a counter', () => {
    const off = { isClockOff: true };
    expect(why([card('card-7')], off)).toEqual(['clock_off', 'by a till whose clock is right']);
    expect(why([{ benefitId: 'tenth', grantId: 'card-7', to: '2026-12-31' }], off)[0]).toBe('clock_off');
    expect(why([{ benefitId: 'tenth', grantId: 'card-7' }], off)).toEqual([undefined]);
  });
});
