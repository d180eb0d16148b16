/** Goods that come back: what is quoted, what is too much, and what a return takes out of the costs. */

import type { Saving } from '@loyalty/engine/returns/as-paid';
import { soldAsSent } from '@loyalty/engine/returns/sold-basket';
import { describe, expect, test } from 'vitest';
import { costsOfReturn } from '../../src/administration/return-costs.ts';
import { computeReturn, hasSameLines } from '../../src/administration/returns.ts';
import { restoreSale } from '../../src/administration/sold-basket.ts';
import { keptLineId } from '../../src/calls/stored/kept-form.ts';
import type { BookedReturn } from '../../src/store/booked-return.ts';
import { BASKET, CONTEXT, environment, PAID, saleOf, sell } from '../calls/support/shop.ts';

const { record } = sell();
const restored = await restoreSale(CONTEXT, record);
if (typeof restored === 'string') throw new Error(restored);
const found = { record, restored };

type Lines = Readonly<Record<string, number>>;
const linesOf = (lines: Lines) => Object.entries(lines).map(([lineId, quantity]) => ({ lineId, quantity }));
const booked = (lines: Lines, refund: number, givenBack: BookedReturn['givenBack'] = []): BookedReturn =>
  ({ returnId: 'earlier', answer: { refund, lines: linesOf(lines), kept: [] }, givenBack }) as unknown as BookedReturn;

const compute = (lines: Lines, returns: readonly BookedReturn[] = [], sale = found) => {
  const computed = computeReturn(sale, linesOf(lines), returns);
  if ('kind' in computed) return { message: computed.message, excess: 'excess' in computed ? computed.excess : [] };
  const { quote, givenBack } = computed;
  return { quote, refund: quote.refund, givenBack: Object.fromEntries(givenBack) };
};

describe('a return is quoted', () => {
  test('by the price of what stays, with what is kept and lost of each benefit', () => {
    const bun = compute({ bun: 1 });
    expect(bun).toMatchObject({ refund: 4_000, givenBack: {} });
    expect(bun.quote).toMatchObject({
      ...{ policy: 'repriced', lines: [{ lineId: 'bun', quantity: 1, refund: 4_000 }] },
      ...{ kept: [{ benefitId: 'pair', saved: 10_000 }], lost: [{ benefitId: 'twenty', saved: 1_000 }] },
    });
  });

  test('of everything: all of the price, and all units of the limits', () => {
    const all = compute({ cups: 2, bun: 1 });
    expect(all).toMatchObject({ refund: 14_000, givenBack: { 'pair#items:*': 2 } });
  });

  test('after earlier ones: without what these have refunded and given back', () => {
    const earlier = [booked({ cups: 1 }, 5_000, [['pair#items:*', 1]]), booked({ cups: 0.5 }, 2_500)];
    const rest = compute({ cups: 0.5, bun: 1 }, earlier);
    expect(rest).toMatchObject({ refund: 6_500, givenBack: { 'pair#items:*': 1 } });
    const twice = [
      booked({ cups: 1 }, 5_000, [['pair#items:*', 1]]),
      booked({ cups: 0.5 }, 2_500, [['pair#items:*', 1]]),
    ];
    expect(compute({ bun: 1, cups: 0.5 }, twice).givenBack).toEqual({});
  });

  test('of a sale without our benefits: nothing of limits goes back', () => {
    const sale = { ...found, record: { ...record, sale: saleOf('failed') } };
    expect(compute({ cups: 2, bun: 1 }, [], sale).givenBack).toEqual({});
  });
});

test('a line with a very long ID is named as the till names it', () => {
  const [lineId, other] = ['x'.repeat(60), 'y'.repeat(60)];
  const [line] = BASKET.lines;
  const sold = soldAsSent({ ...BASKET, lines: [{ ...line!, lineId: keptLineId(lineId) }] });
  const sale = { ...found, restored: { ...restored, sold, policy: 'as_paid' as const } };
  const quoted = compute({ [lineId]: 1 }, [booked({ [lineId]: 1 }, 10_000)], sale);
  expect(quoted.quote?.lines).toEqual([{ lineId, quantity: 1, refund: 10_000 }]);
  expect(quoted.quote?.explanation.join()).toContain(lineId);
  expect(quoted.quote?.explanation.join()).not.toContain('sha256:');
  const { excess } = compute({ [lineId]: 3, [other]: 1 }, [], sale);
  expect(excess?.map((line) => line.lineId)).toEqual([lineId, other]);
});

test('a repetition has the same lines, in any order', () => {
  // Each letter is a line, with its quantity.
  const linesOf = (text: string) =>
    [...text.matchAll(/(\w)(\d)/g)].map(([, lineId = '', quantity]) => ({ lineId, quantity: Number(quantity) }));
  const isSame = (one: string, two: string) => hasSameLines(linesOf(one), linesOf(two));
  expect(isSame('a1 b2', 'b2 a1')).toBe(true);
  for (const other of ['a1', 'a1 b1', 'a1 c2', 'a1 b2 b2', 'a2 b2']) expect(isSame('a1 b2', other), other).toBe(false);
  expect(isSame('a1', 'a1 a1')).toBe(false);
});

describe('a return is taken out of the costs', () => {
  const atMs = Date.UTC(2026, 10, 23, 12);
  const returned = (kept: Saving[], returnId = 'r-1') => ({
    ...{ returnId, atMs, answer: { kept, refund: 9_000, lines: [] }, givenBack: [] },
  });
  const costs = (
    booking: ReturnType<typeof returned>,
    kept: readonly Saving[] = restored.sold.given,
    given = record.given,
  ) =>
    costsOfReturn(
      environment,
      { ...record, given },
      restored,
      { quantities: new Map(), refunded: 1_000, kept },
      booking,
      new Map([['other', 'Dairy']]),
    );
  const figuresOf = (booking: ReturnType<typeof returned>, kept?: readonly Saving[]) =>
    Object.fromEntries(
      costs(booking, kept)!.rows.map(({ benefitId, figures }) => [
        benefitId,
        [figures.undoneBaskets, figures.undoneUnits, figures.undoneSaved, figures.undoneTurnover, figures.refunded],
      ]),
    );
  const ofPair = (saved: number) => ({ benefitId: 'pair', saved });

  test('of the day of its sale, booked on its own, benefit by benefit and of the basket as a whole', () => {
    const part = returned([ofPair(5_000)]);
    const { days, rows } = costs(part)!;
    expect([days, rows[0]]).toMatchObject([
      { calculated: '2026-11-21', booked: '2026-11-23' },
      { venueId: 'oslo-central', tier: 'gold', share: '', programmeId: 'coffee-club', currency: 'NOK' },
    ]);
    const [all, pair, twenty, whole] = rows.map(({ benefitId }) => benefitId);
    expect([rows.length, pair, twenty]).toEqual([4, 'pair', 'twenty']);
    expect(figuresOf(part)).toEqual({
      ...{ [all!]: [0, 0, 0, 9_000, 9_000], pair: [0, 1, 5_000, 9_000, 9_000], twenty: [1, 1, 1_000, 9_000, 9_000] },
      ...{ [whole!]: [0, 2, 6_000, 9_000, 9_000] },
    });
    const everything = figuresOf(returned([]));
    expect([everything['pair'], everything[whole!]]).toEqual([
      [1, 2, 10_000, 9_000, 9_000],
      [1, 3, 11_000, 9_000, 9_000],
    ]);
    // Nothing is lost, and what was paid for those baskets is less all the same.
    expect(figuresOf(returned([ofPair(10_000)]), [ofPair(10_000)])).toEqual({
      ...{ [all!]: [0, 0, 0, 9_000, 9_000], pair: [0, 0, 0, 0, 9_000], twenty: [0, 0, 0, 0, 9_000] },
      ...{ [whole!]: [0, 0, 0, 0, 9_000] },
    });
  });

  test('with no more units than the benefit had, and none of one that gave nothing', () => {
    const [more, unknown] = [ofPair(20_000), { benefitId: 'unknown', saved: 1 }];
    const figures = figuresOf(returned([]), [more, unknown]);
    expect([figures['pair']?.[1], figures['unknown']?.[1]]).toEqual([2, 0]);
  });

  test('and what a benefit gives more than before is added as sold, with what was paid for what stays', () => {
    const soldBy = (after: Saving[], kept: Saving[]) =>
      costs(returned(after), kept)!
        .rows.map(({ benefitId, figures }) => [
          ...[benefitId, figures.baskets, figures.units, figures.saved, figures.turnover],
          ...[figures.undoneBaskets, figures.undoneSaved, figures.undoneTurnover],
        ])
        // Every benefit of the sale has a row, for the refund.
        .filter(([, ...figures]) => figures.some((figure) => figure !== 0));
    const paid = PAID.cups + PAID.bun - 1_000 - 9_000;
    const all = ['=', 0, 0, 0, 0, 0, 0, 9_000];
    const other = { benefitId: 'other', saved: 700 };
    expect(soldBy([ofPair(10_000)], [ofPair(5_000)])).toEqual([
      all,
      ['pair', 0, 1, 5_000, 0, 0, 0, 0],
      ['+', 0, 1, 5_000, 0, 0, 0, 0],
    ]);
    expect(soldBy([other], [])).toEqual([all, ['other', 1, 0, 700, paid, 0, 0, 0], ['+', 1, 0, 700, paid, 0, 0, 0]]);
    expect(soldBy([other], [ofPair(5_000)])).toEqual([
      all,
      ['pair', 0, 0, 0, 0, 1, 5_000, 9_000],
      ['other', 1, 0, 700, paid, 0, 0, 0],
      ['+', 0, 0, 700, 0, 0, 5_000, 9_000],
    ]);
    // Nothing is left of the benefits, and goods without one come back.
    expect(soldBy([], [])).toEqual([all]);
    const { rows } = costs(returned([other]), [])!;
    expect(rows.find(({ benefitId }) => benefitId === 'other')?.funders).toEqual(['Dairy']);
  });

  test('not at all, where nothing is known of its benefits', () => {
    const { given: kept } = restored.sold;
    const before = { quantities: new Map(), refunded: 0, kept };
    const unknown = { ...record, given: undefined };
    expect(costsOfReturn(environment, unknown, restored, before, returned([]), new Map())).toBeUndefined();
  });
});
