/**
 * What holds for every basket and every programme. Some 2,400 random pairs in all, the same in every run; `CASES=n` draws
 * n times as many, `PROPERTY_SEED=n` others. When one fails, fast-check prints the smallest counterexample it can find.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawn, SEED } from '../../../test/support/effort.ts';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { Decision } from '../src/types.ts';
import { arbitraryBenefit, arbitraryCase, type Case, GIFTS } from './support/arbitrary.ts';
import { netCostOf, priceFully } from './support/price.ts';

const TIMEOUT_MS = 300_000;

const PRODUCTS = new Map(GIFTS.map((product) => [product.productId, product]));

function price({ basket, benefits, policies }: Case, more: { trace?: boolean; maximumSteps?: number } = {}): Decision {
  return priceFully(basket, benefits, { policies, products: [...GIFTS], ...more });
}

function totalOf({ basket }: Case, decision: Decision): number {
  return decision.status === 'applied' ? decision.totals.total : basket.totals.total;
}

describe(`any basket with any programme, seed ${SEED}`, () => {
  it(
    'keeps every identity and invariant, and never costs more than before',
    () => {
      const statuses = new Set<string>();
      fc.assert(
        fc.property(arbitraryCase(6, 6), (example) => {
          const before = JSON.stringify(example.basket);
          const decision = price(example);
          statuses.add(decision.status === 'applied' ? 'applied' : decision.reason);
          const faults = decision.status === 'applied' ? faultsOfDecision(example.basket, decision, PRODUCTS) : [];
          if (faults.length > 0) throw new Error(faults.join('; '));
          if (totalOf(example, decision) > example.basket.totals.total) throw new Error('the basket got dearer');
          if (JSON.stringify(example.basket) !== before) throw new Error('the request was changed');
        }),
        drawn(700),
      );
      // The generator is only worth something while it reaches every outcome.
      expect([...statuses].sort()).toEqual([
        'all_lines_excluded',
        'applied',
        'basket_too_small',
        'no_applicable_benefits',
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'gives the same bytes again, and in any order of the benefits in the file',
    () => {
      const shuffled = arbitraryCase(6, 6).chain((example) =>
        fc.shuffledSubarray([...example.benefits], { minLength: example.benefits.length }).map((benefits) => ({
          example,
          other: { ...example, benefits },
        })),
      );
      fc.assert(
        fc.property(shuffled, ({ example, other }) => {
          const bytes = JSON.stringify(price(example));
          if (JSON.stringify(price(example)) !== bytes) throw new Error('the same input gave other bytes');
          if (JSON.stringify(price(other)) !== bytes) throw new Error('the order of the benefits matters');
        }),
        drawn(400),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'never costs more with one more unlimited benefit',
    () => {
      // A search that may take its time is exact, and only an exact one can promise this.
      const maximumSteps = 2_000_000;
      fc.assert(
        fc.property(arbitraryCase(5, 4), arbitraryBenefit('extra', true), (example, extra) => {
          const { basket, benefits } = example;
          const less = netCostOf(basket, price(example, { maximumSteps }));
          const cost = netCostOf(basket, price({ ...example, benefits: [...benefits, extra] }, { maximumSteps }));
          if (cost > less) throw new Error(`the net cost rose from ${less} to ${cost}`);
        }),
        drawn(400),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'attributes every minor unit of difference, and decides the same with the trace as without',
    () => {
      fc.assert(
        fc.property(arbitraryCase(6, 6), (example) => {
          const { trace, ...traced } = price(example, { trace: true });
          if (JSON.stringify(traced) !== JSON.stringify(price(example)))
            throw new Error('the trace changes the decision');
          const difference = totalOf(example, traced as Decision) - example.basket.totals.total;
          const attributed = trace!.changes.reduce((sum, { amount }) => sum + amount, 0);
          if (attributed !== difference) throw new Error(`${attributed} of ${difference} is attributed`);
          const ids = trace!.benefits.map(({ benefitId }) => benefitId).join();
          if (
            ids !==
            example.benefits
              .map(({ benefitId }) => benefitId)
              .sort()
              .join()
          )
            throw new Error(`traced: ${ids}`);
          for (const { applied, reason } of trace!.benefits) {
            if (applied === (reason !== undefined)) throw new Error('applied and a reason, or neither');
          }
          if ((traced.status === 'applied') !== trace!.benefits.some(({ applied }) => applied)) {
            throw new Error('applied without an applied benefit');
          }
        }),
        drawn(400),
      );
    },
    TIMEOUT_MS,
  );
});
