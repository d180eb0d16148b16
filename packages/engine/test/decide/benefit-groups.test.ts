/** Which benefits of groups apply in one basket, held against every choice that the groups permit. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../../simulator/src/random.ts';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { line } from '../support/choices.ts';
import { netCostOf, priceFully } from '../support/price.ts';

const NAMES = ['x', 'y', 'z'];
const cake = { productId: 'cake', name: 'Cake', unitPrice: 300, noDiscount: false, noPercentageDiscount: false };

interface Drawn {
  readonly basket: ReturnType<typeof buildBasket>;
  readonly benefits: readonly BenefitDefinition[];
  readonly groups: Readonly<Record<string, { readonly atMost: number }>>;
  /** How many of the benefits that share the limit `cups` may apply. */
  readonly cups: number;
}

function draw(seed: number): Drawn {
  const random = new Random(seed);
  const lines = NAMES.map((name) => line(name, random.between(1, 2), random.between(4, 12) * 100));
  const cups = random.between(1, 2);
  const benefits = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((benefitId) => {
    const productIds = NAMES.filter(() => random.chance(0.6));
    const kind = random.pick([
      { kind: 'line_percent', percent: random.between(1, 6) * 10 },
      { kind: 'line_amount', amount: random.between(1, 4) * 50, per: 'unit' },
      { kind: 'order_amount', amount: random.between(1, 4) * 100 },
      { kind: 'free_product', productId: 'cake' },
    ]);
    const group = random.pick([undefined, 'welcome', 'welcome', 'birthday']);
    const limited = random.chance(0.4) && {
      limit: { quantity: cups, period: 'day', counts: 'baskets', limitId: 'cups' },
    };
    const appliesTo = kind.kind !== 'free_product' && productIds.length > 0 && { appliesTo: { productIds } };
    return { benefitId, ...kind, ...limited, ...appliesTo, ...(group && { group }) } as BenefitDefinition;
  });
  const groups = { welcome: { atMost: random.between(1, 2) }, birthday: { atMost: 1 } };
  return { basket: buildBasket(lines), benefits, groups, cups };
}

/** The benefits that groups and the limit permit together, in every way, offered as if there were neither. */
function* permitted({ benefits, groups, cups }: Drawn): Generator<readonly BenefitDefinition[]> {
  for (let bits = 0; bits < 2 ** benefits.length; bits++) {
    const some = benefits.filter((_, at) => (bits & (1 << at)) !== 0);
    const isWithin = Object.entries(groups).every(
      ([name, { atMost }]) => some.filter(({ group }) => group === name).length <= atMost,
    );
    if (!isWithin || some.filter(({ limit }) => limit).length > cups) continue;
    yield some.map(({ group: _, limit: _limit, ...benefit }) => benefit as BenefitDefinition);
  }
}

/** What the cheapest permitted choices cost, and the fewest uses that one of them spends. */
function cheapestOf(drawn: Drawn): [cost: number, fewestUses: number] {
  const limited = new Set(drawn.benefits.flatMap(({ limit, benefitId }) => (limit ? benefitId : [])));
  const choices = [...permitted(drawn)].map((some) => ({
    cost: netCostOf(drawn.basket, priceFully(drawn.basket, some, { products: [cake] })),
    uses: some.filter(({ benefitId }) => limited.has(benefitId)).length,
  }));
  const least = Math.min(...choices.map(({ cost }) => cost));
  return [least, Math.min(...choices.flatMap(({ cost, uses }) => (cost === least ? uses : [])))];
}

describe('a basket whose benefits belong to groups', () => {
  const baskets = Array.from({ length: 25 }, (_, seed) => draw(seed + 1));

  it('costs as little and spends as few uses as any permitted choice, and with few steps is permitted', () => {
    for (const [at, drawn] of baskets.entries()) {
      const [least, fewest] = cheapestOf(drawn);
      for (const maximumSteps of [undefined, 200, 100, 60, 30, 15, 8, 4, 2, 1]) {
        const decision = priceFully(drawn.basket, drawn.benefits, {
          ...{ policies: { groups: drawn.groups }, products: [cake], trace: true },
          ...(maximumSteps !== undefined && { maximumSteps }),
        });
        const cost = netCostOf(drawn.basket, decision);
        const { trace } = decision;
        const about = `basket ${at + 1}, ${maximumSteps} steps`;
        expect(cost, about).toBeGreaterThanOrEqual(least);
        if (maximumSteps === undefined) {
          expect(cost, about).toBe(least);
          expect(
            decision.status === 'applied' ? decision.uses.reduce((sum, { units }) => sum + units, 0) : 0,
            about,
          ).toBeLessThanOrEqual(fewest);
        }
        for (const [name, { atMost }] of Object.entries(drawn.groups)) {
          const own = trace!.benefits.filter(
            ({ applied, benefitId }) =>
              applied && drawn.benefits.some((benefit) => benefit.benefitId === benefitId && benefit.group === name),
          );
          expect(own.length, about).toBeLessThanOrEqual(atMost);
        }
      }
    }
  });
});
