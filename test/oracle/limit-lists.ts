/** Limits of the programme and of the venue beside those of the member, drawn after all else. */

import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Random } from '../../packages/simulator/src/random.ts';
import { limitsOf, nameOf } from './limit.ts';
import type { OracleCase } from './types.ts';

/** Most benefits get lists; a limit that several share stays as it is. */
export function addLimitLists(random: Random, oracleCase: OracleCase): OracleCase {
  const available: Record<string, number> = { ...oracleCase.available };
  const benefits = oracleCase.programme.benefits.map((benefit) => {
    const own = limitsOf(benefit);
    if (own.some(({ limitId }) => limitId !== undefined) || random.chance(0.2)) return benefit;
    const more = (['programme', 'venue'] as const)
      .filter(() => random.chance(0.7))
      .map((of) => {
        const takesMoney = benefit.kind !== 'free_product' && random.chance(0.5);
        const counts = takesMoney ? 'money' : own[0]?.counts === 'items' ? 'items' : 'baskets';
        const quantity = counts === 'money' ? random.pick([10, 40, 100, 400]) : random.between(1, 4);
        const limit = { of, quantity, counts, period: random.pick(['day', 'month', 'lifetime'] as const) } as const;
        available[nameOf(benefit, limit)] = random.chance(0.1) ? 0 : random.between(1, quantity);
        return limit;
      });
    return more.length === 0 ? benefit : { ...benefit, limit: [...own, ...more] };
  }) as BenefitDefinition[];
  return { ...oracleCase, programme: { ...oracleCase.programme, benefits }, available };
}
