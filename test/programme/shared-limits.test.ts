import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
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
    [
      { limit: { ...limit, of: 'programme' } },
      'benefits[1].limit.of: found "programme", allowed: "member" as in programmes[0].benefits[0], which shares the limit treats',
    ],
    [
      {
        limit: [
          { ...limit, limitId: 'own' },
          { ...limit, counts: 'baskets', quantity: 4 },
        ],
      },
      'benefits[1].limit[1].quantity: found 4, allowed: 3 as in programmes[0].benefits[0]',
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
    const amount = { kind: 'order_amount', percent: undefined, amount: 5, limit: { ...money.limit, limitId: 'x' } };
    expect(faultOf({ ...order, limit: amount.limit }, amount)).toBe('none');
    const mixed = [{ limit: { ...money.limit, limitId: 'x' } }, { ...order, limit: { ...money.limit, limitId: 'x' } }];
    expect(faultOf(...mixed)).toContain('benefits[2].limit.limitId: found "x" of a benefit of the order');
    expect(faultOf(baskets, { ...order, ...baskets })).toBe('none');
  });

  it('is the same in amounts by currency, and with the owner that it has without a word', () => {
    const money = { ...limit, counts: 'money', limitId: 'x', quantity: { NOK: 500 } };
    expect(faultOf({ limit: money }, { limit: { ...money, quantity: { NOK: 500 }, of: 'member' } })).toBe('none');
    expect(faultOf({ limit: money }, { limit: { ...money, quantity: { NOK: 600 } } })).toContain(
      'benefits[2].limit.quantity: found {"NOK":600}, allowed: {"NOK":500} as in programmes[0].benefits[1]',
    );
  });

  it('is of one programme, and names the benefits by the numbers of their own file', () => {
    const other = (benefitId: string, change: object) => ({ ...first, benefitId, limit: { ...limit, ...change } });
    const programmeOf = (programmeId: string, ...benefits: object[]) => ({ programmes: [{ programmeId, benefits }] });
    const texts = [
      { environment: 'staging', venues: [], ...programmeOf('club', first) },
      programmeOf(
        'bistro',
        other('a', { quantity: 5 }),
        other('b', { quantity: 6 }),
        {
          ...{ benefitId: 'c', kind: 'order_percent', percent: 5, limit: { ...limit, counts: 'money', limitId: 'm' } },
        },
        other('d', { counts: 'money', limitId: 'm' }),
      ),
    ];
    const files = texts.map((text, at) => ({ name: `folder/${at}.yaml`, text: JSON.stringify(text) }));
    const { faults } = inspectEnvironment({ path: 'folder', files }, '2026-11-21');
    expect(faults.map(({ file, path, allowed }) => [file, path, allowed])).toEqual([
      [
        'folder/1.yaml',
        'programmes[0].benefits[1].limit.quantity',
        '5 as in programmes[0].benefits[0], which shares the limit treats',
      ],
      [
        'folder/1.yaml',
        'programmes[0].benefits[3].limit.limitId',
        'a limit of benefits of the order alone, as programmes[0].benefits[2], or counts: baskets',
      ],
    ]);
  });

  it('of a benefit with errors is compared as far as it is one', () => {
    expect(faultOf({ limit: 7 })).toContain('benefits[1].limit: found 7');
    expect(faultOf({ limit: null })).toContain('benefits[1].limit: found null');
    expect(faultOf({ limit: undefined }, {})).toBe('none');
  });
});
