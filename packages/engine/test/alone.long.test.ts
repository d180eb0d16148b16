/** No answer saves less than the same programme with one of its benefits alone. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';

interface Drawn {
  readonly basket: BasketRequest;
  readonly benefits: BenefitDefinition[];
  readonly policies: Partial<ProgrammeDefinition>;
}

function draw(seed: number): Drawn {
  const random = new Random(seed);
  const lines = Array.from({ length: random.between(6, 30) }, (_, n) =>
    buildLine({
      lineId: `l${n}`,
      productId: `p${random.below(8)}`,
      quantity: random.between(1, 4),
      unitPrice: random.between(100, 9_000),
    }),
  );
  const of = () =>
    random.chance(0.5)
      ? {}
      : { appliesTo: { productIds: [...new Set(Array.from({ length: 4 }, () => `p${random.below(8)}`))] } };
  const kinds = [
    () => ({
      kind: 'buy_x_get_y',
      buy: { ...of(), quantity: random.between(1, 3) },
      get: { ...of(), quantity: random.between(1, 2), percent: random.between(20, 100) },
    }),
    () => ({
      kind: 'bundle_price',
      items: [1, 2].map(() => ({ ...of(), quantity: random.between(1, 2) })),
      percent: random.between(5, 50),
    }),
    () => ({ ...of(), kind: 'line_percent', percent: random.between(5, 60), maximumUnits: random.between(1, 4) }),
    () => ({ ...of(), kind: 'line_amount', amount: random.between(50, 900), per: 'unit' }),
    () => ({ ...of(), kind: 'order_percent', percent: random.between(3, 40) }),
  ];
  const benefits = Array.from({ length: random.between(4, 12) }, (_, n) => ({
    benefitId: `b${n}`,
    ...random.pick(kinds)(),
    ...(random.chance(0.4) ? { group: random.pick(['g', 'h']) } : {}),
    ...(random.chance(0.3) ? { minimumSaving: random.between(500, 30_000) } : {}),
    ...(random.chance(0.1) ? { exclusive: true } : {}),
  })) as BenefitDefinition[];
  const grouped = [...new Set(benefits.flatMap(({ group }) => (group === undefined ? [] : [group])))];
  const groups = Object.fromEntries(grouped.map((name) => [name, { atMost: 1 }]));
  return { basket: buildBasket(lines), benefits, policies: grouped.length > 0 ? { groups } : {} };
}

const CASES = timesCases(30);

it('sets, bundles, groups, minimum savings and exclusive benefits', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const { basket, benefits, policies } = draw(seed);
    const decision = priceFully(basket, benefits, { policies });
    const cost = netCostOf(basket, decision);
    if (decision.status === 'applied') expectApplied(basket, decision);
    for (const benefit of benefits) {
      // Beside others it may save less than it is meant to be spent on: then it is left out, whatever it saves alone.
      if (benefit.minimumSaving !== undefined) continue;
      const { group: _free, ...own } = benefit;
      const alone = priceFully(basket, [own as BenefitDefinition]);
      expect(cost, `seed ${seed}, ${benefit.benefitId}`).toBeLessThanOrEqual(netCostOf(basket, alone));
    }
  }
}, 120_000);
