import { describe, expect, it } from 'vitest';
import { loadEnvironment } from '../../src/programme/load.ts';

/** Benefits that share a limit must say the same of it. */

const venue = {
  ...{ venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' },
  products: [{ productId: 'bun', name: 'Bun', unitPrice: 3000, noDiscount: false, noPercentageDiscount: false }],
};
const limit = { quantity: 3, period: 'week', counts: 'items', limitId: 'treats' };
const first = { benefitId: 'first', kind: 'line_percent', percent: 10, limit };

function faultOf(...others: object[]): string {
  const benefits = [first, ...others.map((benefit, at) => ({ ...first, benefitId: `b${at}`, ...benefit }))];
  const programmes = [{ programmeId: 'club', benefits }];
  try {
    loadEnvironment(JSON.stringify({ environment: 'staging', venues: [venue], programmes }), 'file');
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a limitId', () => {
  it.each([
    [{}],
    [{ limit: { counts: 'items', limitId: 'treats', period: 'week', quantity: 3 } }],
    [{ limit: { ...limit, limitId: 'others', quantity: 4 } }],
    [{ kind: 'buy_x_get_y', percent: undefined, buy: { quantity: 1 }, get: { quantity: 1 } }],
  ])('may be shared with %j', (benefit) => {
    expect(faultOf(benefit)).toBe('none');
  });

  it.each([
    [
      { limit: { ...limit, quantity: 4 } },
      'benefits[1].limit.quantity: found 4, allowed: 3 as in programmes[0].benefits[0]',
    ],
    [{ limit: { ...limit, period: 'day' } }, 'benefits[1].limit.period: found "day", allowed: "week" as in'],
    [{ limit: { ...limit, counts: 'baskets' } }, 'benefits[1].limit.counts: found "baskets", allowed: "items" as in'],
    [
      { kind: 'free_product', percent: undefined, productId: 'bun' },
      'benefits[1].limit.limitId: found "treats" of a benefit that give products, allowed: a limit of benefits of lines alone',
    ],
    [{ limit: { ...limit, limitId: 'no blank' } }, 'benefits[1].limit.limitId: found "no blank"'],
  ])('is refused with %j', (benefit, words) => {
    expect(faultOf(benefit)).toContain(words);
  });

  it('in money stays within the lines or the order, by baskets it may be anywhere', () => {
    const order = { kind: 'order_percent' };
    const money = { limit: { ...limit, counts: 'money' } };
    const baskets = { limit: { ...limit, counts: 'baskets', limitId: 'any' } };
    expect(faultOf({ ...order, ...money, limit: { ...money.limit, limitId: 'x' } })).toBe('none');
    const mixed = [{ limit: { ...money.limit, limitId: 'x' } }, { ...order, limit: { ...money.limit, limitId: 'x' } }];
    expect(faultOf(...mixed)).toContain('benefits[2].limit.limitId: found "x" of a benefit of the order');
    expect(faultOf(baskets, { ...order, ...baskets })).toBe('none');
  });
});
