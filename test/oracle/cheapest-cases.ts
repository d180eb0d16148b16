import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Random } from '../../packages/simulator/src/random.ts';
import type { OracleCase } from './types.ts';

/** Some products of a case, or all of them. */
const PRODUCTS = [{}, {}, { productGroupIds: ['g'] }, { productGroupIds: ['h'] }, { productIds: ['a', 'c'] }];

/**
 * Replaces the benefits of a case by up to three sets that give the cheapest units, every other time with a limit that they share, and keeps
 * one, which may share it too (`isKeptLimited`).
 */
export function addCheapest(random: Random, drawn: OracleCase, isKeptLimited: boolean): OracleCase {
  const quantity = random.between(1, 4);
  const available = { ...drawn.available, '@cheapest': quantity };
  const isShared = random.chance(0.5);
  const limit = { quantity, period: 'day', counts: 'items', limitId: 'cheapest' };
  const sets = Array.from({ length: random.between(1, 3) }, (_, n) => ({
    benefitId: `cheapest-${n}`,
    kind: 'buy_x_get_y',
    pick: 'cheapest',
    buy: {
      quantity: random.between(1, 3),
      appliesTo: random.pick(PRODUCTS),
      ...(random.chance(0.25) && { combinable: true }),
    },
    get: {
      quantity: random.between(1, 2),
      appliesTo: random.pick(PRODUCTS),
      percent: random.pick([20, 50, 100]),
    },
    ...(isShared && random.chance(0.7) && { limit }),
    ...(random.chance(0.3) && { priority: random.between(1, 2) }),
  }));
  const kept = drawn.programme.benefits
    .slice(0, 1)
    .map((benefit) => (isKeptLimited && isOfLines(benefit) ? { ...benefit, limit } : benefit));
  const benefits = [...sets, ...kept] as BenefitDefinition[];
  return { ...drawn, available, programme: { ...drawn.programme, benefits } };
}

function isOfLines(benefit: BenefitDefinition): boolean {
  return ['line', 'bundle'].includes(kindOf(benefit).level);
}
