/** Explanations that are true of one basket and lead somewhere, in whole sentences. */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

// A Saturday at noon in the venue's time zone.
const basket = buildBasket([buildLine({ lineId: 'a', productId: 'burger' })]);
const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };

const NO_GRANT = 'Only members with a grant can use it, and this member has none.';

function explanationOf(benefit: Partial<BenefitDefinition>, circumstances: Circumstances = {}, sent = basket) {
  const benefits = [{ ...ten, ...benefit } as BenefitDefinition];
  const { trace } = priceFully(sent, benefits, { ...circumstances, trace: true });
  return trace!.benefits[0]!.explanation;
}

describe('what cannot be had says why for this basket', () => {
  const today = basket.requestedAt.slice(0, 10);
  const year = Number(today.slice(0, 4));

  it('a grant that ended, or has not begun', () => {
    const of = (grant: object) =>
      explanationOf({ audience: 'granted' }, { member: { grants: [{ benefitId: 'ten', grantId: 'bd', ...grant }] } });
    expect(of({ to: `${year}-01-02` })).toBe('The grant bd ended on 2 January.');
    expect(of({ to: `${year - 1}-11-30` })).toBe(`The grant bd ended on 30 November ${year - 1}.`);
    expect(of({ from: `${year + 1}-03-01` })).toBe(`The grant bd begins on 1 March ${year + 1}.`);
    expect(explanationOf({ audience: 'granted' })).toBe(NO_GRANT);
    // Of several the next that begins is named, and else the last that ended.
    const ofTwo = (one: object, other: object) => {
      const grants = [one, other].map((grant, at) => ({ benefitId: 'ten', grantId: `g${at}`, ...grant }));
      return explanationOf({ audience: 'granted' }, { member: { grants } });
    };
    expect(ofTwo({ from: '2027-05-01' }, { from: '2027-03-01' })).toBe('The grant g1 begins on 1 March 2027.');
    expect(ofTwo({ to: '2026-07-31' }, { to: '2026-06-30' })).toBe('The grant g0 ended on 31 July.');
  });

  it('the hours of a benefit, and those of the basket', () => {
    const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
    expect(explanationOf({ when: { weekdays, hours: '14:00-16:00' } })).toMatch(
      /^Mon–Fri 14:00–16:00; this basket is from Saturday \d\d:\d\d\.$/,
    );
    expect(explanationOf({ when: { weekdays: ['mon', 'wed'] } })).toMatch(/^Mon, Wed; this basket is from Saturday/);
    expect(explanationOf({ when: { hours: '02:00-03:00' } })).toMatch(/^Daily 02:00–03:00; this basket/);
  });

  it('a campaign that ended or has not begun', () => {
    expect(explanationOf({ when: { to: `${year}-01-13` } })).toBe('It ended on 13 January.');
    expect(explanationOf({ when: { to: `${year}-01-13T06:00` } })).toBe('It ended on 13 January at 06:00.');
    expect(explanationOf({ when: { from: `${year + 1}-12-01` } })).toBe(`It begins on 1 December ${year + 1}.`);
    const two = [{ to: `${year}-01-13` }, { to: `${year}-02-13` }];
    expect(explanationOf({ when: two })).toBe('It ended on 13 February.');
    // The basket is from Saturday, 21 November, and no Monday is left.
    const mondays = { from: `${year}-11-01`, to: `${year}-11-22`, weekdays: ['mon' as const] };
    expect(explanationOf({ when: mondays })).toBe('It ended on 16 November.');
    const mornings = { to: `${year}-11-21T18:00`, hours: '08:00-10:00' };
    expect(explanationOf({ when: mornings })).toBe('It ended on 21 November.');
  });

  it('a campaign that begins on the first of its days that it is open', () => {
    const of = (when: object, requestedAt = basket.requestedAt) =>
      explanationOf({ when }, {}, { ...basket, requestedAt });
    const fridays = { weekdays: ['fri'], hours: '14:00-16:00' };
    expect(of({ from: '2026-12-01', ...fridays })).toBe('It begins on 4 December.');
    expect(of({ from: '2026-12-01T06:30', ...fridays })).toBe('It begins on 4 December at 14:00.');
    expect(of({ from: '2026-11-20T16:00', ...fridays })).toBe('It begins on 27 November at 14:00.');
    // The first Friday has not come, although the dates have begun.
    expect(of({ from: '2026-11-21', ...fridays })).toBe('It begins on 27 November.');
    // The night before is none of its nights.
    const nights = { from: '2026-11-20', hours: '22:00-02:00' };
    expect(of(nights, '2026-11-20T00:30:00+01:00')).toBe('It begins on 20 November at 22:00.');
    expect(of(nights, '2026-11-20T12:00:00+01:00')).toBe('Daily 22:00–02:00; this basket is from Friday 12:00.');
    expect(of(nights, '2026-11-19T23:00:00+01:00')).toBe('It begins on 20 November.');
  });

  it('what still runs, of several entries; and that all are over, whoever asks', () => {
    const over = `${year}-10-15`;
    const entries = [{ to: over }, { weekdays: ['sun' as const], channels: ['mpos' as const] }];
    expect(explanationOf({ when: entries })).toBe('It runs on mpos; this basket is from pos.');
    expect(explanationOf({ when: { to: over, channels: ['mpos'] } })).toBe('It ended on 15 October.');
    const golds = [
      { to: over, tiers: ['gold'] },
      { to: `${year}-10-16`, venueIds: ['harbour'] },
    ];
    expect(explanationOf({ when: golds })).toBe('It ended on 16 October.');
  });

  it('another tier, venue or channel', () => {
    expect(explanationOf({ when: { tiers: ['gold'] } }, { member: { tier: 'silver' } })).toBe(
      'It is for members of the tier gold; this member is silver.',
    );
    expect(explanationOf({ when: { tiers: ['gold', 'blue'] } })).toBe(
      'It is for members of the tier gold or blue; this member has no tier.',
    );
    expect(explanationOf({ when: { venueIds: ['harbour'] } })).toMatch(
      /^It runs at harbour; this basket is from \S+\.$/,
    );
    expect(explanationOf({ when: { channels: ['app'] } })).toBe('It runs on app; this basket is from pos.');
  });

  it('all items that a menu lacks', () => {
    const item = (productId: string) => ({ appliesTo: { productIds: [productId] }, quantity: 1 });
    const menu = {
      kind: 'bundle_price',
      percent: undefined,
      items: [item('burger'), item('side'), item('drink')],
      bundlePrice: 500,
    };
    const explanation = explanationOf(menu as unknown as BenefitDefinition);
    expect(explanation).toMatch(/^Missing: 1 .*side.*, 1 .*drink.*\.$/);
    // The burger is needed twice.
    const either = { appliesTo: { productIds: ['burger', 'side'] }, quantity: 1 };
    const shared = { ...menu, items: [either, item('burger')] } as unknown as BenefitDefinition;
    expect(explanationOf(shared)).toMatch(/^Missing: 1 .*side.*\.$/);
    expect(priceFully(basket, [{ ...ten, ...shared } as BenefitDefinition])).toMatchObject({
      reason: 'basket_too_small',
    });
  });
});
