/** Coupons that end at a maximum of money: a guest has all of it where the basket is large enough, whatever the order of its lines. */
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

type Rows = readonly (readonly [units: number, price: number])[];

function drawRows(random: Random, lines: number): Rows {
  return Array.from({ length: lines }, () => [random.between(1, 3), random.between(3, 60) * 100] as const);
}

/** What each benefit saves, and how it was found. */
function saved(rows: Rows, ...benefits: object[]) {
  const lines = rows.map(([quantity, unitPrice], at) =>
    buildLine({ lineId: `${at}`, productId: `${at}`, productGroupId: 'g', quantity, unitPrice }),
  );
  const named = benefits.map((own, at) => ({ benefitId: `b${at}`, ...own }) as BenefitDefinition);
  const { trace } = priceFully(buildBasket(lines), named, { trace: true });
  return { saved: trace!.benefits.map((own) => own.saved) };
}

const items = (quantity: number) => ({ limit: { quantity, period: 'basket', counts: 'items' } });
const half = { kind: 'line_percent', percent: 50 };

it('half off up to eight things, at most 48.00: the dearest things of 24 lines have all of it', () => {
  const rows: Rows = [
    ...([
      [1, 1200],
      [3, 5200],
      [2, 5800],
      [3, 1400],
      [2, 2300],
      [1, 5700],
      [1, 5400],
      [3, 5300],
    ] as const),
    ...([
      [1, 5800],
      [3, 1100],
      [1, 1000],
      [1, 5300],
      [1, 300],
      [2, 400],
      [1, 4200],
      [1, 1600],
    ] as const),
    ...([
      [2, 1200],
      [3, 1400],
      [1, 5800],
      [1, 4700],
      [3, 1200],
      [3, 5000],
      [2, 4500],
      [1, 3700],
    ] as const),
  ];
  expect(saved(rows, { ...half, ...items(8), maximumDiscount: 4_800 })).toEqual({ saved: [4_800] });
});

it('one coupon with a maximum takes off as much as the dearest things permit, on random baskets', () => {
  for (let seed = 1; seed <= timesCases(40); seed++) {
    const random = new Random(seed);
    const rows = drawRows(random, random.between(3, 25));
    const [count, maximumDiscount] = [random.between(1, 9), random.between(3, 60) * 100];
    const dearest = rows.flatMap(([units, price]) => new Array<number>(units).fill(price)).sort((a, b) => b - a);
    const most = dearest.slice(0, count).reduce((sum, price) => sum + price / 2, 0);
    const found = saved(rows, { ...half, ...items(count), maximumDiscount });
    expect(found.saved, `seed ${seed}`).toEqual([Math.min(most, maximumDiscount)]);
  }
});

it('a percentage on all goods with a maximum, beside a coupon with its own: both have all of it where there are goods enough', () => {
  for (let seed = 1; seed <= timesCases(40); seed++) {
    const random = new Random(seed);
    const rows = drawRows(random, random.between(15, 30));
    const total = rows.reduce((sum, [units, price]) => sum + units * price, 0);
    // Half of the goods are enough for the one, and a single thing for the other.
    const ofAll = Math.floor(total / 20);
    const ofCoupon = Math.floor(Math.max(...rows.map(([, price]) => price)) * 0.3);
    const found = saved(
      rows,
      { kind: 'line_percent', percent: 30, ...items(3), maximumDiscount: ofCoupon },
      { kind: 'line_percent', percent: 10, maximumDiscount: ofAll },
    );
    expect(found.saved, `seed ${seed}`).toEqual([ofCoupon, ofAll]);
  }
});
