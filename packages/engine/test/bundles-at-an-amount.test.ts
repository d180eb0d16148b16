/** An amount off a bundle may be more than cheap units of it cost. Then the guest has it on units that cost enough. */
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

interface Bundle {
  readonly units: number;
  readonly amount: number;
  /** Units that the basket may have in bundles. */
  readonly most: number;
}

/** What such bundles of any goods take off lines of so many units at a price. */
function saved(lines: readonly (readonly [units: number, price: number])[], { units, amount, most }: Bundle) {
  const basket = buildBasket(
    lines.map(([quantity, unitPrice], at) =>
      buildLine({ lineId: `${at}`, productId: `${at}`, productGroupId: 'g', quantity, unitPrice }),
    ),
  );
  const benefit = {
    benefitId: 'bundle',
    kind: 'bundle_price',
    items: [{ quantity: units }],
    amount,
    limit: { quantity: most, period: 'basket', counts: 'items' },
  };
  const { trace } = priceFully(basket, [benefit as BenefitDefinition], { trace: true });
  return { most: trace!.benefits[0]!.saved };
}

it('takes 50.00 off the two dearest of four products once', () => {
  const lines = [4_000, 2_000, 3_000, 2_500].map((price) => [1, price] as const);
  expect(saved(lines, { units: 2, amount: 5_000, most: 2 })).toEqual({ most: 5_000 });
});

it('takes off as much as the dearest units permit, on random baskets', () => {
  for (let seed = 1; seed <= timesCases(60); seed++) {
    const random = new Random(seed);
    const lines = Array.from(
      { length: random.between(3, 20) },
      () => [random.between(1, 3), random.between(5, 60) * 100] as const,
    );
    const units = random.between(1, 3);
    const bundle = { units, amount: random.between(10, 90) * 100, most: units * random.between(1, 3) };
    const prices = lines.flatMap(([quantity, price]) => new Array<number>(quantity).fill(price)).sort((a, b) => b - a);
    const count = Math.min(Math.floor(prices.length / units), bundle.most / units);
    const price = prices.slice(0, count * units).reduce((sum, own) => sum + own, 0);
    expect(saved(lines, bundle).most, `seed ${seed}`).toBe(Math.min(count * bundle.amount, price));
  }
});
