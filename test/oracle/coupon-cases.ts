import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Random } from '../../packages/simulator/src/random.ts';
import type { OracleCase } from './types.ts';

/** Adds two or three coupons, each a percentage for a few units, to whatever the case has. */
export function addCoupons(random: Random, drawn: OracleCase): OracleCase {
  const groups = [...new Set(drawn.programme.benefits.flatMap(({ group }) => (group === undefined ? [] : [group])))];
  const available: Record<string, number> = { ...drawn.available };
  const coupons = Array.from({ length: random.between(2, 3) }, (_, n): BenefitDefinition => {
    const benefitId = `coupon-${n}`;
    const quantity = random.between(1, 3);
    const isLimit = random.chance(0.5);
    if (isLimit) available[benefitId] = random.between(1, quantity);
    return {
      benefitId,
      kind: 'line_percent',
      percent: random.pick([5, 10, 15, 25, 40, 50]),
      ...(isLimit ? { limit: { quantity, period: 'day', counts: 'items' } } : { maximumUnits: quantity }),
      ...(groups.length > 0 && random.chance(0.3) ? { group: random.pick(groups) } : {}),
      ...(random.chance(0.15) ? { priority: random.between(1, 3) } : {}),
    } as BenefitDefinition;
  });
  return {
    ...drawn,
    available,
    programme: { ...drawn.programme, benefits: [...drawn.programme.benefits, ...coupons] },
  };
}
