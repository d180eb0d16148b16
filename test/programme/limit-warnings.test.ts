/** Limits that are never reached, or that read as one for all members together: the last usual one, and the first that is told. */
import { describe, expect, it } from 'vitest';
import { malmo, oslo, ten, warn } from './warned.ts';

describe('a limit that reads as one for all members together', () => {
  const limited = (limit: object, more: object = {}) =>
    warn({ ...ten, ...more, limit: { counts: 'baskets', ...limit } }).filter((text) => !text.includes('language'));
  const told = (quantity: number, unit: string, period: string) => [
    `[0].limit.quantity: it counts for each member alone: every member may have ${quantity} ${unit} ${period}; is it meant for all members together?`,
  ];

  it.each([
    ['day', 20],
    ['week', 30],
    ['month', 60],
    ['year', 200],
  ])('a %s has %d baskets or more, or five times as many items', (period, quantity) => {
    expect(limited({ period, quantity: quantity - 1 })).toEqual([]);
    expect(limited({ period, quantity })).toEqual(told(quantity, 'baskets', `a ${period}`));
    expect(limited({ period, quantity: 5 * quantity - 1, counts: 'items' })).toEqual([]);
    expect(limited({ period, quantity: 5 * quantity, counts: 'items' })).toEqual(
      told(5 * quantity, 'items', `a ${period}`),
    );
  });

  it('whoever says of whom it is, or of one basket, has meant it', () => {
    expect(limited({ period: 'lifetime', quantity: 100 })).toEqual(told(100, 'baskets', 'in all'));
    expect(limited({ period: 'lifetime', quantity: 100, of: 'member' })).toEqual([]);
    const ofNobody = { ...ten, limit: { counts: 'baskets', period: 'lifetime', quantity: 100 } };
    expect(warn(ofNobody, { venues: [] })).toEqual(expect.arrayContaining(told(100, 'baskets', 'in all')));
    expect(limited({ period: 'basket', quantity: 100, counts: 'items' })).toEqual([]);
    expect(limited({ period: 'day', quantity: 51 })).toEqual([
      '[0].limit.quantity: never reached: no guest has 51 baskets in a day',
    ]);
  });

  it('money is a budget from 10,000.00 on, in a currency of a venue', () => {
    const money = (quantity: unknown) => limited({ period: 'month', quantity, counts: 'money' });
    expect([money(999_999), money({ NOK: 999_999 })]).toEqual([[], []]);
    expect(money(1_000_000)).toEqual(told(1_000_000, 'minor units', 'a month'));
    expect(money({ NOK: 1_000_000 })).toEqual(told(1_000_000, 'minor units', 'a month'));
    const two = { ...ten, limit: { period: 'month', counts: 'money', quantity: { NOK: 5_000, SEK: 2_000_000 } } };
    expect(warn(two, { venues: [oslo, malmo] })).toEqual(told(2_000_000, 'minor units', 'a month'));
    expect(warn(two, { venues: [oslo] })).toEqual([
      '[0].limit.quantity.SEK: no venue of the programme has this currency, SEK',
    ]);
  });

  it('a text or a name that says the first ten or more names its guests', () => {
    const first = (quantity: number, more: object) => limited({ period: 'lifetime', quantity }, more).length;
    expect(first(10, { text: 'For the first 10' })).toBe(1);
    expect(first(9, { text: 'For the first 9' })).toBe(0);
    expect(first(50, { text: 'For the first 500' })).toBe(0);
    expect(first(50, { text: '50 coffees' })).toBe(0);
    expect(first(50, { benefitId: 'first-50.guests' })).toBe(1);
    expect(first(50, { text: { nb: 'De FØRSTE 50', sv: 'Kaffe' } })).toBe(1);
    for (const de of ['Die ersten 50', 'Erste 50', 'Erster Kaffee: 50']) {
      expect(first(50, { text: { nb: 'Kaffe', de } })).toBe(1);
    }
  });
});

describe('limits and caps that are never reached', () => {
  const reached = (period: string, quantity: number, counts: string, more: object = { of: 'member' }) =>
    warn({ ...ten, limit: { period, quantity, counts, ...more } });

  it.each([
    ['day', 50],
    ['week', 250],
    ['month', 1_000],
    ['year', 10_000],
    ['lifetime', 100_000],
  ])('of a %s: more than %d baskets, or two hundred times as many items', (period, most) => {
    expect(reached(period, most, 'baskets')).toEqual([]);
    expect(reached(period, most + 1, 'baskets')).toEqual([
      `[0].limit.quantity: never reached: no guest has ${most + 1} baskets in a ${period}`,
    ]);
    if (200 * most < 1_000_000) {
      expect(reached(period, 200 * most, 'items')).toEqual([]);
      expect(reached(period, 200 * most + 1, 'items')).toHaveLength(1);
    }
    expect(reached(period, 1_000_000, 'money')).toEqual([]);
    expect(reached(period, most + 1, 'baskets', { of: 'programme' })).toEqual([]);
  });

  it('in a basket: more than two hundred items', () => {
    expect(reached('basket', 200, 'items')).toEqual([]);
    expect(reached('basket', 201, 'items')).toEqual([
      '[0].limit.quantity: never reached: no guest has 201 items in a basket',
    ]);
    expect(reached('basket', 2, 'baskets', { limitId: 'a' })).toEqual([
      '[0].limit.limitId: shared with nobody: no other benefit has the limitId a',
    ]);
  });

  it('a limit that a benefit shares with itself alone', () => {
    const shared = [
      { period: 'day', quantity: 1, counts: 'baskets', limitId: 'a' },
      { period: 'week', quantity: 1, counts: 'baskets', limitId: 'b' },
    ];
    expect(
      warn([
        { ...ten, limit: shared },
        { ...ten, limit: shared[0] },
      ]),
    ).toEqual(['[0].limit[1].limitId: shared with nobody: no other benefit has the limitId b']);
  });

  it('a cap above the amount, in a currency that a venue has', () => {
    const voucher = {
      kind: 'order_amount',
      amount: { NOK: 2_000, SEK: 2_500 },
      minimumSpend: { NOK: 9_000, SEK: 9_000 },
    };
    const capped = (maximumDiscount: object) => warn({ ...voucher, maximumDiscount }, { venues: [oslo, malmo] });
    expect(capped({ NOK: 1_999, SEK: 2_499 })).toEqual([]);
    expect(capped({ NOK: 1_999, SEK: 2_500 })).toEqual([
      '[0].maximumDiscount: never reached: the benefit takes at most 2500',
    ]);
    expect(capped({ NOK: 2_000, SEK: 2_500 })).toEqual([
      '[0].maximumDiscount: never reached: the benefit takes at most 2000',
    ]);
    const one = { ...voucher, amount: { NOK: 2_000 }, maximumDiscount: { NOK: 1_999, SEK: 9_000 } };
    expect(warn(one, { venues: [oslo, malmo] }).filter((text) => text.includes('never reached'))).toEqual([]);
    expect(warn({ kind: 'line_amount', amount: 2_000, per: 'unit', maximumDiscount: 4_000 })).toEqual([]);
    const every = { kind: 'order_amount', amount: 2_000, perSpend: 9_000, maximumDiscount: 4_000 };
    expect([warn(every), warn({ ...ten, maximumDiscount: 9_000 })]).toEqual([[], []]);
  });

  it('a group that has no more benefits than may apply, or very many', () => {
    const group = (count: number, atMost: number, off = 0) =>
      warn(
        Array.from({ length: count }, (_, at) => ({
          kind: 'order_percent',
          percent: at + 1,
          group: 'one',
          ...(at < off && { enabled: false }),
        })),
        { programme: { groups: { one: { atMost } } } },
      ).filter((text) => text.startsWith('programmes'));
    const path = 'programmes[0].groups.one';
    expect([group(3, 2), group(8, 2), group(9, 2, 1)]).toEqual([[], [], []]);
    expect(group(2, 2)).toEqual([`${path}: never reached: it has 2 benefits, and 2 may apply`]);
    expect(group(3, 2, 1)).toEqual([`${path}: never reached: it has 2 benefits, and 2 may apply`]);
    expect(group(1, 2)).toEqual([`${path}: never reached: it has 1 benefit, and 2 may apply`]);
    const [lunch, night] = ['lunch', 'night'].map((name) => ({ kind: 'order_percent', percent: 5, group: name }));
    const groups = { lunch: { atMost: 1 }, night: { atMost: 1 } };
    expect(warn([lunch!, lunch!, night!], { programme: { groups } })).toEqual([
      'programmes[0].groups.night: never reached: it has 1 benefit, and 1 may apply',
    ]);
    expect(group(0, 1)).toEqual([`${path}: never reached: it has 0 benefits, and 1 may apply`]);
  });
});
