/** Adds words of single kinds to a random case, drawn after all else, so that the case of a seed stays the same without them. */

import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Random } from '../../packages/simulator/src/random.ts';
import { limitOf } from './limit.ts';
import type { OracleCase } from './types.ts';

export function addOfferRules(random: Random, oracleCase: OracleCase): OracleCase {
  const { programme } = oracleCase;
  const benefits = programme.benefits.map(
    (benefit) => ({ ...benefit, ...wordsFor(random, benefit) }) as BenefitDefinition,
  );
  return { ...oracleCase, programme: { ...programme, benefits } };
}

function wordsFor(random: Random, benefit: BenefitDefinition): object {
  if (benefit.kind === 'buy_x_get_y' && random.chance(0.7)) {
    return { spread: true, buy: { ...benefit.buy, combinable: false } };
  }
  if (kindOf(benefit).level === 'order' && random.chance(0.6)) {
    return {
      minimumSpend: random.pick([20, 60, 100, 150, 200, 300]),
      minimumSpendBasis: 'net',
      ...(random.chance(0.3) && { minimumSpendOn: 'basket' }),
    };
  }
  // Products are given seldom otherwise.
  if (benefit.kind === 'free_product' || random.chance(0.15)) return giftWords(random, benefit);
  return {};
}

function giftWords(random: Random, benefit: BenefitDefinition): object {
  const { kind } = benefit;
  const limit = limitOf(benefit);
  if (kind === 'free_product' && random.chance(0.2)) return {};
  const isShared = limit?.limitId !== undefined && limit.counts !== 'baskets';
  if (kind === 'free_product') return { inBasketFirst: !isShared };
  const own = limit?.counts === 'money' || isShared ? undefined : limit;
  return {
    ...NO_WORDS,
    kind: 'free_product',
    productId: random.pick(['a', 'b', 'c', 'd']),
    ...(random.chance(0.5) && { quantity: random.between(1, 3) }),
    inBasketFirst: true,
    limit: own,
  };
}

/** The fields that products to be given do not have. */
const NO_WORDS = Object.fromEntries(
  [
    'percent',
    'amount',
    'per',
    'unitPrice',
    'buy',
    'get',
    'pick',
    'items',
    'bundlePrice',
    'perSpend',
    'maximumDiscount',
  ].map((name) => [name, undefined]),
);
