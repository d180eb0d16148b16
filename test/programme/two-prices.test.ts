/** Two prices of one product, which are an error or a campaign. */
import { describe, expect, it } from 'vitest';
import { ofCoffee, warn } from './warned.ts';

describe('two prices of a product for the same members', () => {
  const price = (unitPrice: unknown, more: object = {}) => ({ kind: 'unit_price', unitPrice, ...ofCoffee, ...more });
  const clash = (...benefits: object[]) => warn(benefits).filter((text) => text.includes('has two prices')).length;
  const during = (from?: string, to?: string) => ({ when: { from, to } });

  it('are told once for each two benefits, in their own currencies', () => {
    expect(warn([price({ NOK: 3_000 }), price({ NOK: 2_500 })])).toEqual([
      '[1].appliesTo.productGroupIds[0]: coffee has two prices for the same members at the same time, {NOK:3000} of b0 and here {NOK:2500}: the lower one is given',
    ]);
    const both = { appliesTo: { productGroupIds: ['coffee', 'pastry'] } };
    expect(clash(price(3_000, both), price(2_500, both))).toBe(1);
    expect(clash(price(3_000), price(2_500), price(2_000))).toBe(3);
    expect(clash(price(3_000), price(2_500, { appliesTo: { productGroupIds: ['pastry'] } }))).toBe(0);
    expect(
      clash(
        price(3_000),
        price(2_500, { appliesTo: { productGroupIds: ['coffee', 'pastry'], excludeProductGroupIds: ['coffee'] } }),
      ),
    ).toBe(0);
    expect(clash(price(3_000, { enabled: false }), price(2_500, { enabled: false }))).toBe(0);
    const [five, six] = [5, 6].map((percent) => ({ kind: 'line_percent', percent, ...ofCoffee }));
    expect(clash(five!, six!, price(2_500))).toBe(0);
  });

  it('whatever their names, texts and priorities are, and in whatever order their fields are', () => {
    expect(clash(price(3_000, { text: 'A', priority: 1 }), price(2_500, { text: 'B' }))).toBe(1);
    const [one, other] = [
      { maximumUnits: 1, audience: 'granted' },
      { audience: 'granted', maximumUnits: 1 },
    ];
    expect(clash(price(3_000, one), price(2_500, other))).toBe(1);
    expect(clash(price(3_000, one), price(2_500, { ...other, maximumUnits: 2 }))).toBe(0);
    const hours = (...words: object[]) => ({ when: words.map((each) => ({ hours: '10:00-11:00', ...each })) });
    expect(
      clash(price(3_000, hours({ tiers: ['a'] })), price(2_500, { when: [{ tiers: ['a'], hours: '10:00-11:00' }] })),
    ).toBe(1);
    expect(clash(price(3_000, hours({})), price(2_500))).toBe(0);
  });

  it('at the same time: on a day that both have', () => {
    expect(
      clash(price(3_000, during('2026-12-01', '2026-12-10')), price(2_500, during('2026-12-10', '2026-12-20'))),
    ).toBe(1);
    expect(
      clash(price(3_000, during('2026-12-01', '2026-12-09')), price(2_500, during('2026-12-10', '2026-12-20'))),
    ).toBe(0);
    expect(
      clash(price(2_500, during('2026-12-10', '2026-12-20')), price(3_000, during('2026-12-01', '2026-12-09'))),
    ).toBe(0);
    // The minute at which one ends is the other's.
    const [until, since] = [during(undefined, '2026-12-10T12:00'), during('2026-12-10T12:00')];
    expect(clash(price(2_500, since), price(3_000, until))).toBe(0);
    expect(clash(price(3_000, during(undefined, '2026-12-10T12:00')), price(2_500, during('2026-12-10T12:00')))).toBe(
      0,
    );
    expect(clash(price(3_000, during(undefined, '2026-12-10T12:01')), price(2_500, during('2026-12-10T12:00')))).toBe(
      1,
    );
    const two = { when: [{ to: '2026-11-30' }, { from: '2026-12-10' }] };
    expect(clash(price(3_000, two), price(2_500, during('2026-12-01', '2026-12-10')))).toBe(1);
    expect(clash(price(3_000, two), price(2_500, during('2026-12-01', '2026-12-09')))).toBe(0);
    expect(clash(price(2_500, during('2026-12-01', '2026-12-10')), price(3_000, two))).toBe(1);
  });

  it('unless one is a campaign: cheaper, and within the days of the other', () => {
    const december = during('2026-12-01', '2026-12-31');
    expect(clash(price(2_500, december), price(3_000))).toBe(0);
    expect(clash(price(3_500, december), price(3_000))).toBe(1);
    expect(clash(price(2_500, december), price(3_000, december))).toBe(1);
    expect(clash(price(2_500, december), price(3_000, during('2026-12-01')))).toBe(0);
    expect(clash(price(2_500, december), price(3_000, during(undefined, '2026-12-31')))).toBe(0);
    expect(clash(price(2_500, december), price(3_000, during('2026-12-02')))).toBe(1);
    expect(clash(price({ NOK: 2_500 }, december), price(3_000))).toBe(0);
    expect(clash(price({ NOK: 2_500, SEK: 3_000 }, december), price({ NOK: 3_000, SEK: 3_000 }))).toBe(1);
    expect(clash(price({ NOK: 2_500, SEK: 3_000 }, december), price({ NOK: 3_000 }))).toBe(0);
  });
});
